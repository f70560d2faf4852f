"""The card-reading shoe: shoe.md."""

from __future__ import annotations

from typing import Any

from protocols import shoe as wire
from sim_hw.conform.hands import POWER_CYCLE, act
from sim_hw.conform.link.bench import STATUS_REQUEST, LinkBench, Said, Session
from sim_hw.conform.requirement import Broken, inspected, must
from sim_hw.conform.wrong import at_session, having, patched, with_property

DRAWN, OVERDRAW, RETURNED, CUT_CARD, LOADED, EMPTY = range(0x40, 0x46)

LOAD = act("load", "Open the lid, load one deck without a cut card, close the lid.", decks=1)
PULL = act("pull", "Pull gently at the mouth, as a dealer does; do not force a card out.")
PULL_HARD = act("pull_hard", "Force one card out of the locked mouth.")
PUSH_BACK = act("push_back", "Push the last card back into the mouth.")
OPEN_LID = act("open_lid", "Open the lid.")
CLOSE_LID = act("close_lid", "Close the lid.")
ONE_CARD = act("load", "Load the shoe with the nine of hearts alone.", cards="9h")
TWO_AND_CUT = act(
    "load", "Load two cards with the cut card between them, the nine of hearts in front.", cards="9h 2c", cut_card_at=1
)
HIDE = act("misread_next", "Cover the reader, so that it cannot see the next card.", why="not seen")
FILL = act("fill", "Open and close the lid until the shoe has no room for another event; close the lid.")


class LoadedShoe:
    """A shoe with cards in it, in a session, its lid closed."""

    def __init__(self, bench: LinkBench, session: Session, status: wire.Status) -> None:
        self.bench, self.session, self.status = bench, session, status

    @classmethod
    async def of(cls, bench: LinkBench) -> LoadedShoe:
        session = await bench.begin()
        status = await _status(session)
        if status.lid_open:
            await bench.hands.do(CLOSE_LID)
            await session.event(0x46)
        if status.cards_left is not None and status.cards_left < 10:
            await bench.hands.do(LOAD)
            await session.event(LOADED)
            await bench.pause(0.2)
        await bench.pause(0.1)
        table = cls(bench, session, await _status(session))
        await table.permit(0)
        session.forget()
        return table

    async def permit(self, more: int, *, boot: int | None = None) -> wire.PermitState:
        """Allow this number of cards from now on."""
        up_to = (await _status(self.session)).draw_no + more
        return await permit(self.session, self.status.boot if boot is None else boot, up_to)

    async def pull(self) -> Said:
        """One permitted card."""
        mark = len(self.session.said)
        await self.permit(1)
        await self.bench.hands.do(PULL)
        return await self.session.event(DRAWN, OVERDRAW, mark=mark)

    async def held(self, after: str) -> None:
        """The mouth does not open."""
        mark = len(self.session.said)
        await self.bench.hands.do(PULL)
        await self.bench.pause(1.0)
        await self.bench.hands.stop()
        out = [said for said in self.session.said[mark:] if said.kind in (DRAWN, OVERDRAW)]
        if out:
            raise Broken(f"the mouth to be locked {after}", f"card {draw_no(out[0])} left")


async def _status(session: Session) -> wire.Status:
    status = wire.decode(await session.ask(STATUS_REQUEST))
    assert isinstance(status, wire.Status)
    return status


async def permit(session: Session, boot: int, up_to: int) -> wire.PermitState:
    state = wire.decode(await session.ask(wire.encode(wire.Permit(boot=boot, up_to=up_to))))
    assert isinstance(state, wire.PermitState)
    return state


def draw_no(event: Said) -> int:
    return int.from_bytes(event.data[17:21])


def _counts_two(device: Any, right: Any) -> Any:
    def force_draw() -> Any:
        device.draw_no += bool(device.cards_left) and not device.is_cut_card_next
        return right()

    return force_draw


@must("SHOE-1", "1", wrong=patched("force_draw", _counts_two))
async def draws_are_counted(bench: LinkBench) -> None:
    """draw_no goes up by one with every card that leaves, and never down."""
    table = await LoadedShoe.of(bench)
    before = table.status.draw_no
    numbers = [draw_no(await table.pull()) for _ in range(2)]
    if numbers != [before + 1, before + 2]:
        raise Broken(f"draws {before + 1} and {before + 2}", f"{numbers[0]} and {numbers[1]}")


