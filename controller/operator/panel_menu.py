"""The key panel's menu: every offer of the table, two short lines and four keys.

`next` and `previous` walk through what may be done, `ok` takes it, `back` gives up; number keys, where a panel has
them, type amounts. Line one is what the table waits for or what is asked, line two what `ok` would do. No I/O here:
labels of keys in, lines and sometimes a `PanelRequest` out.

What an offer asks for is a conversation, and written as one: a generator that yields what the panel shows and is
sent the key that was pressed.
"""

from __future__ import annotations

import copy
from collections.abc import Generator, Sequence
from typing import Any, TypeVar

from msgspec import Struct

from controller.operator.offers.offers import Ask, Offer, Pick
from controller.operator.roles import Right

NEXT, PREVIOUS, OK, BACK = "next", "previous", "ok", "back"
MENU_KEYS = frozenset({NEXT, PREVIOUS, OK, BACK})
DIGITS = {f"digit_{digit}": str(digit) for digit in range(10)}
KEYS = MENU_KEYS | set(DIGITS)
"""Labels of keys that the menu listens to."""
CHIP = 500
"""What one step is worth where the wager has no other, cents."""
REASON = "keyed at the panel"
RANKS, SUITS = "A23456789TJQK", "shdc"

T = TypeVar("T")


class Screen(Struct, frozen=True):
    first: str
    second: str


class PanelRequest(Struct, frozen=True):
    """Something to be done: the offer and its body, complete."""

    offer: Offer
    body: dict[str, Any]
    sure: bool = False
    """It was asked about a second time."""


SETTLING = Offer("pay_and_take", "Pay and take", Right.READ, {}, "table")
"""The last entry of the menu when a hand is over: what the dealer takes and pays, one thing after the other."""


class _GivenUp(Exception):
    """The `back` key."""


Talk = Generator[Screen, str, T]


class PanelMenu:
    """What one panel shows, and the position in its menu."""

    def __init__(self) -> None:
        self._offers: tuple[Offer, ...] = ()
        self._deck: tuple[str, ...] = ()
        self._settling: tuple[str, ...] = ()
        self._prompt = ""
        self._at = 0
        self._talk: Talk[PanelRequest] | None = None
        self._about: Offer | None = None
        self._screen: Screen | None = None

    def follow(self, offers: Sequence[Offer], prompt: str, deck: Sequence[str], settling: Sequence[str] = ()) -> None:
        """The table moved on: the first offer is the next thing to do. A conversation goes on if its offer remains.
        `settling`: what is to be taken and paid now."""
        self._settling = tuple(settling)
        offers = (*offers, SETTLING) if settling else offers
        if (tuple(offers), prompt) == (self._offers, self._prompt):
            return
        self._offers, self._prompt, self._deck, self._at = tuple(offers), prompt, tuple(deck), 0
        if self._about is not None and self._about not in self._offers:
            self._end()

    def press(self, key: str) -> PanelRequest | None:
        """A key of the menu; returns what is to be done once it is complete."""
        if self._talk is not None:
            return self._go_on(key)
        if self._screen is not None:
            self._screen = None  # A message; any key puts it away.
            return None
        if not self._offers:
            return None
        if key in (NEXT, PREVIOUS):
            self._at = (self._at + (1 if key == NEXT else -1)) % len(self._offers)
        elif key == OK:
            offer = self._offers[self._at]
            talk = _told(self._settling) if offer is SETTLING else _whole(offer, self._deck)
            return self._begin(offer, talk)
        return None

    def ask_again(self, request: PanelRequest, text: str) -> None:
        """Ask whether it should really be done; the request comes again, with `sure`."""
        self._begin(request.offer, _certain(request, text))

    def show_message(self, first: str, second: str) -> None:
        """A message until the next key."""
        self._end()
        self._screen = Screen(first, second)

    def clear(self) -> None:
        """Put a message away."""
        if self._talk is None:
            self._screen = None

    def lines(self, columns: int) -> tuple[str, str]:
        """The panel's two lines, in characters that it has."""
        screen = self._screen
        if screen is None:
            offer = self._offers[self._at] if self._offers else None
            under = "" if offer is None or not offer.under else f"{offer.under}: "
            screen = Screen(self._prompt, "" if offer is None else f">{under}{offer.label}")
        return _plain(screen.first, columns), _plain(screen.second, columns)

    def bare_lines(self, columns: int) -> tuple[str, str]:
        """The prompt alone, for a panel without the keys of a menu."""
        return _plain(self._prompt, columns), _plain(self._prompt[columns:], columns)

    @property
    def wants_ok(self) -> bool:
        """Whether `ok` does something now."""
        return bool(self._offers) or self._talk is not None

    def offers(self, id: str) -> bool:
        """Whether this may be done now."""
        return any(offer.id == id for offer in self._offers)

    def _begin(self, offer: Offer, talk: Talk[PanelRequest]) -> PanelRequest | None:
        self._talk, self._about = talk, offer
        return self._go_on(None)

    def _go_on(self, key: str | None) -> PanelRequest | None:
        assert self._talk is not None
        try:
            self._screen = next(self._talk) if key is None else self._talk.send(key)
        except StopIteration as end:
            self._end()
            request: PanelRequest = end.value
            return request
        except _GivenUp:
            self._end()
        return None

    def _end(self) -> None:
        self._talk = self._about = self._screen = None


