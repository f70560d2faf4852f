"""Where the cards lie, as the people at the table see them: pasteboard, not what any reader made of it."""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sim_hw.people_sight import Place, Sight


@dataclass(frozen=True, slots=True)
class Laid:
    """A card: what it is, and in which draw of the round it came out, at which place of the stack."""

    code: str
    draw: int = -1
    at: int = 0


class Felt:
    """The cards of one round, from the moment they leave shoe, shuffler or deck."""

    def __init__(self, deck: Sequence[str], *, told_ahead: bool = False) -> None:
        """`told_ahead`: a machine tells the table of a stack while it still lies in the tray."""
        self._whole = tuple(deck)
        self._told_ahead = told_ahead
        self._awaited: deque[tuple[str, int]] = deque()
        """Places in hands, of which the table knows already and the people do not."""
        self._left: list[str] = []
        self.hands: dict[str, list[Laid]] = {}
        self.on_the_way: deque[Laid] = deque()
        """Out, and not yet in a hand that the table knows of."""
        self.draws: list[tuple[str, ...]] = []
        """What was told to the table, one draw or stack after the other, as it really was."""

    @property
    def is_dealt(self) -> bool:
        return bool(self.draws)

    def clear(self) -> None:
        """The cards are gathered up."""
        self.hands.clear()
        self._awaited.clear()
        self.on_the_way.clear()
        self.draws.clear()

    def new_deck(self, rng: random.Random) -> None:
        """The dealer shuffles by hand."""
        self._left = list(self._whole)
        rng.shuffle(self._left)

    def off_deck(self, count: int, rng: random.Random) -> list[str]:
        """So many off the deck in the dealer's hands: what a machine gave out before is not in it."""
        if len(self._left) < count:
            lying = Counter(card for draw in self.draws for card in draw)
            self._left = list((Counter(self._whole) - lying).elements())
            rng.shuffle(self._left)
        return [self._left.pop() for _ in range(min(count, len(self._left)))]

    def out(self, cards: Sequence[str], *, burns: bool = False) -> None:
        """Cards came out, one by one or as one stack; burnt ones reach no hand."""
        for at, code in enumerate(() if burns else cards):
            card = Laid(code, len(self.draws), at)
            if self._awaited:
                owner, place = self._awaited.popleft()
                if owner in self.hands and place < len(self.hands[owner]):
                    self.hands[owner][place] = card
            else:
                self.on_the_way.append(card)
        self.draws.append(tuple(cards))

    def forget_strays(self) -> None:
        """What is on its way goes out of play."""
        self.on_the_way.clear()

    def follow(self, sight: Sight) -> None:
        """Lay the cards down where the table says that they lie."""
        moved = any(self.hands.get(owner) and not sight.hands.get(owner) for owner in self.hands) and bool(sight.hands)
        for owner, faces in sight.hands.items():
            hand = self.hands.setdefault(owner, [])
            while len(hand) < len(faces) and self.on_the_way:
                hand.append(self.on_the_way.popleft())
            for face in faces[len(hand) :]:
                if self._told_ahead and not moved:
                    self._awaited.append((owner, len(hand)))
                # Split or taken over from another hand: everybody sees what it is, or it is picked up unseen.
                hand.append(Laid(face or ""))
            del hand[len(faces) :]
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
        hand = self.hands.get(owner, [])
        return [hand[n - 1].code if n <= len(hand) and hand[n - 1].code else self._guess() for n in nth]

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

    def _guess(self) -> str:
        """A card that lies nowhere else: the person has lost track, and turns it over to see."""
        lying = Counter(card for draw in self.draws for card in draw)
        free = sorted((Counter(self._whole) - lying).elements())
        return free[0] if free else self._whole[0]
