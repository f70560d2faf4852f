"""A table's procedures beside its rounds: what people report, what the floor decides, and what follows from it.

What may be reported is a `Happening` by one of the codes of procedures/rules.py, where the text of this table has the
procedure; anywhere else the same code is an irregularity like any other. What the floor decides is a `FloorAct` that
names a seat.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.amounts import dollars
from controller.engine.bets.hands import UNLIMITED
from controller.engine.cards.card import CARDS
from controller.engine.expect.want import Refusal
from controller.engine.expect.wants import WantCard
from controller.engine.inputs import AnyBody, BuyIn, CardOut, FloorAct, Happening, Input, ShoeStarted, StackOut, kind_of
from controller.engine.procedures.conduct import MINUTE, Absence, Bought, Burn, Conduct
from controller.engine.procedures.rules import (
    APPROVE_HANDS,
    AWAY,
    BACK,
    DEAD_SPREAD,
    DECK_CUT,
    FORFEIT,
    RELIEF,
    SHUFFLER_FAILURE,
)
from controller.engine.shoe import lifecycle
from controller.engine.table.bank import TableBank
from controller.engine.table.current_round import Shared
from controller.engine.table.devices.shoe import TableShoe

Report = Callable[[Input, Happening], list[ev.Event]]


class TableProcedures:
    """The procedures of one table."""

    def __init__(self, shared: Shared, shoe: TableShoe, bank: TableBank) -> None:
        self._rules, self._lasting, self._current = shared.rules, shared.lasting, shared.current
        self._shoe, self._bank = shoe, bank
        self._reports: dict[str, Report] = {
            RELIEF: self._relieved,
            DEAD_SPREAD: self._dead_spread,
            SHUFFLER_FAILURE: self._shuffler_failed,
            DECK_CUT: self._cut,
            AWAY: self._went_away,
            BACK: self._came_back,
        }

    @property
    def _conduct(self) -> Conduct:
        return self._lasting.state.conduct

    def _change(self, **fields: Any) -> None:
        self._lasting.change(conduct=replace(self._conduct, **fields))

    # What people report

    def report_of(self, code: str) -> Report | None:
        """What this table makes of a happening; None where it is no procedure of its text."""
        return self._reports[code] if code in self._rules.procedures.reports else None

    def _dead_spread(self, value: Input, body: Happening) -> list[ev.Event]:
        """Shuffle, load the shoe, burn, and leave the burned cards on the table until the game goes on (004: 231)."""
        if self._current.is_dealing:
            return _refused(body, "round_running", "finish or void the round first")
        if self._conduct.dead_spread:
            return _refused(body, "dead_spread_already", "the game has broken down already")
        events: list[ev.Event] = [ev.DeadSpread("shuffling")]
        shoe = self._lasting.state.shoe
        if shoe is not None and not shoe.is_over:
            self._lasting.change(shoe=replace(shoe, cut_card=True, hands_left=0))
            events.append(ev.ShoeEnded(shoe.number, len(shoe.history)))
        self._change(dead_spread="shuffling", burn=None)
        self._current.prepare()
        return events

    def shoe_started(self, value: Input) -> list[ev.Event]:
        """A shoe is loaded. After a dead spread cards are burned from it; what was to be burned from the last one is
        not."""
        assert type(value.body) is ShoeStarted
        before = self._lasting.state.shoe
        events = self._shoe.started(value)
        shoe = self._lasting.state.shoe
        if shoe is before or shoe is None or shoe.unfit:
            return events
        if self._conduct.dead_spread == "shuffling":
            burn = Burn(DEAD_SPREAD, self._rules.procedures.dead_spread_burn)
            self._change(burn=burn, dead_spread="spread")
            events.append(ev.BurnDue(burn.why, burn.cards))
        elif self._conduct.burn is not None:
            self._change(burn=None)
        self._current.prepare()
        return events

    def _relieved(self, value: Input, body: Happening) -> list[ev.Event]:
        return self.relieved(value.by)

    def relieved(self, by: str) -> list[ev.Event]:
        """Another dealer takes over; where the house burns cards then, once before the next hand."""
        conduct, shoe = self._conduct, self._lasting.state.shoe
        events: list[ev.Event] = [ev.DealerRelieved(by)]
        cards = self._rules.procedures.relief_burn
        if not cards or conduct.is_relieved or conduct.burn is not None or shoe is None or shoe.is_over:
            return events
        if not self._rules.game.uses_shoe:
            return events
        self._change(burn=Burn(RELIEF, cards), is_relieved=True)
        if not self._current.is_dealing:
            self._current.prepare()
        return [*events, ev.BurnDue(RELIEF, cards)]

    def _shuffler_failed(self, value: Input, body: Happening) -> list[ev.Event]:
        """The hand goes on; what the machine had ready is not dealt, and the dealer shuffles."""
        follows = self._rules.procedures.shuffler_failure
        assert follows != "as_ruled"
        lasting, dealing = self._lasting, self._current.is_dealing
        events: list[ev.Event] = [ev.ShufflerFailed(follows, value.by)]
        ready = lasting.state.packs.ready
        if ready is not None and ready.device:
            lasting.change(packs=replace(lasting.state.packs, ready=None))
            events.append(ev.PackUnfit("the shuffling machine does not work; shuffle it by hand", value.by, ready.back))
        shoe = lasting.state.shoe
        if follows == "reshuffle" and self._rules.game.uses_shoe and shoe is not None and not shoe.is_over:
            lasting.change(shoe=replace(shoe, cut_card=True, hands_left=int(dealing)))
            if not dealing:
                events.append(ev.ShoeEnded(shoe.number, len(shoe.history)))
        if not dealing:
            self._current.prepare()
        return events

    def _cut(self, value: Input, body: Happening) -> list[ev.Event]:
        """A cut too near the top or the bottom is made again (002: 839-842)."""
        current, least = self._current.round, self._rules.procedures.cut_least
        if current is not None and current.begun and current.table.left:
            return _refused(body, "cards_are_out", "the deck is cut before the first card leaves it")
        cards = self._rules.cards_in_pack or 0
        count, below = body.facts.get("count", body.facts.get("from_top")), body.facts.get("from_bottom")
        if count is None and isinstance(below, int):
            count = cards - below
        if isinstance(count, int) and not least <= count <= cards - least:
            text = f"cut again: at least {least} cards from the top and from the bottom of {cards}"
            return [ev.Refused("happening", "cut_too_near_the_end", text, {"min": least, "max": cards - least})]
        return [ev.DeckCut(value.by, count if isinstance(count, int) else None)]

    # Absence

    def _went_away(self, value: Input, body: Happening) -> list[ev.Event]:
        minutes = self._rules.procedures.away_minutes
        assert minutes is not None
        if body.seat is None or body.seat not in self._taken:
            return _refused(body, "no_such_seat", "name the seat of the player")
        if str(body.seat) in self._conduct.away:
            return _refused(body, "away_already", f"seat {body.seat} is away already")
        self._change(away={**self._conduct.away, str(body.seat): Absence(value.at)})
        return [ev.PlayerAway(body.seat, minutes)]

    def _came_back(self, value: Input, body: Happening) -> list[ev.Event]:
        absence = self._conduct.away.get(str(body.seat))
        if absence is None or body.seat is None:
            return _refused(body, "not_away", "name the seat of a player who is away")
        self._stay(body.seat)
        return [ev.PlayerBack(body.seat, absence.minutes(value.at))]

    def _stay(self, seat: int) -> None:
        self._change(away={other: absence for other, absence in self._conduct.away.items() if other != str(seat)})

    @property
    def _taken(self) -> set[int]:
        setup = self._lasting.state.setup
        return {*setup.seats, *(() if setup.player_dealer is None else (setup.player_dealer,))}

    def by_the_clock(self) -> list[ev.Event]:
        """Players whose time is over, each reported once."""
        minutes = self._rules.procedures.away_minutes
        if minutes is None or self._conduct.is_quiet:
            return []
        over = {
            seat: replace(absence, is_over=True)
            for seat, absence in self._conduct.away.items()
            if not absence.is_over and self._lasting.now > absence.since + minutes * MINUTE
        }
        if not over:
            return []
        self._change(away=self._conduct.away | over)
        return [ev.AwayTimeOver(int(seat), minutes) for seat in over]

    def next_look(self) -> int | None:
        """When the first player's time is over."""
        minutes = self._rules.procedures.away_minutes
        if minutes is None:
            return None
        ends = [absence.since + minutes * MINUTE + 1 for absence in self._conduct.away.values() if not absence.is_over]
        return min(ends, default=None)

    # What the floor decides

    def decided(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is FloorAct
        seat = body.seat
        if seat is None or seat not in self._taken:
            return _refused(body, "no_such_seat", f"{body.do.replace('_', ' ')}: name the seat of a player")
        if body.do == FORFEIT:
            return self._forfeit(value, body, seat)
        if body.do == APPROVE_HANDS:
            return self._limit_hands(value, body, seat, None)
        return self._give_up(value, body, seat)

    def _forfeit(self, value: Input, body: FloorAct, seat: int) -> list[ev.Event]:
        """A player who was away too long may forfeit his seat (001: 760, 837)."""
        absence, minutes = self._conduct.away.get(str(seat)), self._rules.procedures.away_minutes
        if absence is None or minutes is None:
            return _refused(
                body, "not_away", f"seat {seat} is not away; only a player who is away too long loses his seat"
            )
        if not absence.is_over:
            left = minutes - absence.minutes(value.at)
            return _refused(body, "time_not_over", f"seat {seat} may be away for {minutes} minutes, {left} are left")
        if self._current.is_dealing:
            return _refused(body, "round_running", "a seat is taken away between rounds only")
        setup = self._lasting.state.setup
        was_banker = setup.player_dealer == seat
        setup = replace(
            setup,
            seats=tuple(other for other in setup.seats if other != seat),
            player_dealer=None if was_banker else setup.player_dealer,
        )
        self._lasting.change(setup=setup)
        self._lasting.forget_players({seat})
        events = self._bank.set_to(None, value.by) if was_banker else []
        self._current.prepare()
        forfeited = ev.SeatForfeited(seat, absence.minutes(value.at), value.by, body.reason)
        return [forfeited, *events, ev.TableSetTo(setup.seats, setup.player_dealer, setup.button)]

    def _give_up(self, value: Input, body: FloorAct, seat: int) -> list[ev.Event]:
        """On a full table a player gives up some of his hands (004: 195)."""
        printed = self._rules.procedures
        if printed.hands_each is None or not printed.hands_given_up:
            return _refused(body, "not_printed", "the rules of this game do not make a player give up hands")
        if self._current.is_dealing and not self._bets_are_open:
            return _refused(body, "bets_closed", "hands are given up before the deal")
        return self._limit_hands(value, body, seat, printed.hands_each - printed.hands_given_up)

    @property
    def _bets_are_open(self) -> bool:
        current = self._current.round
        return current is not None and current.table.bets_open

    def _limit_hands(self, value: Input, body: FloorAct, seat: int, hands: int | None) -> list[ev.Event]:
        if self._rules.procedures.hands_each is None:
            return _refused(body, "not_printed", "the rules of this game do not limit the hands of a player")
        self._change(hands={**self._conduct.hands, str(seat): UNLIMITED if hands is None else hands})
        events: list[ev.Event] = []
        given_up: tuple[Any, ...] = ()
        current = self._current.round
        if current is not None and current.begun:
            limits = self._rules.hand_limits(self._lasting.state)
            assert limits is not None
            if current.table.bets_open:
                given_up = tuple(current.table.wagers.limit_hands(limits, seat))
                current.send(None)
                events = current.table.take_events()
        else:
            self._current.prepare()
        return [ev.HandsAllowed(seat, hands, value.by, body.reason, given_up), *events]

    # Buy-ins

    def bought_in(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is BuyIn
        setup = self._lasting.state.setup
        if not self._rules.has_stacks:
            return _refused(body, "no_stacks", "this game is not played with stacks")
        if self._current.is_dealing:
            text = "chips are put in front between two hands: only what was there when the cards came plays"
            return _refused(body, "hand_running", text)
        if body.seat not in setup.seats:
            return _refused(body, "no_such_seat", f"seat {body.seat} is not in the game")
        stacks = {str(seat): int(cents) for seat, cents in (setup.settings.get("stacks") or {}).items()}
        seat, has = str(body.seat), stacks.get(str(body.seat), 0)
        bought = self._conduct.bought.get(seat, Bought(full=1 if has else 0))
        refusal, is_short = self._judge_buy_in(body, bought)
        if refusal is not None:
            return [ev.Refused(kind_of(body), refusal.why, refusal.text, refusal.bounds)]
        bought = replace(bought, short=bought.short + 1) if is_short else replace(bought, full=bought.full + 1)
        self._change(bought={**self._conduct.bought, seat: bought})
        stacks[seat] = has + body.cents
        settings = {**setup.settings, "stacks": stacks}
        if settings.get("short_blind") == body.seat:
            # Who had less than half a blind and buys in again owes it (000: 224).
            settings = {**settings, "owes_blind": body.seat, "short_blind": None}
        self._lasting.change(setup=replace(setup, settings=settings))
        self._current.prepare()
        return [ev.BoughtIn(body.seat, body.cents, "short" if is_short else "full", stacks[seat])]

    def _judge_buy_in(self, body: BuyIn, bought: Bought) -> tuple[Refusal | None, bool]:
        """Why these chips cannot be put in front, and whether they are a short re-buy."""
        printed = self._rules.game.buy_ins(self._rules.options)
        if printed is None:
            refusal = None if body.cents else Refusal("below_buy_in", "say how much", {"min_cents": 1})
            return refusal, False
        if body.cents >= printed.full:
            return None, False
        if not bought.full:
            text = f"the buy-in is {dollars(printed.full)} or more"
            return Refusal("below_buy_in", text, {"min_cents": printed.full}), False
        if bought.short >= printed.shorts:
            text = f"seat {body.seat} has had its short re-buy; the next is {dollars(printed.full)} or more"
            return Refusal("short_rebuy_used", text, {"min_cents": printed.full}), True
        if body.cents < printed.short:
            text = f"a short re-buy is {dollars(printed.short)} or more"
            return Refusal("below_short_rebuy", text, {"min_cents": printed.short}), True
        return None, True

    # Burns between two hands, and rounds

    def burn(self, body: AnyBody) -> list[ev.Event] | None:
        """A card that is burned between two hands; None where none is awaited."""
        burn = self._conduct.burn
        match body:
            case CardOut(locked=False):
                codes: tuple[str | None, ...] = (body.card,)
            case StackOut():
                codes = body.cards
            case _:
                return None
        if burn is None or len(codes) != 1:
            return None
        if not any(type(want) is WantCard for want in self._current.expectation.wants):
            return None
        code = codes[0] if codes[0] in CARDS else None
        lasting, state = self._lasting, self._lasting.state
        assert state.shoe is not None
        shoe = lifecycle.burned(
            state.shoe, code, round=state.rounds, deck=self._rules.deck, earlier=state.earlier_shoes
        )
        lasting.change(shoe=shoe)
        done = burn.done + 1
        is_done = done == burn.cards
        self._change(burn=None if is_done else replace(burn, done=done))
        events: list[ev.Event] = [ev.CardBurned(), *self._shoe.doubts()]
        if is_done and burn.why == DEAD_SPREAD:
            events.append(ev.DeadSpread("spread"))
        self._current.prepare()
        return events

    def round_begins(self) -> list[ev.Event]:
        """A hand begins: a dead spread is over, and the next dealer is another one."""
        conduct = self._conduct
        if not (conduct.dead_spread or conduct.is_relieved):
            return []
        self._change(dead_spread="", is_relieved=False)
        return [ev.DeadSpread("over")] if conduct.dead_spread else []


def _refused(body: AnyBody, why: str, text: str) -> list[ev.Event]:
    return [ev.Refused(kind_of(body), why, text)]