def _whole(offer: Offer, deck: Sequence[str]) -> Talk[PanelRequest]:
    """Everything that an offer asks for, one thing after the other."""
    body = copy.deepcopy(offer.body)
    picked: Pick | None = None
    for ask in offer.asks:
        if ask.kind == "pick":
            picked = yield from _pick(ask.label, ask.picks)
            _put(body, ask.field, copy.deepcopy(picked.value))
        elif ask.kind == "cents" and picked is not None and picked.min is not None:
            _put(body, ask.field, (yield from _cents(ask.label, picked.min, picked.max, picked.step)))
        else:
            _put(body, ask.field, (yield from _value(ask, deck)))
    request = PanelRequest(offer, body)
    if offer.sure:
        return (yield from _certain(request, offer.sure))
    return request


def _told(lines: Sequence[str]) -> Talk[PanelRequest]:
    """One line after the other; `ok` and `next` go on, and end it after the last one."""
    at = 0
    while at < len(lines):
        key = yield Screen(f"{at + 1} of {len(lines)}: {lines[at]}", lines[at])
        if key == BACK:
            break
        at = max(0, at - 1) if key == PREVIOUS else at + 1
    raise _GivenUp


def _certain(request: PanelRequest, text: str) -> Talk[PanelRequest]:
    while (yield Screen(text, "OK: yes")) != OK:
        pass
    return PanelRequest(request.offer, request.body, sure=True)


def _value(ask: Ask, deck: Sequence[str]) -> Talk[Any]:
    match ask.kind:
        case "card":
            return (yield from _card(ask.label, deck, ask.sealed))
        case "cards":
            return (yield from _cards(ask, deck))
        case "cents":
            return (yield from _cents(ask.label, ask.min or 0, ask.max, ask.step))
        case "amounts":
            return [(yield from _cents(ask.label, 0, None, 1))]
        case "by_seat":
            amounts: dict[str, int] = {}
            for pick in ask.picks:
                amounts[str(pick.value)] = yield from _cents(f"{ask.label} {pick.label}", 0, None, 1)
            return {seat: cents for seat, cents in amounts.items() if cents}
        case "dice":
            values = []
            for die in range(1, (ask.max or 0) + 1):
                eyes = yield from _pick(f"Die {die}", tuple(Pick(n, str(n)) for n in range(1, 7)))
                values.append(eyes.value)
            return values
        case "seats":
            return (yield from _seats(ask))
        case "code":
            return (yield from _code(ask))
    return REASON


def _code(ask: Ask) -> Talk[str]:
    """The present value, or digits in its place."""
    typed = ""
    while True:
        key = yield Screen(ask.label, f">{typed or ask.given or ''}")
        if key == BACK:
            raise _GivenUp
        if key == OK:
            return typed or str(ask.given or "")
        typed = (typed + DIGITS.get(key, ""))[-16:]