@must(
    "SHOE-2",
    "1",
    wrong=patched("load", lambda device, right: lambda *a, **k: (having(draw_no=0)(device), right(*a, **k))),
)
async def loading_counts_on(bench: LinkBench) -> None:
    """Loading the shoe does not reset draw_no."""
    table = await LoadedShoe.of(bench)
    last = draw_no(await table.pull())
    mark = len(table.session.said)
    await bench.hands.do(LOAD)
    await table.session.event(LOADED, mark=mark)
    now = (await _status(table.session)).draw_no
    if now != last:
        raise Broken(f"draw_no {last} after the shoe was loaded", f"{now}")


def _slips_out(device: Any, right: Any) -> Any:
    """The lock holds only where another reason than the permit closes it."""

    async def draw() -> Any:
        if device.draw_no >= device.permit and not device.lid_open and device.link.has_room:
            return device.force_draw()
        return await right()

    return draw


@must("SHOE-3", "1", wrong=patched("draw", _slips_out))
async def locks_at_its_permit(bench: LinkBench) -> None:
    """At draw_no >= permit the mouth is locked."""
    table = await LoadedShoe.of(bench)
    await table.held("at its permit")


@must("SHOE-4", "1", wrong=patched("_powered_up", lambda device, right: lambda: (right(), having(permit=7)(device))))
async def locked_at_power_up(bench: LinkBench) -> None:
    """At power-up the permit is 0: no permit survives a power cut."""
    table = await LoadedShoe.of(bench)
    await table.permit(3)
    bench.session = None
    await bench.hands.do(POWER_CYCLE)
    status = await _status(await bench.begin())
    if status.up_to:
        raise Broken("permit 0 after power-up", f"permit {status.up_to}")


@must(
    "SHOE-5",
    "1",
    wrong=with_property("is_locked", lambda shoe, right: right and not (shoe.lid_open and shoe.draw_no < shoe.permit)),
)
async def locks_with_the_lid_open(bench: LinkBench) -> None:
    """The shoe locks while its lid is open."""
    table = await LoadedShoe.of(bench)
    await table.permit(1)
    mark = len(table.session.said)
    await bench.hands.do(OPEN_LID)
    await table.session.event(0x46, mark=mark)
    try:
        await table.held("while the lid is open")
    finally:
        await bench.hands.do(CLOSE_LID)


@must(
    "SHOE-6",
    "1",
    wrong=with_property("is_locked", lambda shoe, right: right and (shoe.lid_open or shoe.draw_no >= shoe.permit)),
)
async def locks_when_full(bench: LinkBench) -> None:
    """The shoe locks while it has no room to keep another event."""
    table = await LoadedShoe.of(bench)
    await table.permit(1)
    bench.session = None
    await bench.pause(3.5)
    await bench.hands.do(FILL)
    await bench.hands.do(PULL)
    await bench.pause(0.5)
    await bench.hands.stop()
    session = await bench.open()
    if bench.key is not None and "guarded" in bench.holding:
        await bench.prove(session)
    await session.say(STATUS_REQUEST)
    await session.next(lambda said: said.kind == 0x82, 0, 30.0)
    if any(said.kind in (DRAWN, OVERDRAW) for said in session.said):
        raise Broken("no card to leave a shoe without room for another event", "a card that left")


inspected(
    "SHOE-7",
    "1",
    "A shoe that can keep unacknowledged events through a power cut does so.",
    "whether it can is the maker's to say; where it does, the events come first in the next session, with their boot",
    home=__name__,
)


@must("SHOE-8", "1", wrong=patched("fail_next_read", lambda device, right: lambda why: device.misread_next("2c")))
async def never_guesses(bench: LinkBench) -> None:
    """A card that was not read with certainty is reported as not read, with the reason."""
    table = await LoadedShoe.of(bench)
    await bench.hands.do(HIDE)
    event = await table.pull()
    card, why = event.data[21], event.data[23]
    if card != 0 or not 1 <= why <= 5:
        raise Broken("card 0x00 and a reason of 1 to 5", f"card 0x{card:02x} and reason {why}")


def _any_boot(device: Any, right: Any) -> Any:
    def commanded(command: Any) -> None:
        if isinstance(command, wire.Permit):
            command = wire.Permit(boot=device.boot, up_to=command.up_to)
        right(command)

    return commanded


