"""A dealer, players and a floor supervisor who play any game, as people would.

    crew = Crew(console, Reach(shoe=shoe, boxes=boxes), clock, Habits(deck=deck), seed=7)
    await crew.play(rounds=40)

They know the table by its public state document alone (`people_sight`): whatever it waits for, somebody does. Cards
come out of the shoe or the shuffler within reach, or out of the dealer's hands while neither works; dice out of the
cup; "no more bets" is a key of the panel where there is one; the rest is said at the console. Players see their own
cards.
All chances come from one seed, all time from one clock: one seed is one day, at human speed or at full speed.

The dealer's hands at the cards are `people_dealer`. Mistakes, at a chosen rate, are `people_mistakes`; the floor, who
puts things right, is `people_floor`.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from sim_hw.devices.card_reader import SimulatedCardReader
from sim_hw.devices.dice_cup import SimulatedDiceCup
from sim_hw.devices.drop_box.sensor import SimulatedSensor
from sim_hw.devices.key_panel import SimulatedKeyPanel
from sim_hw.devices.shoe import SimulatedShoe
from sim_hw.devices.shuffler.device import SimulatedShuffler
from sim_hw.people.baccarat import Console, TableSaidNo
from sim_hw.people.bank import answer_offer
from sim_hw.people.choices import CHIP, Act, decide, wagers
from sim_hw.people.dealer import Dealer
from sim_hw.people.felt import Felt
from sim_hw.people.floor import FloorSupervisor
from sim_hw.people.mistakes import Clumsiness, Mistakes
from sim_hw.people.sight import (
    Bank,
    Card,
    Decision,
    Dice,
    Drop,
    Floor,
    Opening,
    Pack,
    Repair,
    Reveal,
    Shoe,
    Sight,
    Strange,
    Wagers,
    look_at,
)
from sim_hw.time.clock import SimClock

PATIENCE = 120.0
"""Seconds that somebody is busy with one thing before he looks up again: longer than a machine shuffles."""
MOST_TRIES = 60
"""Steps at one moment of the table that change nothing: beyond it, people and table do not understand each other."""
GIVE_UP = 15
"""After this many the floor is called, and voids the round."""
OPENS = ("open", "declare_open")
"""The acts of a player who may have to prove what he opened the pot with."""
SHOE_ALARM = "shoe:"
"""What the names of alarms about the shoe in play begin with."""
NOT_NOW = ("journal", "starting")
"""Why a table refuses everything for a while, whatever people do."""
SENSED_S = 2.5
SETTLES_S = 0.05
"""Between two looks at a table that is busy."""


class Stuck(Exception):
    """The people cannot go on: what the table waits for, and what they tried."""


@dataclass(frozen=True)
class Reach:
    """The devices on the table, as far as hands have to do with them."""

    shoe: SimulatedShoe | None = None
    shuffler: SimulatedShuffler | None = None
    dice: SimulatedDiceCup | None = None
    boxes: Mapping[str, SimulatedSensor] = field(default_factory=dict)
    panel: SimulatedKeyPanel | None = None
    keys: Mapping[str, int] = field(default_factory=dict)
    """What the panel's keys are labelled with, and which they are."""
    reader: SimulatedCardReader | None = None
    counts: Callable[[Iterable[str]], Awaitable[None]] | None = None
    """Waits until the table has counted what fell into these boxes; None: the dealer goes on."""


@dataclass(frozen=True)
class Stakes:
    """What the floor posts where players bet against each other, in cents."""

    posts: Sequence[str] = ()
    """What it sets before every hand; empty: it waits until the table asks, and then sets button, blinds and stacks."""
    structure: Mapping[str, Any] | None = field(
        default_factory=lambda: {"kind": "fixed_limit", "low": 400, "high": 800}
    )
    blinds: Sequence[int] = (200, 400)
    ante: int = 0
    unit: int = 400
    """What stacks are counted in."""
    buy_in: tuple[int, int | None] = (0, None)
    """The least and the most that the posted schedule prints; no top: None."""
    fewest: int = 2
    most: int | None = None
    """How many play."""


@dataclass(frozen=True)
class Habits:
    """How this table is run."""

    deck: Sequence[str]
    """Every card of the deck or shoe."""
    lasts: bool = False
    """The cards last many rounds, until the cut card; else each round has a fresh deck."""
    seats: Sequence[int] = (1, 2, 3, 4, 5, 6, 7)
    stakes: Stakes = field(default_factory=Stakes)
    pace: float = 1.0
    """How slow people are: 1 as at a table, 0 as fast as they can."""
    piece: int = 100
    """What a chip in the drop box is worth, cents."""

    @property
    def decks(self) -> int:
        """As often as most of its cards are in it: jokers come several to a deck, and of the eight decks for Pan a set
        of spades is left out."""
        copies = Counter(Counter(self.deck).values())
        return copies.most_common(1)[0][0] if copies else 1