def _pick(label: str, picks: Sequence[Pick], sealed: bool = False) -> Talk[Pick]:
    """One of these; a sealed one is not shown, so it is counted in steps."""
    at = 0
    while True:
        shown = f"{picks[0].label} {'*' * (1 + at % 2)}" if sealed else picks[at].label
        key = yield Screen(label, f">{shown}")
        if key == OK:
            return picks[at]
        at = _moved(at, key, len(picks))


def _cents(label: str, least: int, most: int | None, step: int) -> Talk[int]:
    """Steps of a chip, or dollars typed with number keys; within the bounds."""
    chip = step if step > 1 else CHIP
    cents, typed = least, ""
    while True:
        bound = "" if most is None else f" (-${most // 100})"
        key = yield Screen(f"{label}{bound}", f">${cents // 100}" + (f".{cents % 100:02}" if cents % 100 else ""))
        if key in DIGITS:
            typed = (typed + DIGITS[key])[-7:]
            cents = int(typed) * 100
            continue
        typed = ""
        if key == BACK:
            raise _GivenUp
        if key == OK:
            if cents == 0 or (cents >= least and (most is None or cents <= most)):
                return cents
            continue
        cents = max(0, cents + (chip if key == NEXT else -chip))
        cents = cents if most is None else min(cents, most)


def _card(label: str, deck: Sequence[str], sealed: bool) -> Talk[str]:
    """Rank, then suit, of the cards that the game has."""
    ranks = tuple(Pick(r, r if not sealed else "rank") for r in RANKS if not deck or any(c[0] == r for c in deck))
    if "Jo" in deck:
        ranks = (*ranks, Pick("Jo", "Joker" if not sealed else "rank"))
    rank = (yield from _pick(label, ranks, sealed)).value
    if rank == "Jo":
        return "Jo"
    names = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
    suits = tuple(Pick(suit, names[suit] if not sealed else "suit") for suit in SUITS)
    shown = label if sealed else f"{label}: {rank}"
    suit = (yield from _pick(shown, suits, sealed)).value
    plain = f"{rank}{suit}"
    return plain if not deck or plain in deck else f"{plain}*"


def _cards(ask: Ask, deck: Sequence[str]) -> Talk[list[str]]:
    named: list[str] = []
    least, most = ask.min or 0, ask.max or 0
    while len(named) < most:
        if least <= len(named):
            more = yield from _pick(ask.label, (Pick(1, "one more card"), Pick(0, "no more")))
            if not more.value:
                break
        label = f"{ask.label} ({len(named) + 1})"
        if ask.picks:
            left = tuple(pick for pick in ask.picks if pick.value not in named)
            named.append(str((yield from _pick(label, left)).value))
        else:
            named.append((yield from _card(label, deck, ask.sealed)))
    return named


def _seats(ask: Ask) -> Talk[list[int]]:
    taken = set(ask.given or ())
    at = 0
    while True:
        if at == len(ask.picks):
            shown = ">done"
        else:
            pick = ask.picks[at]
            shown = f">{pick.label}: {'in' if pick.value in taken else 'out'}"
        key = yield Screen(ask.label, shown)
        if key == OK and at == len(ask.picks):
            return sorted(taken)
        if key == OK:
            taken ^= {ask.picks[at].value}
            continue
        at = _moved(at, key, len(ask.picks) + 1)


def _moved(at: int, key: str, count: int) -> int:
    if key == BACK:
        raise _GivenUp
    return (at + {NEXT: 1, PREVIOUS: -1}.get(key, 0)) % count


def _put(body: Any, field: str, value: object) -> None:
    """Into a field of the body, which may lie deeper: "settings.blinds", "changes.0.body.card"."""
    first, _, rest = field.partition(".")
    place: Any = int(first) if isinstance(body, list) else first
    if not rest:
        body[place] = value
        return
    if isinstance(body, dict):
        body.setdefault(place, {})
    _put(body[place], rest, value)


_ASCII = str.maketrans({"—": "-", "–": "-", "→": ">", "·": ",", "’": "'", "★": "*"})


def _plain(text: str, columns: int) -> str:
    """Capitals, cut to the panel's width, in characters that every panel has."""
    upper = text.translate(_ASCII).upper()[:columns]
    return "".join(character if " " <= character <= "~" else "?" for character in upper)