@must("SHOE-9", "2", wrong=patched("_commanded", _any_boot))
async def permit_of_another_boot(bench: LinkBench) -> None:
    """A permit that was computed for another boot is ignored, and answered."""
    table = await LoadedShoe.of(bench)
    state = await table.permit(40, boot=table.status.boot ^ 0x10101010)
    if state.up_to > state.draw_no:
        raise Broken("the permit of another boot to be ignored", f"permit {state.up_to} in PermitState")


def _only_higher(device: Any, right: Any) -> Any:
    def commanded(command: Any) -> None:
        if isinstance(command, wire.Permit) and device.draw_no < command.up_to < device.permit:
            command = wire.Permit(boot=command.boot, up_to=device.permit)
        right(command)

    return commanded


@must("SHOE-10", "2", wrong=patched("_commanded", _only_higher))
async def newest_permit(bench: LinkBench) -> None:
    """The newest permit counts, also when it is lower."""
    table = await LoadedShoe.of(bench)
    await table.permit(5)
    state = await table.permit(2)
    if state.up_to != state.draw_no + 2:
        raise Broken(f"permit {state.draw_no + 2}", f"permit {state.up_to}")
    await table.permit(0)


def _answers_news_only(device: Any, right: Any) -> Any:
    def commanded(command: Any) -> None:
        if not isinstance(command, wire.Permit) or command.up_to != device.permit or device.permit <= device.draw_no:
            right(command)

    return commanded


@must("SHOE-11", "2", wrong=patched("_commanded", _answers_news_only))
async def every_permit_is_answered(bench: LinkBench) -> None:
    """Every permit is answered with PermitState, a repeated one too."""
    table = await LoadedShoe.of(bench)
    await table.permit(2)
    await table.permit(2)
    await table.permit(0)


@must("SHOE-12", "2", wrong=at_session(lambda device: having(permit=min(device.permit, device.draw_no))(device)))
async def permit_outlives_the_session(bench: LinkBench) -> None:
    """A permit stays valid when the link session ends."""
    table = await LoadedShoe.of(bench)
    state = await table.permit(2)
    status = await _status(await bench.begin())
    if status.up_to != state.up_to:
        raise Broken(f"permit {state.up_to} in the next session", f"permit {status.up_to}")


def _late_event(device: Any, right: Any) -> Any:
    return lambda event: device.link._loop.call_later(0.15, right, event)


@must("SHOE-13", "3", wrong=patched("_card_left", _late_event))
async def order(bench: LinkBench) -> None:
    """Messages are sent in the order in which they were produced: a Status comes after every event it counts."""
    table = await LoadedShoe.of(bench)
    session = table.session
    await table.permit(1)
    await bench.hands.do(PULL)
    for _ in range(40):
        status = await _status(session)
        if status.draw_no > table.status.draw_no:
            break
        await bench.pause(bench.hands.patience / 40)
    at = next(
        n for n, said in enumerate(session.said) if said.kind == 0x82 and said.data[5:9] == status.draw_no.to_bytes(4)
    )
    await bench.pause(0.3)
    if not any(said.kind in (DRAWN, OVERDRAW) and draw_no(said) == status.draw_no for said in session.said[:at]):
        raise Broken(f"the event of draw {status.draw_no} before the Status that counts it", "the Status first")


def _calls_it_permitted(device: Any, right: Any) -> Any:
    def left(event: Any) -> None:
        fields = {name: getattr(event, name) for name in event.__struct_fields__}
        right(wire.CardDrawn(**fields))

    return left


@must("SHOE-14", "3", wrong=patched("_card_left", _calls_it_permitted))
async def overdraw(bench: LinkBench) -> None:
    """A card that leaves although the shoe is locked is an Overdraw, and is counted."""
    table = await LoadedShoe.of(bench)
    mark = len(table.session.said)
    await bench.hands.do(PULL_HARD)
    event = await table.session.event(DRAWN, OVERDRAW, mark=mark)
    if event.kind != OVERDRAW:
        raise Broken("Overdraw (0x41)", "CardDrawn (0x40)")


def _without(*types: type) -> Any:
    return patched("_happened", lambda device, right: lambda event: None if isinstance(event, types) else right(event))


