"""The player-dealer's position as buttons: who banks next, and who sits where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from controller.engine.expect.bank import RESUME, WantBank
from controller.engine.expect.want import title
from controller.engine.inputs import Place
from controller.operator.offers.offer import MOST_SEATS, Ask, Offer, Pick
from controller.operator.roles import Right

ANSWER = "bank_answer"


def bank_offers(want: WantBank) -> Iterator[Offer]:
    """The answers to the offer: one tap for who takes it, one for several who decline, one for nobody."""
    yield from _takers(want)
    if want.unasked:
        asked = Ask("declined", "seats", "Who declined", picks=_picks(want.unasked), given=[])
        yield Offer("bank:declined", "Declined", Right.SEAT, {"kind": ANSWER}, asks=(asked,))
    if want.may_be_nobody:
        nobody, sure = "Nobody takes it", _when_nobody(want)
        yield Offer("bank:nobody", nobody, Right.SEAT, {"kind": ANSWER}, sure=sure)
    if want.is_broken and want.may_resume:
        why = Ask("reason", "text", "Why, and after what time")
        body = {"kind": "floor", "do": RESUME}
        yield Offer("floor:resume", "Resume after a reasonable time", Right.HOLD, body, "floor", asks=(why,))


def passing_on(want: WantBank) -> Offer:
    """The player-dealer gives the position up before it is due."""
    takes = Ask("takes", "pick", "Who banks", picks=_picks(want.offered))
    declined = Ask("declined", "seats", "Who declined it before", picks=_picks(want.offered), given=[])
    return Offer("bank:pass", "Pass the bank on", Right.SEAT, {"kind": ANSWER}, "table", asks=(takes, declined))


def _takers(want: WantBank) -> Iterator[Offer]:
    """Who may take the position; with it, those before him in the order declined."""
    if want.any_seat:
        others = [seat for seat in range(1, MOST_SEATS + 1) if seat != want.holder]
        seat = Ask("takes", "pick", "Who banks", picks=_picks(others))
        yield Offer("bank:takes", "Who banks", Right.SEAT, {"kind": ANSWER}, asks=(seat,))
        return
    for place in want.offered:
        passed = [other for other in want.before(place) if other not in want.declined]
        body: dict[str, Any] = {"kind": ANSWER, "takes": place} | ({"declined": passed} if passed else {})
        yield Offer(f"bank:{place}", f"{_title(place)} banks", Right.SEAT, body)


def person_offer(places: Iterable[Place]) -> Offer:
    """Who sits here: name or badge, and the firm he acts for."""
    asks = (
        Ask("place", "pick", "Which seat", picks=_picks(places)),
        Ask("name", "code", "Name", given=""),
        Ask("badge", "code", "Badge", given=""),
        Ask("firm", "code", "Firm, of a third-party bank", given=""),
        Ask(
            "another", "pick", "Who is it", picks=(Pick(False, "The person who sat here"), Pick(True, "Another person"))
        ),
    )
    return Offer("person", "Who sits here", Right.SEAT, {"kind": "person"}, "table", asks=asks)


def _when_nobody(want: WantBank) -> str:
    if want.holder is None:
        return ""
    match want.rotation:
        case "offer":
            return f"Everybody declined. {_title(want.holder)} goes on?"
        case "limit":
            return "Everybody declined. No hand is dealt until another person banks. Is that so?"
        case "stop":
            return "Everybody declined. The game is broken. Is that so?"


def _picks(places: Iterable[Place]) -> tuple[Pick, ...]:
    return tuple(Pick(place, _title(place)) for place in places)


def _title(place: Place) -> str:
    return title(str(place)) if isinstance(place, int) else f"Seat {str(place).replace('.', ', square ')}"
