"""Where the cards lie, as the people at the table see them: pasteboard, not what any reader made of it."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sim_hw.people.sight import Place, Sight


@dataclass(frozen=True, slots=True)
class Laid:
    """A card: what it is, and in which draw of the round it came out, at which place of the stack."""

    code: str
    draw: int = -1
    at: int = 0


class Felt:
    """The cards of one round, from the moment they leave shoe, shuffler or deck."""

    def __init__(self, deck: Sequence[str], *, reported_ahead: bool = False) -> None:
        """`reported_ahead`: a machine reports a stack while it is still in the tray."""
        self._whole = tuple(deck)
        self._reported_ahead = reported_ahead
        self._awaited: deque[tuple[str, int]] = deque()
        """Places in hands, of which the table knows already and the people do not."""
        self.is_by_hand = False
        """Nothing reads the cards."""
        self.hands: dict[str, list[Laid]] = {}
        self.on_the_way: deque[Laid] = deque()
        """Out, and not yet in a hand that the table knows of."""
        self.burnt: list[str] = []
        self.opener = ""
        """Who opened the pot, where it must be opened."""
        self._thrown: dict[str, tuple[str, ...]] = {}
        """What each player discarded last."""
        self._leaving: dict[str, list[str]] = {}
        """Thrown away, and still in the hand as far as the table says: until others come for them."""
        self.draws: list[tuple[str, ...]] = []
        """What was reported to the table, one draw or stack after the other, as it really was."""

    @property
    def is_dealt(self) -> bool:
        return bool(self.draws)

    def clear(self) -> None:
        """The cards are gathered up."""
        self.is_by_hand = False
        self.hands.clear()
        self._awaited.clear()
        self.on_the_way.clear()
        self.burnt.clear()
        self.opener = ""
        self._thrown.clear()
        self._leaving.clear()
        self.draws.clear()

    def undealt(self) -> list[str]:
        """What has not been dealt in this round, of a deck that began it whole."""
        lying = Counter(card for draw in self.draws for card in draw)
        return sorted((Counter(self._whole) - lying).elements())

    def out(self, cards: Sequence[str], to: str = "") -> None:
        """Cards came out, one by one or as one stack, for somebody who may have thrown others away for them."""
        burns = to == "burn"
        leaving = self._leaving.get(to)
        for at, code in enumerate(() if burns else cards):
            card = Laid(code, len(self.draws), at)
            if leaving:
                self._drop(to, leaving.pop())
                self.hands[to].append(card)
            elif self._awaited:
                owner, place = self._awaited.popleft()
                if owner in self.hands and place < len(self.hands[owner]):
                    self.hands[owner][place] = card
            else:
                self.on_the_way.append(card)
        if burns:
            self.burnt += cards
        self.draws.append(tuple(cards))

    def throw(self, place: Place, cards: Sequence[str]) -> None:
        """A player lets go of these. Who opened the pot keeps them beside him, to prove what he opened with."""
        if str(place) == self.opener:
            self.burnt += cards
        self._thrown[str(place)] = tuple(cards)
        self._leaving[str(place)] = list(cards)

    def _drop(self, owner: str, code: str) -> None:
        hand = self.hands.get(owner, [])
        card = next((card for card in hand if card.code == code), None)
        if card is not None:
            hand.remove(card)

    def discards(self, waits: str = "") -> list[str]:
        """All that lies in nobody's hand and was not burnt: what may be shuffled and dealt once more.

        What the player who `waits` for cards has just thrown away is left out, unless there is nothing else.
        """
        kept = Counter(card.code for hand in (*self.hands.values(), self.on_the_way) for card in hand)
        kept.update(self.burnt)
        free = Counter(self._whole) - kept
        return sorted((free - Counter(self._thrown.get(waits, ()))).elements()) or sorted(free.elements())

    def forget_strays(self) -> None:
        """What is on its way goes out of play, and is not dealt again in this round."""
        self.burnt += [card.code for card in self.on_the_way]
        self.on_the_way.clear()

    def follow(self, sight: Sight) -> None:
        """Lay the cards down where the table says that they lie."""
        moved = any(self.hands.get(owner) and not sight.hands.get(owner) for owner in self.hands) and bool(sight.hands)
        follows = moved and self.is_by_hand
        gone = [hand for owner, hand in self.hands.items() if hand and not sight.hands.get(owner)] if follows else []
        for owner, faces in sight.hands.items():
            if faces and not self.hands.get(owner):
                whole = next((hand for hand in gone if _may_be(hand, faces)), None)
                if whole is not None:
                    # A stack was pushed to a seat. Nobody has seen its cards, so whichever it was will do.
                    gone.remove(whole)
                    self.hands[owner] = list(whole)
            hand = self.hands.setdefault(owner, [])
            while len(hand) < len(faces) and self.on_the_way:
                hand.append(self.on_the_way.popleft())
            for face in faces[len(hand) :]:
                if self._reported_ahead and not moved:
                    self._awaited.append((owner, len(hand)))
                # Split or taken over from another hand: everybody sees what it is, or it is picked up unseen.
                hand.append(Laid(face or ""))
            while len(hand) > len(faces) and self._leaving.get(owner):
                self._drop(owner, self._leaving[owner].pop())
            del hand[len(faces) :]
            _line_up(hand, faces)
        for owner in [owner for owner in self.hands if sight.hands and not sight.hands.get(owner)]:
            del self.hands[owner]

    def resync(self, hands: Mapping[str, Sequence[str | None]]) -> None:
        """After a correction: what is shown is what lies there."""
        for owner, faces in hands.items():
            known = self.hands.get(owner, [])
            self.hands[owner] = [
                Laid(face) if face else known[i] if i < len(known) else Laid("") for i, face in enumerate(faces)
            ]

    def of_seat(self, place: Place) -> list[str]:
        """What a player holds, and sees."""
        exact = self.hands.get(str(place))
        seat = str(place).partition(".")[0]
        hands = [exact] if exact else [h for owner, h in self.hands.items() if owner.partition(".")[0] == seat]
        return [card.code for hand in hands for card in hand if card.code]

    def named(self, owner: str, nth: Sequence[int]) -> list[str]:
        """The cards at these places of a hand."""
        hand, codes = self.hands.get(owner, []), list[str]()
        for n in nth:
            codes.append(hand[n - 1].code if n <= len(hand) and hand[n - 1].code else self._guess(codes))
        return codes

    def misread(self, hands: Mapping[str, object]) -> Laid | None:
        """A card that is shown as another than it is."""
        for owner, faces in hands.items():
            lying = self.hands.get(owner)
            if lying is None or not isinstance(faces, list | tuple) or len(faces) != len(lying):
                continue
            held = {card.code for card in lying}
            for card, face in zip(lying, faces, strict=True):
                # In another place of the same hand it was moved: a down card was turned up, a new one hidden.
                if isinstance(face, str) and card.code and face not in held and card.draw >= 0:
                    return card
        return None

    def _guess(self, taken: Sequence[str]) -> str:
        """A card that lies nowhere else: the person has lost track, and turns it over to see."""
        free = sorted((Counter(self.undealt()) - Counter(taken)).elements())
        return free[0] if free else self._whole[0]


def _may_be(hand: Sequence[Laid], faces: Sequence[str | None]) -> bool:
    """Whether this hand, moved elsewhere, can be the one that is shown there."""
    return len(hand) == len(faces) and all(face in (None, card.code) for card, face in zip(hand, faces, strict=True))


def _line_up(hand: list[Laid], faces: Sequence[str | None]) -> None:
    """Lay the cards in the order in which the table shows them: an open card goes beside the other open ones."""
    down = list(hand)
    ordered: list[Laid | None] = []
    for face in faces:
        card = next((card for card in down if card.code == face), None) if face else None
        if face and card is None:
            return
        if card is not None:
            down.remove(card)
        ordered.append(card)
    hand[:] = [card or down.pop(0) for card in ordered]