class Crew:
    """A dealer, the players and the floor."""

    def __init__(
        self,
        console: Console,
        reach: Reach,
        clock: SimClock,
        habits: Habits,
        *,
        seed: int | str,
        mistakes: Mistakes | None = None,
    ) -> None:
        self.console, self.reach, self.clock, self.habits = console, reach, clock, habits
        self.rng = random.Random(f"{seed}/people")
        self.floor = FloorSupervisor(random.Random(f"{seed}/floor"), random.Random(f"{seed}/jackpots"))
        self.clumsiness = Clumsiness(mistakes or Mistakes(), random.Random(f"{seed}/mistakes"))
        self.rounds = 0
        """As far as they have seen."""
        self.shoe_cards = 0
        """Cards that left the shoe, in turn or not."""
        self.refused = ""
        """What the table last said no to."""
        self.button = 0
        self.felt = Felt(habits.deck, reported_ahead=reach.shuffler is not None)
        self.dealer = Dealer(self, random.Random(f"{seed}/cards"))
        self.dropped: Counter[str] = Counter()
        """Pieces that went into each box."""
        self._paid: Counter[str] = Counter()
        """Fees of this round that the dealer has taken care of, cents by box."""
        self._late: list[tuple[str, int]] = []
        self._in_hand: list[tuple[str, int]] = []
        """Pieces for a box, where they go in one box after the other."""
        self._bets_of = -1
        self._ready_for = -1
        self._seen = (-1, "")
        self._tries = 0

    async def play(self, rounds: int | None = None) -> int:
        """Deal this number of rounds, or for ever; returns how many were dealt."""
        dealt, seen = 0, (await self.look()).round
        while True:
            sight = await self.look()
            if sight.phase in ("settled", "waiting") and sight.round != seen:
                seen = sight.round
                # A void round is none: somebody who asked for ten wants to see ten.
                dealt += not sight.last.get("void")
                if rounds is not None and dealt >= rounds:
                    return dealt
            await self.step(sight)

    async def step(self, sight: Sight | None = None) -> None:
        """Whatever is to be done next. `Stuck` where people and table do not understand each other."""
        try:
            sight = sight or await self.look()
            self._count_tries(sight)
            async with asyncio.timeout(PATIENCE):
                await self._do(sight)
        except TimeoutError:
            return
        except TableSaidNo as no:
            self.refused = str(no)
            if any(f": {why}: " in self.refused for why in NOT_NOW):
                self._tries -= 1
                await self.clock.sleep(2.0)
            await self.pause(0.2, 0.6)
        except aiohttp.ClientError:
            # The table is not there at all; its dealer waits.
            await self.clock.sleep(1.0)

    async def look(self) -> Sight:
        """What is on the table now; the cards that were on their way lie where it says."""
        sight = look_at(await self.console.state())
        shuffler = self.reach.shuffler
        while self.reach.counts is not None and shuffler is not None:
            # What lies in the tray and what the table knows of must be of one moment.
            events_before = shuffler.events
            await shuffler.wait_taken()
            sight = look_at(await self.console.state())
            if events_before == shuffler.events:
                break
        self.felt.follow(sight)
        self.rounds = sight.round
        return sight

    async def pause(self, least: float, most: float) -> None:
        await self.clock.sleep(self.rng.uniform(least, most) * self.habits.pace)

    async def say(self, act: Act, by: str = "dealer") -> None:
        await self.console.act(act, by=by)

    def _count_tries(self, sight: Sight) -> None:
        now = (sight.round, sight.prompt)
        self._tries = self._tries + 1 if now == self._seen else 0
        self._seen = now
        if self._tries > MOST_TRIES:
            wants = ", ".join(type(want).__name__ for want in sight.wants)
            raise Stuck(
                f"the table waits, and nothing that people do helps: {sight.prompt!r} ({wants}); the last answer was "
                f"{self.refused!r}"
            )

    # What the table waits for

    async def _do(self, sight: Sight) -> None:
        await self.floor.see_to_alarms(self, sight)
        await self.floor.see_to_jackpots(self, sight)
        misread = self.felt.misread(sight.hands or sight.last.get("hands", {}))
        if misread is not None:
            await self.floor.put_right(self, misread, sight)
        if self._tries >= GIVE_UP and self._tries % GIVE_UP == 0 and sight.phase in ("dealing", "held"):
            await self.say(
                {"kind": "floor", "do": "void", "reason": "nobody knows any more what lies where"}, by="floor"
            )
            return
        if self._doubts_shoe(sight):
            await self.dealer.load()
            return
        if self.is_between_rounds(sight) and await self._prepare(sight):
            return
        if sight.phase == "dealing":
            self._drop_late()
        stumbled = await self.clumsiness.stumble(self, sight)
        await self._counted()
        if stumbled:
            return
        wants = sight.wants
        cards = [want for want in wants if isinstance(want, Card)]
        bets = [want for want in wants if isinstance(want, Wagers)]
        if await self.dealer.machine_deals(*cards):
            return
        if cards and (not bets or self.rng.random() < 0.9):
            await self.dealer.deal(cards[0], sight)
        elif bets:
            await self._bet(bets[0], sight, may_deal=bool(cards))
        elif wants:
            await self._answer(self.rng.choice(wants), sight)
        else:
            await self.clock.sleep(SETTLES_S)

    async def _answer(self, want: object, sight: Sight) -> None:
        match want:
            case Decision():
                await self.pause(0.8, 4.0)
                act = decide(want, self.rng, self.felt.of_seat(want.seat))
                if act is None:
                    raise Stuck(f"nobody can decide without seeing cards: {sight.prompt!r}")
                await self.say(act)
                # It was taken: the table has moved on, also where it asks the same again.
                self._tries = 0
                self._throw(act)
            case Dice():
                await self._roll(want)
            case Reveal():
                await self._name(want)
            case Drop():
                await self._pay(want)
            case Shoe():
                await self.dealer.load()
            case Pack():
                await self.pause(4.0, 8.0)
                count = want.cards if want.cards is not None else len(self.habits.deck)
                await self.say({"kind": "pack", "cards": count})
            case Bank():
                await self.pause(1.0, 4.0)
                act = answer_offer(want, self.rng)
                await self.say(act, by="floor" if act["kind"] == "floor" else "dealer")
            case Floor():
                await self.floor.decide(self, want, sight)
            case Opening():
                await self.say({"kind": "open_table"}, by="floor")
            case Repair():
                await self.clock.sleep(5.0)
            case Strange():
                await self.strange(want, sight)

    def _throw(self, act: Act) -> None:
        """The cards that a player lets go of; where only their number was said, the last of the hand."""
        if act["do"] in OPENS:
            self.felt.opener = str(act["seat"])
        drawn, _, count = act["do"].partition("_")
        if act["do"] == "discard" or (drawn == "draw" and count.isdigit()):
            own = self.felt.of_seat(act["seat"])
            unnamed = own[-int(count) :] if count else []
            self.felt.throw(act["seat"], act.get("cards") or unnamed)

    async def strange(self, want: Strange, sight: Sight) -> None:
        """Something that these people have not learnt."""
        raise Stuck(f"nobody at this table knows what to do at {sight.prompt!r} ({want.said})")

    # Wagers

    async def _bet(self, want: Wagers, sight: Sight, *, may_deal: bool) -> None:
        if may_deal:
            # Before the first card of a poker hand: one player posts something, or nobody.
            for act in list(wagers(want, self.rng))[:1]:
                await self._try(act)
            return
        if self._bets_of != sight.round or self._tries > 3:
            self._bets_of = sight.round
            if want.bank:
                chips = self.rng.randrange(2000, 8001) if self.rng.random() < 0.8 else self.rng.randrange(0, 200)
                await self._try({"kind": "bank", "spots": [chips * CHIP]})
            for act in wagers(want, self.rng):
                await self.pause(0.5, 2.0)
                await self._try(act)
        await self.pause(0.5, 2.0)
        if want.may_close:
            await self._close_bets()

    async def _close_bets(self) -> None:
        panel, key = self.reach.panel, self.reach.keys.get("no_more_bets")
        if panel is not None and key is not None and panel.link.is_up and panel.link.is_released:
            panel.press(key)
            await panel.wait_taken()
        else:
            await self.say({"kind": "close_bets"})

    async def _try(self, act: Act) -> None:
        """Some requests the table refuses, with a reason; people go on."""
        try:
            await self.say(act)
        except TableSaidNo as no:
            self.refused = str(no)
        if self.reach.counts is not None and self.reach.shuffler is not None:
            # Some tables want the first stack as soon as there is one wager.
            wants = (await self.look()).wants
            await self.dealer.machine_deals(*(want for want in wants if isinstance(want, Card)))

    # Cards and dice

    async def _name(self, want: Reveal) -> None:
        """Cards that no reader knows: over the table's scanner where there is one, else at the console."""
        await self.pause(0.8, 2.0)
        cards = self.felt.named(want.owner, want.nth or tuple(range(1, want.count + 1)))
        reader = self.reader
        if reader is not None:
            for card in cards:
                reader.scan(card)
                await self.pause(0.4, 0.8)
            await self.clock.sleep(SETTLES_S)
        else:
            await self.say({"kind": "reveal", "owner": want.owner, "cards": cards})

    @property
    def reader(self) -> SimulatedCardReader | None:
        reader = self.reach.reader
        return reader if reader is not None and reader.usb.is_plugged else None

    async def _roll(self, want: Dice) -> None:
        await self.pause(1.0, 3.0)
        cup = self.reach.dice
        if cup is not None and cup.link.is_up:
            cup.throw()
            await cup.wait_taken()
        else:
            values = [self.rng.randint(1, 6) for _ in range(want.count)]
            await self.say({"kind": "dice", "values": values})

    # Between rounds

    def _doubts_shoe(self, sight: Sight) -> bool:
        """Nobody deals on from a shoe that an alarm is about: it is counted, and another is loaded."""
        is_over = sight.phase in ("settled", "waiting")
        return is_over and self.habits.lasts and any(alarm.startswith(SHOE_ALARM) for alarm in sight.alarms)

    def is_between_rounds(self, sight: Sight) -> bool:
        return sight.phase in ("settled", "waiting") or (sight.phase == "betting" and not self.felt.is_dealt)

    async def _prepare(self, sight: Sight) -> bool:
        """What dealer and floor do before a round; True where the table must be looked at again."""
        coming = sight.round + 1
        # Where wagers are being placed, the round may have begun with the first of them.
        if self._ready_for == coming or (sight.phase == "betting" and self._ready_for == sight.round):
            return False
        self._ready_for = coming
        if sight.round:
            await self.pause(5.0, 15.0)
        else:
            await self.pause(0.5, 1.5)  # no hand to clear away, and somebody may be waiting to see the first one
        self._pay_the_rest(sight)
        await self._counted()
        self.felt.clear()
        if not self.habits.lasts:
            # A void round was no turn of its deck.
            await self.dealer.load(same_deck=bool(sight.last.get("void")))
        sets = bool(self.button or self.habits.stakes.posts)
        if sets:
            await self.floor.set_table(self, sight)
        return not self.habits.lasts or sets

    # Fees

    async def _pay(self, want: Drop) -> None:
        """Chips for the fees go through the slots; where no sensor sees it, the dealer says so."""
        await self.pause(1.0, 3.0)
        seen = bool(self.reach.boxes)
        for box, cents in want.boxes.items():
            seen = self._pay_into(box, cents) and seen
        await self._counted()
        if seen:
            # The sensors are asked in turn; they report it within a second or two.
            if self.reach.counts is None:
                await self.clock.sleep(SENSED_S)
            if not any(isinstance(still, Drop) for still in (await self.look()).wants):
                return
        await self.say({"kind": "fees_in"})

    def _pay_into(self, box: str, cents: int) -> bool:
        """False where the fee is not in its box, whatever the dealer thinks."""
        self._paid[box] += cents
        pieces = max(1, -(-cents // self.habits.piece))
        others = sorted(set(self.reach.boxes) - {box})
        if box not in self.reach.boxes or self.clumsiness.happens("forgotten_fee"):
            return False
        if self.clumsiness.happens("late_drop"):
            self._late.append((box, pieces))
            return False
        wrong = bool(others) and self.clumsiness.happens("wrong_box")
        self.drop(self.rng.choice(others) if wrong else box, pieces)
        return not wrong

    def _pay_the_rest(self, sight: Sight) -> None:
        """Fees that nobody waited for go into their boxes when the round is over."""
        fees = sight.last.get("fees")
        for box, cents in fees.items() if isinstance(fees, dict) else ():
            if isinstance(cents, int) and cents > self._paid[box]:
                self._pay_into(box, cents - self._paid[box])
        self._paid.clear()

    def _drop_late(self) -> None:
        for box, pieces in self._late:
            self.drop(box, pieces)
        self._late.clear()

    def drop(self, box: str, pieces: int) -> None:
        """Chips through a slot; where time passes only while people wait for it, with the next `_counted`."""
        self.dropped[box] += pieces
        if self.reach.counts is None:
            self.reach.boxes[box].drop(pieces)
        else:
            self._in_hand.append((box, pieces))

    async def _counted(self) -> None:
        """Where time passes only while people wait for it, nothing else happens until the sensors have reported all.

        One box after the other: which of them is asked first is a matter of real time.
        """
        counts, in_hand = self.reach.counts, self._in_hand
        self._in_hand = []
        for box, pieces in in_hand:
            self.reach.boxes[box].drop(pieces)
            assert counts is not None
            await counts([box])
            # The scale has come to rest.
            await self.clock.sleep(SENSED_S)
            await counts([box])
