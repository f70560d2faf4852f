"""The feed of views, and a scripted table made of it for the tests of server and page.

`ScriptedTable` shows what a test sets and takes acts without playing anything; `a_view` fills in the rest of a
view document.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

from controller.engine.actor import Actor
from controller.engine.cards.card import Face, Slot, card
from controller.engine.inputs import SignInSeen
from controller.engine.table.waiting import Phase
from controller.games.baccarat.roads import Result
from controller.operator.act_result import ActResult
from controller.operator.authenticator import Authenticator
from controller.operator.roles import Role
from controller.operator.sessions import SignIns
from controller.operator.staff import Person, Staff, write_staff
from controller.outputs import view_types
from controller.web.feed import Feed, LazyFeed
from controller.web.server import TablePage

TEN_TO_FIVE_HUNDRED = view_types.LimitsView(1_000, 50_000)


def faces(*codes: str | None) -> tuple[Face | None, ...]:
    """Cards that lie face up, and null for one that does not."""
    return tuple(None if code is None else Slot(card(code)).face for code in codes)


def some_results(count: int) -> list[Result]:
    """A shoe with streaks, ties in a row, a leading tie and every flag; the same every time."""
    letters = "TBBTPPPPBPPBBBBBBBBPPPPPPTPBPBBPPTTB"
    flags: dict[int, tuple[str, ...]] = {
        1: ("dragon_7",),
        4: ("panda_8", "player_pair"),
        8: ("natural", "banker_pair"),
        20: ("natural",),
    }
    shoe = [
        Result("B" if letter == "B" else "P" if letter == "P" else "T", flags.get(n, ()))
        for n, letter in enumerate(letters)
    ]
    return (shoe * (count // len(shoe) + 1))[:count]


def a_view(
    *,
    seq: int,
    round: int = 1,
    phase: Phase = "betting",
    prompt: str = "Place your bets",
    hands: tuple[view_types.HandView, ...] = (),
    outcome: str | None = None,
    outcome_text: str | None = None,
    marks: tuple[str, ...] = (),
    held: view_types.HeldView | None = None,
    test: bool = False,
    hands_in_shoe: int = 0,
    results: Sequence[Result] | None = None,
    previous: Sequence[Result] | None = None,
    limits: view_types.LimitsView | None = TEN_TO_FIVE_HUNDRED,
    devices: tuple[view_types.DeviceView, ...] = (view_types.DeviceView("shoe", "shoe", "ready"),),
    broker_online: bool = True,
    bets_close_in: int | None = None,
    ask_marks: bool = False,
) -> view_types.View:
    history = some_results(hands_in_shoe) if results is None else results
    return view_types.View(
        site="Example Cardroom",
        table="Table 7",
        game=view_types.GameView("ez-baccarat", "EZ Baccarat Panda 8"),
        test=test,
        round=round,
        seq=seq,
        phase=phase,
        prompt=prompt,
        held=held,
        hands=hands,
        outcome=outcome,
        outcome_text=outcome_text,
        marks=marks,
        limits=limits,
        bets_close_in=bets_close_in,
        shoe=view_types.shoe_view(2, history, cards_out=5 * len(history), ask_marks=ask_marks),
        previous_shoe=None if previous is None else view_types.shoe_view(1, previous),
        devices=devices,
        broker_online=broker_online,
    )


DEALER, FLOOR = Person("sam", Role.DEALER), Person("ann", Role.FLOOR)
PINS = {"sam": "270461", "ann": "915582"}
BADGE = "0042-7716"


class ScriptedTable(Feed):
    """A table under the test's control: `show` changes the view, `acts` holds what came in.

    Sam deals and Ann, who has a badge, supervises; `noted` is what would stand in the journal of their comings.
    """

    def __init__(self, first: view_types.View, staff: Path | None = None) -> None:
        super().__init__(view_types.encode_view(first))
        self.console = LazyFeed(self.current)
        self.now = 0.0
        self.noted: list[tuple[str, str]] = []
        self.sign_ins = SignIns(
            Authenticator(staff or Path("nobody.json"), lambda: self.now), self._note, lambda: self.now
        )
        self.page = TablePage(self, self.console, self.sign_ins, self.act, self.act)
        self.acts: list[tuple[bytes, str]] = []
        self.refuses = False
        self.watchers = 0
        self._came_or_went = asyncio.Event()

    def show(self, view: view_types.View) -> None:
        self.publish(view_types.encode_view(view))
        self.console.change()

    async def _note(self, seen: SignInSeen, person: Actor | None, *, is_alarm: bool = False) -> None:
        what = "alarm" if is_alarm else seen.what
        self.noted.append((what, seen.name if person is None else person.by))

    async def subscribe(self) -> AsyncGenerator[bytes, None]:
        self.watchers += 1
        self._came_or_went.set()
        try:
            async for document in super().subscribe():
                yield document
        finally:
            self.watchers -= 1
            self._came_or_went.set()

    async def until_nobody_watches(self) -> None:
        while self.watchers:
            await self._until_one_comes_or_goes()

    async def until_somebody_watches(self) -> None:
        while not self.watchers:
            await self._until_one_comes_or_goes()

    async def _until_one_comes_or_goes(self) -> None:
        self._came_or_went.clear()
        await self._came_or_went.wait()

    async def act(self, body: bytes, who: Actor) -> ActResult:
        self.acts.append((body, who.by))
        if self.refuses:
            return ActResult("refused", "bets_closed", "Bets are closed already.")
        return ActResult("done", text="Done.")


def staff_file(folder: Path) -> Path:
    """Sam and Ann, in a file."""
    staff = Staff("5a" * 16).with_member("sam", Role.DEALER, "1001", PINS["sam"])
    staff = staff.with_member("ann", Role.FLOOR, "1002", PINS["ann"], badge=BADGE)
    write_staff(folder / "staff.json", staff)
    return folder / "staff.json"


async def test_every_watcher_gets_the_newest_first_and_a_slow_one_skips() -> None:
    feed = Feed(b"one")
    watcher = feed.subscribe()
    assert await anext(watcher) == b"one"
    feed.publish(b"two")
    feed.publish(b"three")
    assert await anext(watcher) == b"three"
    assert await anext(feed.subscribe()) == b"three"


async def test_a_watcher_waits_while_nothing_changes() -> None:
    feed = Feed(b"one")
    watcher = feed.subscribe()
    await anext(watcher)
    waiting = asyncio.ensure_future(anext(watcher))
    feed.publish(b"one")
    done, _ = await asyncio.wait({waiting}, timeout=0.02)
    assert not done
    feed.publish(b"two")
    assert await asyncio.wait_for(waiting, 5) == b"two"


async def test_a_lazy_feed_makes_a_document_only_when_somebody_looks() -> None:
    made: list[int] = []

    def make() -> bytes:
        made.append(len(made))
        return str(len(made)).encode()

    feed = LazyFeed(make)
    feed.change()
    feed.change()
    assert made == []
    watcher = feed.subscribe()
    assert await anext(watcher) == b"1"
    assert feed.current() == b"1" and len(made) == 1
    waiting = asyncio.ensure_future(anext(watcher))
    await asyncio.sleep(0)
    feed.change()
    assert await asyncio.wait_for(waiting, 5) == b"2"


def test_a_lazy_feed_shows_what_stood_before_while_the_new_is_being_written() -> None:
    documents = iter((b"one", b"two"))
    writing = False
    feed = LazyFeed(lambda: next(documents), lambda: writing)
    assert feed.current() == b"one"
    writing = True
    feed.change()
    assert feed.current() == b"one"
    writing = False
    assert feed.current() == b"two"