@must("SHOE-15", "3", wrong=_without(wire.ShoeEmpty))
async def shoe_empty(bench: LinkBench) -> None:
    """ShoeEmpty is sent after the CardDrawn of the last card."""
    table = await LoadedShoe.of(bench)
    mark = len(table.session.said)
    await bench.hands.do(ONE_CARD)
    await table.session.event(LOADED, mark=mark)
    await table.pull()
    await table.session.event(EMPTY, mark=mark)


@must(
    "SHOE-16",
    "3",
    wrong=patched("push_back", lambda device, right: lambda: (having(draw_no=device.draw_no - 1)(device), right())),
)
async def card_returned(bench: LinkBench) -> None:
    """A card that is pushed back is reported with the last draw_no, which does not go down."""
    table = await LoadedShoe.of(bench)
    last = draw_no(await table.pull())
    mark = len(table.session.said)
    await bench.hands.do(PUSH_BACK)
    event = await table.session.event(RETURNED, mark=mark)
    if draw_no(event) != last:
        raise Broken(f"CardReturned with draw_no {last}", f"{draw_no(event)}")


def _counts_the_cut_card(device: Any, right: Any) -> Any:
    def happened(event: Any) -> None:
        if isinstance(event, wire.CutCardOut):
            device.draw_no += 1
        right(event)

    return happened


@must("SHOE-17", "3", wrong=patched("_happened", _counts_the_cut_card))
async def cut_card(bench: LinkBench) -> None:
    """The cut card is reported with the draw_no of the card before it, and does not count as a draw."""
    table = await LoadedShoe.of(bench)
    session = table.session
    mark = len(session.said)
    await bench.hands.do(TWO_AND_CUT)
    await session.event(LOADED, mark=mark)
    await bench.pause(0.2)
    first = draw_no(await table.pull())
    await table.permit(1)
    mark = len(session.said)
    await bench.hands.do(PULL)
    cut = await session.event(CUT_CARD, mark=mark)
    now = (await _status(session)).draw_no
    if (draw_no(cut), now) != (first, first):
        raise Broken(f"the cut card after draw {first}, not counted", f"draw_no {draw_no(cut)}, then {now}")


@must("SHOE-18", "4", wrong=patched("draw", lambda device, right: lambda: _smudged(device, right)))
async def card_bytes(bench: LinkBench) -> None:
    """A card is a byte of the table, and the same byte with all bits inverted."""
    table = await LoadedShoe.of(bench)
    event = await table.pull()
    card, inverted = event.data[21], event.data[22]
    if card ^ inverted != 0xFF:
        raise Broken(f"0x{card ^ 0xFF:02x} as the inverse of card 0x{card:02x}", f"0x{inverted:02x}")
    wire.decode(event.data)


async def _smudged(device: Any, right: Any) -> Any:
    device.garble_next_card()
    return await right()


def _sticky_count(device: Any, right: Any) -> Any:
    def status() -> Any:
        found = right()
        left = 52 if found.cards_left else 0
        return wire.Status(
            boot=found.boot, draw_no=found.draw_no, up_to=found.up_to, lid_open=found.lid_open, cards_left=left
        )

    return status


@must("SHOE-19", "5", wrong=patched("_status", _sticky_count))
async def cards_left(bench: LinkBench) -> None:
    """cards left goes down by one with each card that leaves, or is 0xffff: unknown."""
    table = await LoadedShoe.of(bench)
    before = (await _status(table.session)).cards_left
    await table.pull()
    after = (await _status(table.session)).cards_left
    if before is not None and after != before - 1:
        raise Broken(f"{before - 1} cards left", f"{after}")


def _lazy_permit(device: Any, right: Any) -> Any:
    def commanded(command: Any) -> None:
        if isinstance(command, wire.Permit) and command.up_to > device.draw_no + 100:
            return
        right(command)

    return commanded


@must("SHOE-20", "2", wrong=patched("_commanded", _lazy_permit))
async def a_high_permit(bench: LinkBench) -> None:
    """A permit is absolute and has 32 bits: one far above the cards of the shoe is taken and answered."""
    table = await LoadedShoe.of(bench)
    state = await permit(table.session, table.status.boot, 0xFFFFFFFF)
    await table.permit(0)
    if state.up_to != 0xFFFFFFFF:
        raise Broken("permit 0xffffffff in PermitState", f"0x{state.up_to:08x}")
