"""One worked round at its table: answers whatever the engine expects from the case's cards and acts.

It knows no game. A card comes from `cards`, a person's act from `acts`; an event happens when the acts before it are
done and `after_cards` cards have left the deck, or, where it does not say, when the table next waits for a person.
Cards of a street that was dealt too early leave with their event, also where it counts them as out already.

An event that is written with its card (`{card, event}`) happens when the table takes the card. A card that nobody waits
for, a fourth one on the flop, leaves the deck with its event instead (`Surplus`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from msgspec import Struct

from controller.cases.acts import (
    ASKS_WHERE,
    BEFORE_DEAL,
    BETS_CLOSED,
    CHANGES_BETS,
    CHOSEN,
    CLOSES_BETS,
    DECLINES,
    FLOOR_AT_ANY_TIME,
    LAYS_DOWN,
    NOBODY_IN,
    PASSED_OVER,
    PERSONS_PART,
    PLAYS_ON,
    SHOWDOWN,
    UNINSURED,
    VOIDS,
    CaseAct,
    NumberedAct,
    event_of,
    is_beside_the_deal,
    may_come_late,
    of_player_dealer,
    waits_for,
)
from controller.cases.at_table import BUTTON, AtTable, Stuck, is_anywhere
from controller.cases.case_deck import CaseDeck
from controller.cases.notation import Case, at_its_place, body_of, listed
from controller.engine import events as ev
from controller.engine.expect.choices import WantDecision
from controller.engine.expect.expectation import Expectation, judge, prompt
from controller.engine.expect.wants import AnyWant, WantCard, WantDice, WantFloor, WantReveal, WantWagers
from controller.engine.inputs import (
    Act,
    AnyBody,
    BetsClosed,
    CardOut,
    DiceRolled,
    FloorAct,
    Happening,
    Revealed,
    WagerPlaced,
    seat_of,
)
from controller.engine.round.felt import BURN
from controller.rules import Ruleset


class Surplus(NamedTuple):
    """Cards that leave the deck with an event, and nobody waits for them: the one that has it, and those before it,
    as the burn of a turn that came too early."""

    out: int
    """How many cards are out before them."""
    done: int
    """How many acts are done."""
    last: int
    """Which card of the case has the event."""


class CaseRun(AtTable):
    """One table, fed from a case."""

    def __init__(
        self,
        ruleset: Ruleset,
        case: Case,
        options: Struct | None = None,
        unasked: frozenset[int] = frozenset(),
        acts: Sequence[NumberedAct] | None = None,
        *,
        surplus: Sequence[Surplus] = (),
        unread: int | None = None,
        face_down: bool = False,
    ) -> None:
        super().__init__(ruleset, case, options)
        self.unasked = unasked
        self.face_down: dict[str, list[str]] | None = {} if face_down else None
        """Cards by owner that no reader saw: the table waits until they are named."""
        self.surplus = {(cards.out, cards.done): cards.last for cards in surplus}
        self.moments: list[tuple[int, int]] = []
        """How many cards were out and how many acts done whenever the table waited for something."""
        self.unruled: int | None = None
        """The first card whose event the room did not rule when it came."""
        self.unread = unread
        """The card that is named when the table asks for it, after what happens with it: see `card_of_late_event`."""
        self.ended_by: int | None = None
        """The card that ended the round."""
        self._event_ignored = False
        self._unnamed: list[str] = []
        self.too_early: set[int] = set()
        self.reordered = acts is not None
        """The acts come in another order than the case has them: see `acts_with_late_events_first`."""
        self.deck = CaseDeck(case.get("cards") or ())
        banker = (case.get("table") or {}).get("player_dealer")
        given = enumerate(of_player_dealer(at_its_place(act), banker) for act in case.get("acts") or ())
        self.acts: deque[NumberedAct] = deque(given if acts is None else acts)
        """Each with its index in the case."""
        self.done: list[NumberedAct] = []
        self.wagers = [
            WagerPlaced(place if isinstance(place, int) else str(place), wager, cents)
            for place, placed in (case.get("wagers") or {}).items()
            for wager, cents in placed.items()
        ]
        self.card_came_last = False
        """Nobody has done anything since the last card left."""
        self.refused_unasked: set[int] = set()
        """Acts that were refused while somebody else was asked."""
        self._unasked: WantDecision | None = None
        """What the seat could do that the table last did not ask, since nobody was left to bet against."""
        self._to_be_refused = {entry.get("act") for entry in case["expect"].get("refused") or ()}
        self._dice_left = 1 if "dice" in case else 0

    def run(self, *, stop_after_acts: bool = False, is_last: bool = True) -> None:
        """Play one round to its end, or until the acts are used up; what is not done in the last one is left over."""
        before = self.engine.last
        assert self._wants, "a table always waits for something"
        while self.engine.last is before:
            if not self.wagers:
                self.moments.append((self.deck.out, len(self.done)))
            if not self.acts and not self.wagers and (stop_after_acts or self._is_held()) and not self._goes_on():
                self._close_bets_to_see_who_plays()
                return
            self._step()
            while self.acts and (self.acts[0][1].get("seat"), self.acts[0][1].get("do")) in self.followed:
                self.acts.popleft()
        while self.acts and (self._is_of_a_dead_hand(self.acts[0][1]) or self._is_ignored(*self.acts[0])):
            self.acts.popleft()
        while self.acts and self._is_found_already(self.acts[0][1]):
            self.acts.popleft()
        while self.acts and self._comes_after_a_deal_to_nobody(self.acts[0][1]):
            self.refused.append({"act": self.acts.popleft()[0], "why": BETS_CLOSED})
        if self.voids_before_last_act():
            return
        if self.acts and is_last:
            raise Stuck(f"acts left over when the round was over: {[dict(act) for _, act in self.acts]}")

    def voids_before_last_act(self) -> bool:
        """A late event has voided the round before the act that had ended it."""
        return len(self.acts) == 1 and self.reordered and self.document()["void"] is True

    def card_of_late_event(self) -> int | None:
        """The card that ended the round, where something happened with it: an engine that has read every card settles
        at once when nobody can bet any more. A table that has not read it waits for its name."""
        late = bool(self.acts) and "event" in self.acts[0][1]
        return self.ended_by if late or self._event_ignored else None

    def acts_with_late_events_first(self) -> list[NumberedAct] | None:
        """The acts once more, where events come after the act that ended the round: an engine that has read
        every card compares and settles at once, people one hand after the other. They come before that act, and it is
        left out where the same person then does the same anew; the floor's void, or what happens once a number of
        cards are out, where a card ended the round, before that card. None where nothing comes so late."""
        late = list(takewhile(may_come_late, self.acts))
        if self.engine.last is None or not late:
            return None
        index, first = late[0]
        counts_cards = self.card_came_last and ("floor" in first or "after_cards" in first)
        if counts_cards and int(first.get("after_cards", 0)) >= self.deck.out:
            return [*self.done, (index, {**first, "after_cards": self.deck.out - 1}), *list(self.acts)[1:]]
        if not self.done or "do" not in self.done[-1][1]:
            return None
        last, rest = self.done[-1], list(self.acts)[len(late) :]
        anew = bool(rest) and all(rest[0][1].get(key) == last[1].get(key) for key in ("seat", "do"))
        return [*self.done[:-1], *late, *([] if anew else [last]), *rest]

    def _close_bets_to_see_who_plays(self) -> None:
        """Who is dealt in is known when nobody bets any more, announced or not."""
        if "dealt_in" in (self.case["expect"].get("more") or {}) and isinstance(self._wants[0], WantWagers):
            self._feed(BetsClosed())

    def _goes_on(self) -> bool:
        """A case that asks for the phase, or whose turn it is, is dealt as far as its cards reach; so is one
        in which nobody does anything."""
        expect = self.case["expect"]
        asks = not ASKS_WHERE.isdisjoint({*expect, *(expect.get("more") or {})})
        dealing = bool(self.deck) and waits_for(self._wants, WantCard | WantWagers)
        rolling = self._dice_left > 0 and waits_for(self._wants, WantDice)
        if not self._is_held() and (nth := self.deck.next_event()) is not None:
            return dealing or rolling or nth == self.deck.out or (self.deck.out, len(self.done)) in self.surplus
        return (asks or not self.case.get("acts")) and (dealing or rolling)

    def _is_of_a_dead_hand(self, act: CaseAct) -> bool:
        """A hand that a ruling has killed is laid open or thrown away: nobody asks for it, and it changes nothing."""
        ruled = self.document()["more"].get("ruled") or {}
        return act.get("do") in LAYS_DOWN and act.get("seat") in ruled

    def _is_found_already(self, act: CaseAct) -> bool:
        """What people would find now, the engine has found itself when the last hand but one was folded."""
        if "event" not in act:
            return False
        document = self.document()
        is_ruled = any(code.startswith(f"{event_of(act)}_") for code in document["ruling"])
        return is_ruled and act.get("seat") in (document["more"].get("dead_hands") or {})

    def _comes_after_a_deal_to_nobody(self, act: CaseAct) -> bool:
        """Bets were closed with no seat in the round, which was over at once: what is offered then is too late."""
        return act.get("do") in CHANGES_BETS and NOBODY_IN in self.document()["ruling"]

    def _is_ignored(self, index: int, act: CaseAct) -> bool:
        """A seat that has nobody left to bet against is not asked: its act changes nothing where it puts
        no money in, or a forced bet that comes straight back."""
        seat, current = act.get("seat"), self.engine.round
        if "do" not in act or seat in self._asked or index in self._to_be_refused:
            return False
        is_over = current is None or not current.begun
        if current is not None and not is_over:
            self._unasked = self.engine.game.unasked(current.table)
        want = self._unasked
        if want is None or want.seat != seat:
            return False
        if is_over and act["do"] == "check":
            return True  # the last round of betting was over with the last card
        choice = next((choice for choice in want.choices if choice.do == act["do"]), None)
        if choice is None or judge(Expectation((want,)), body_of(act, ())) is not None:
            return False
        if choice.do == "bring_in":
            self.came_back[seat] = act.get("to") or (choice.to_one_of or choice.to or (0,))[0]
        return True

    def _step(self) -> None:
        wants = self._wants
        if opened := self._opened(wants[0]):
            return self._accepted(opened)
        if self.acts and self._is_ignored(*self.acts[0]):
            return self.done.append(self.acts.popleft())
        waits_for_person = waits_for(wants, PERSONS_PART)
        if self.unasked and isinstance(wants[0], WantDecision) and self._has_one_choice(wants[0]):
            return self._accepted(Act(wants[0].seat, wants[0].choices[0].do))
        if named := self._named_by_next_act(wants[0]):
            return self._accepted(named)
        if isinstance(wants[0], WantDecision) and (same := self._follows_its_seat(wants[0])):
            return self._accepted(Act(wants[0].seat, same))
        if isinstance(wants[0], WantDecision) and (unsaid := self._lets_pass(wants[0])):
            return self._accepted(Act(wants[0].seat, unsaid))
        if not self.wagers and (last := self.surplus.pop((self.deck.out, len(self.done)), None)) is not None:
            return self._leave_with_event(last)
        if self.acts and self._is_due(self.acts[0][1], waits_for_person):
            self._report_who_was_passed_over()
            return self._do_next()
        for want in wants:
            match want:
                case WantWagers() if self.wagers or not self._deals_beside(wants):
                    return self._bet()
                case WantDice() if self._dice_left:
                    self._dice_left -= 1
                    return self._accepted(DiceRolled(tuple(self.case["dice"])))
                case WantCard() if self.deck:
                    return self._card()
                case WantReveal() if len(self._unnamed) == want.count:
                    return self._accepted(Revealed(want.owner, (self._unnamed.pop(),)))
                case WantFloor() if is_anywhere(want) and not any("floor" in act for _, act in self.acts):
                    return self._accepted(FloorAct(BUTTON, seat=want.seats[0]))
        if self.acts and self.acts[0][1].get("floor") == VOIDS and not self.deck:
            return self._do_next()
        if not waits_for(wants, WantCard) and not self._is_held() and (nth := self.deck.next_event()) is not None:
            return self._leave_with_event(nth)
        if self.acts and "event" in self.acts[0][1] and not waits_for(wants, WantCard):
            # The table waits for no card: those that the event counts as out leave the deck with it.
            return self._do_next()
        if not self.case.get("cards") and waits_for(wants, WantCard):
            # A case that names no card at all is about a table that reads none.
            return self._accepted(CardOut(None))
        if self.acts and "event" in self.acts[0][1] and not self.deck:
            # The case has no card more: this happens before the next one leaves the deck.
            return self._do_next()
        if isinstance(wants[0], WantDecision) and self._shows_unasked(wants[0]):
            return self._accepted(Act(wants[0].seat, "show"))
        raise Stuck(f"the table waits: {prompt(self.engine.expectation)}; the case has nothing for it")

    def _opened(self, want: AnyWant) -> Revealed | None:
        """Cards that lie face down, where the table cannot go on without them to the next act."""
        if not self.face_down or type(want) is not WantReveal or not any("do" in act for _, act in self.acts):
            return None
        hand = self.face_down[want.owner]
        return Revealed(want.owner, tuple(hand[nth - 1] for nth in want.nth))

    def _named_by_next_act(self, want: AnyWant) -> Revealed | None:
        """Where a case names no card, the card that somebody drew is the one he throws away next."""
        if type(want) is not WantReveal or self.case.get("cards") or not self.acts:
            return None
        cards = self.acts[0][1].get("cards") if "do" in self.acts[0][1] else None
        return Revealed(want.owner, tuple(map(str, cards))) if cards and len(cards) == want.count else None

    def _is_offered(self, act: CaseAct) -> bool:
        return act["do"] in self._choices_of(act.get("seat"))

    def _shows_unasked(self, want: WantDecision) -> bool:
        """A case that ends with the betting need not write that hands are shown: cards speak. Nor that the last hand is
        shown, after all before it were thrown away."""
        offered = {choice.do for choice in want.choices}
        return not self.acts and "show" in offered and offered <= SHOWDOWN

    def _follows_its_seat(self, want: WantDecision) -> str:
        """A bettor behind a seat who decides for himself, where the case has no act of his: he does as the seat did,
        and takes no insurance."""
        if not isinstance(want.seat, str) or any(act.get("seat") == want.seat for _, act in self.acts):
            return ""
        seat, offered = seat_of(want.seat), {choice.do for choice in want.choices}
        if UNINSURED in offered:
            return UNINSURED
        done = [act["do"] for _, act in self.done if act.get("seat") == seat and act.get("do") in offered]
        return done[-1] if done else ""

    def _lets_pass(self, want: WantDecision) -> str:
        """What the seat does where the case does not write it: it may surrender before its turn, or stand aside."""
        offered = [choice.do for choice in want.choices]
        written = [act for _, act in self.acts if act.get("seat") == want.seat and act.get("do") in offered]
        if DECLINES in offered:
            return "" if written and written[0] is self.acts[0][1] else DECLINES
        goes_on = bool(self.acts) and "do" in self.acts[0][1]
        return PLAYS_ON if PLAYS_ON in offered and goes_on and not written else ""

    def _has_one_choice(self, want: WantDecision) -> bool:
        """One choice is left, and the case does not try another one now."""
        if len(want.choices) > 1:
            return False
        tries = self.acts and self.acts[0][0] in self.unasked and self.acts[0][1].get("seat") == want.seat
        return not tries

    def _is_due(self, act: CaseAct, waits_for_person: bool) -> bool:
        if self.acts[0][0] in self.too_early and waits_for(self._wants, WantWagers):
            return False
        if "after_cards" in act:
            return self.deck.out >= int(act["after_cards"]) and not self.wagers
        if act.get("do") in CHANGES_BETS or self._asks_burn(act):
            return not self.wagers
        if event_of(act) in BEFORE_DEAL:
            return not self.wagers
        if not waits_for_person:
            return False
        wants = self._wants
        if not self.wagers and (self._is_post(act) or self._is_choice(act)):
            return True
        if is_beside_the_deal(wants):
            return "do" in act and self._is_offered(act)
        if act.get("floor", "void") not in FLOOR_AT_ANY_TIME:
            return any(isinstance(want, WantFloor) and act["floor"] in want.choices for want in wants)
        if "do" in act and self._dice_left and waits_for(wants, WantDice):
            return False
        betting = waits_for(wants, WantWagers)
        if betting and "do" in act and not self.wagers and waits_for(wants, WantDecision):
            # A veto that is offered beside the first card is nothing to wait for.
            return self._is_offered(act) or not waits_for(wants, WantCard)
        if betting and self.deck and act.get("floor") == VOIDS:
            return False  # the round that it voids has cards
        if betting:
            ready_to_deal = waits_for(wants, WantCard)
            return not self.wagers and not ready_to_deal and ("event" in act or "floor" in act)
        return True

    def _asks_burn(self, act: CaseAct) -> bool:
        """The player-dealer asks for a burn before the deal, where the text has one."""
        burns = any(isinstance(want, WantCard) and want.to == BURN for want in self._wants)
        return act.get("do") == BURN and not burns and bool(self.engine.rules.procedures.player_dealer_burn)

    def _is_post(self, act: CaseAct) -> bool:
        """A player's own post, written as an act: a straddle, a kill. There is no other moment for it."""
        open_now = (want for want in self._wants if isinstance(want, WantWagers) and not want.bank)
        return any(rule.id == act.get("do") for want in open_now for rule in want.rules)

    def _is_choice(self, act: CaseAct) -> bool:
        chosen = CHOSEN.get(event_of(act))
        asked = (want for want in self._wants if isinstance(want, WantDecision))
        return any(choice.do == chosen for want in asked for choice in want.choices)

    def _deals_beside(self, wants: Sequence[AnyWant]) -> bool:
        """Wagers may still be placed beside the deal: nobody need announce that there are no more."""
        beside = [want for want in wants if not isinstance(want, WantWagers)]
        banked = any(isinstance(want, WantWagers) and want.bank for want in wants)
        dealt = waits_for(beside, WantCard)
        return banked and (dealt or (self._dice_left > 0 and waits_for(beside, WantDice)))

    def _bet(self) -> None:
        """Wagers before the deal in any order that the table takes, then "no more bets"."""
        if not self.wagers:
            return self._accepted(BetsClosed())
        why: list[str] = []
        for wager in self.wagers:
            refusal = self._refusal(self._feed(wager))
            if refusal is None:
                self.wagers.remove(wager)
                return None
            why.append(f"{wager.place}.{wager.wager} of {wager.cents} cents: {refusal.why}: {refusal.text}")
        raise Stuck(f"wagers refused before the deal: {'; '.join(why)}")

    def _card(self) -> None:
        entry = self.deck.take()
        self.card_came_last = True
        code, event, before = str(entry.pop("card")), entry.pop("event", None), self.engine.last
        if is_unread := self.deck.out - 1 == self.unread:
            self._unnamed.append(code)
        is_read = self.face_down is None and not is_unread
        dealt = [e.to for e in self._feed(CardOut(code if is_read else None)) if isinstance(e, ev.CardDealt)]
        if self.face_down is not None and dealt:
            self.face_down.setdefault(dealt[0], []).append(code)
        if self.engine.last is not before:
            self.ended_by, self._event_ignored = self.deck.out - 1, event is not None
        if event is not None:
            seat = entry.pop("seat", self._seat_of_owner(dealt[0]) if dealt else None)
            self._report(Happening(event, seat, code, facts=entry), self.deck.out - 1)

    def _leave_with_event(self, last: int) -> None:
        """The cards up to this one leave the deck with its event."""
        event, leaving = self.deck.take_with_event(last)
        code, seat = str(event.pop("event")).replace(".", "_"), event.pop("seat", None)
        self._report(Happening(code, seat, None, tuple(leaving), event), last)

    def _report(self, happening: Happening, last: int) -> None:
        """What happens with a card; the room may have no ruling for it at this moment."""
        was_held = self._is_held()
        self._feed(happening)
        if not was_held and self._is_held() and self.unruled is None:
            self.unruled = last

    def _seat_of_owner(self, owner: str) -> int | None:
        if owner == "player_dealer":
            return self.engine.state.setup.player_dealer
        return int(owner) if owner.isdigit() else None

    def _report_who_was_passed_over(self) -> None:
        """Before the acts of the player who was served instead."""
        acts = list(self.acts)
        served = list(
            takewhile(lambda entry: "do" in entry[1] and entry[1].get("seat") == acts[0][1].get("seat"), acts)
        )
        if not served or len(served) == len(acts) or acts[0][1].get("seat") in self._asked:
            return
        index, act = acts[len(served)]
        if event_of(act) == PASSED_OVER and act.get("seat") in self._asked:
            at_once = {key: value for key, value in act.items() if key != "after_cards"}
            self.acts = deque([(index, at_once), *served, *acts[len(served) + 1 :]])

    def _do_next(self) -> None:
        self.done.append(self.acts.popleft())
        self.card_came_last = False
        self._do(*self.done[-1])

    def _do(self, index: int, act: CaseAct) -> None:
        if event_of(act) == "cards_dealt":
            # Only marks how far the deal has come.
            return
        self._note_offer(index, act)
        betting = waits_for(self._wants, WantWagers)
        events = self._feed(self._body(act))
        refusal = self._refusal(events)
        if refusal is not None and "event" in act and betting and self.deck:
            # It is about cards, and none lie there yet: it happens once they do.
            self.too_early.add(index)
            self.acts.appendleft(self.done.pop())
        elif refusal is not None and not self._is_of_a_dead_hand(act):
            self.refused.append({"act": index, "why": refusal.why})
            if "seat" in act and act["seat"] not in self._asked:
                self.refused_unasked.add(index)
            self.legal_after_refusal = listed(self._choices_of(act.get("seat")))
            owed = self.document()["more"].get("to_call")
            if isinstance(owed, dict) and act.get("seat") in owed:
                self.owed[act["seat"]] = owed[act["seat"]]
            if refusal.bounds:
                self.bounds.append({"act": index, **refusal.bounds})
            if refusal.bounds.get("equals_cents"):
                self.required[f"required_{act['wager']}"] = refusal.bounds["equals_cents"]

    def _body(self, act: CaseAct) -> AnyBody:
        if "event" not in act:
            return body_of(act, self._wants)
        rest = {key: value for key, value in act.items() if key not in ("event", "after_cards")}
        code = event_of(act)
        if code in CLOSES_BETS:
            return BetsClosed()
        # What has left the deck with an event that names no cards, where the table waits for none.
        counted = [] if waits_for(self._wants, WantCard) else self.deck.until(int(act.get("after_cards", 0)))
        cards = tuple(str(card) for card in rest.pop("cards", counted))
        if leaving := self.deck.take_named(cards):
            # The first of them may have been dealt as the table wanted it: two hit cards, one of which is in the hand.
            cards = tuple(leaving)
        card, seat = rest.pop("card", None), rest.pop("seat", None)
        if seat == "player_dealer":
            seat = self._seat_of_owner(seat)
        return Happening(code, seat, None if card is None else str(card), cards, rest)
