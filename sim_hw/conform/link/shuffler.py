"""The shuffler: shuffler.md."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from protocols.shuffler import messages as wire
from protocols.shuffler.codec import CODEC
from protocols.shuffler.messages import Mode
from sim_hw.conform.hands import POWER_CYCLE, act
from sim_hw.conform.link.bench import STATUS_REQUEST, LinkBench, Said, Session
from sim_hw.conform.requirement import Broken, Mutation, expect, inspected, must
from sim_hw.conform.wrong import patched

LOADED, STARTED, VERIFIED, STACK, REMOVED, UNLOADED, JAMMED = range(0x40, 0x47)
MODE = Mode(kind="stacks", stack=3, packet=5, ranks="23456789TJQKA", star_ranks="", jokers=0, decks=1)
SHUFFLE_WITHIN = 95.0

PUT_IN = act("put_in", "Put one whole red deck of 52 cards into the shuffler.", back="red")
PUT_IN_SHORT = act("put_in", "Put a deck of 51 cards (without the four of hearts) in.", back="red", without="4h")
TAKE = act("take", "Take the stack out of the tray.")
EMPTY = act("empty", "Open the door, take all cards out, close the door. Empty the tray too.")
OPEN_DOOR = act("open_door", "Open the door.")
CLOSE_DOOR = act("close_door", "Close the door.")


class Machine:
    """A shuffler in a session."""

    def __init__(self, bench: LinkBench, session: Session) -> None:
        self.bench, self.session = bench, session

    @classmethod
    async def empty(cls, bench: LinkBench) -> Machine:
        """Without cards, its door closed, in the mode of these requirements."""
        machine = cls(bench, await bench.begin())
        status = await machine.status()
        if status.tray:
            await bench.hands.do(TAKE)
        if status.phase != "empty":
            await bench.hands.do(EMPTY)
            await machine.until(lambda status: status.phase == "empty" and not status.door_open, "an empty shuffler")
        elif status.door_open:
            await bench.hands.do(CLOSE_DOOR)
            await machine.until(lambda status: not status.door_open, "a closed door")
        await machine.ask(wire.SetMode(mode=MODE))
        await bench.pause(0.2)
        machine.session.forget()
        return machine

    @classmethod
    async def loaded(cls, bench: LinkBench) -> Machine:
        """With a deck."""
        machine = await cls.empty(bench)
        await bench.hands.do(PUT_IN)
        await machine.session.event(LOADED)
        return machine

    @classmethod
    async def ready(cls, bench: LinkBench) -> Machine:
        """With a deck that may be dealt."""
        machine = await cls.loaded(bench)
        await machine.shuffle()
        status = await machine.status()
        if status.phase != "ready":
            raise Broken("phase ready after a whole deck was shuffled", f"phase {status.phase}")
        return machine

    async def shuffle(self) -> wire.Status:
        status = await self.status()
        command = wire.Shuffle(boot=status.boot, deck_no=status.deck_no, shuffle_no=status.shuffle_no + 1)
        answer = await self.ask(command)
        if answer.refused is not None:
            raise Broken("Shuffle to be taken", f"refused: {answer.refused}")
        if await self.session.next(lambda said: said.kind == VERIFIED, 0, SHUFFLE_WITHIN) is None:
            raise Broken(f"DeckVerified within {SHUFFLE_WITHIN:g} s", "none")
        return await self.status()

    async def ask(self, command: Any) -> Any:
        return CODEC.decode(await self.session.ask(CODEC.encode(command)))

    async def status(self) -> wire.Status:
        status = CODEC.decode(await self.session.ask(STATUS_REQUEST))
        assert isinstance(status, wire.Status)
        return status

    async def until(self, holds: Callable[[wire.Status], bool], words: str) -> wire.Status:
        for _ in range(20):
            status = await self.status()
            if holds(status):
                return status
            await self.bench.pause(self.bench.hands.patience / 20)
        raise Broken(words, f"phase {status.phase}")

    async def dispense(self, up_to: int, **fields: Any) -> wire.DispenseState:
        status = await self.status()
        values = {"boot": status.boot, "known": status.event_no, "deck_no": status.deck_no, "size": 3, **fields}
        state = await self.ask(wire.Dispense(up_to=up_to, **values))
        assert isinstance(state, wire.DispenseState)
        return state

    async def open_and_close(self) -> None:
        for what in (OPEN_DOOR, CLOSE_DOOR):
            mark = len(self.session.said)
            await self.bench.hands.do(what)
            await self.session.event(0x49, mark=mark)

    async def stack(self, mark: int = 0) -> Said:
        """The next stack in the tray."""
        return await self.session.event(STACK, mark=mark)


def stack_no(event: Said) -> int:
    return int.from_bytes(event.data[21:23])


def _refuses(method: str, of: str | None, instead: str | None) -> Mutation:
    """A command gets another refusal."""

    def make(device: Any, right: Any) -> Any:
        return lambda command: instead if (found := right(command)) == of else found

    return patched(method, make)


def _deals_anything(device: Any, right: Any) -> Any:
    """A rejected deck is dealt as if it were ready."""

    def refuses(command: Any) -> Any:
        found = right(command)
        if found == "not fit":
            device.phase = "ready"
            return None
        return found

    return refuses


@must("SHUF-1", "1", wrong=patched("_refuses_dispense", _deals_anything))
async def bad_deck(bench: LinkBench) -> None:
    """Only a deck without any problem may be dealt: a Dispense from a rejected deck is refused."""
    machine = await Machine.empty(bench)
    await bench.hands.do(PUT_IN_SHORT)
    await machine.session.event(LOADED)
    status = await machine.shuffle()
    if status.phase != "rejected":
        raise Broken("phase rejected after 51 cards of 52", f"phase {status.phase}")
    if (await machine.dispense(1)).refused is None:
        raise Broken("Dispense from a rejected deck to be refused", "no refusal")


def _opens_again(device: Any, right: Any) -> Any:
    """A door that opens does not hold the deck."""

    def move_door(*, is_open: bool) -> None:
        before = device.phase
        right(is_open=is_open)
        if not is_open and device.phase == "held" and device._deck_in:
            device.phase = "ready"
        assert before

    return move_door


@must("SHUF-2", "1", wrong=patched("move_door", _opens_again))
async def waits_after_an_irregularity(bench: LinkBench) -> None:
    """The shuffler stops at every irregularity and waits: after the door was open, the cards can only be unloaded."""
    machine = await Machine.ready(bench)
    await machine.open_and_close()
    phase = (await machine.status()).phase
    if phase != "held":
        raise Broken("phase held", f"phase {phase}")


inspected(
    "SHUF-3",
    "1",
    "A shuffler that has no room for another event does not move.",
    "it takes more events than a bench can cause: count them in the firmware",
    home=__name__,
)


def _shows_the_next(device: Any, right: Any) -> Any:
    def answer(message: Any) -> None:
        right(message)
        if isinstance(message, wire.Meters):
            device.link.post(b"\xa0" + bytes(len(device._inside)), keep=False)

    return answer


@must("SHUF-4", "1", wrong=patched("_answer", _shows_the_next))
async def no_order(bench: LinkBench) -> None:
    """No message requests the order of a deck: no request but those of the page is answered."""
    machine = await Machine.ready(bench)
    session = machine.session
    session.forget()
    for kind in (0x15, *range(0x16, 0x40)):
        await session.say(bytes((kind,)))
    await bench.pause(0.3)
    strange = [said for said in session.said if not said.is_event and said.kind != 0x95]
    if strange:
        raise Broken("no answer to requests that the page does not have", f"an answer 0x{strange[0].kind:02x}")


def _forgets_mode(device: Any, right: Any) -> Any:
    def powered_up() -> None:
        right()
        device.mode = replace(device.mode, stack=7, packet=0)

    return powered_up


@must("SHUF-5", "3", wrong=patched("_powered_up", _forgets_mode))
async def mode_without_power(bench: LinkBench) -> None:
    """The shuffler keeps its mode without power."""
    machine = await Machine.empty(bench)
    before = (await machine.status()).mode
    bench.session = None
    await bench.hands.do(POWER_CYCLE)
    after = (await Machine(bench, await bench.begin()).status()).mode
    if before != after:
        raise Broken(f"{before}", f"{after}")


def _mode_at_any_time(device: Any, right: Any) -> Any:
    def on_set_mode(command: Any) -> None:
        if device.phase == "ready":
            device._answer(wire.ModeState(mode=command.mode, refused=None))
            device._set_mode(command.mode, "controller")
        else:
            right(command)

    return on_set_mode


@must("SHUF-6", "3", wrong=patched("_on_set_mode", _mode_at_any_time))
async def mode_of_a_deck(bench: LinkBench) -> None:
    """The mode changes only in the phases empty and loaded."""
    machine = await Machine.ready(bench)
    state = await machine.ask(wire.SetMode(mode=replace(MODE, stack=7, packet=0)))
    if state.refused is None:
        raise Broken("SetMode in phase ready to be refused", "no refusal")


@must("SHUF-7", "4", wrong=_refuses("_refuses_dispense", "irregularity", None))
async def known(bench: LinkBench) -> None:
    """A Dispense whose known is below the number of the last irregularity is refused: 10."""
    machine = await Machine.ready(bench)
    before = (await machine.status()).event_no
    await machine.open_and_close()
    state = await machine.dispense(1, known=before)
    if state.refused != "irregularity":
        raise Broken("refused 10, irregularity", str(state.refused))


def _phase_before_known(device: Any, right: Any) -> Any:
    """The mode is looked at before the deck."""

    def refuses(command: Any) -> Any:
        found = right(command)
        if found == "other deck" and command.size not in {device.mode.stack, device.mode.packet}:
            return "wrong size"
        return found

    return refuses


@must("SHUF-8", "4", wrong=patched("_refuses_dispense", _phase_before_known))
async def precedence(bench: LinkBench) -> None:
    """Of several reasons the first is named: boot, deck, number, known, phase, door, mode, size, cards."""
    machine = await Machine.ready(bench)
    status = await machine.status()
    wrong: dict[str, Any] = {"boot": status.boot ^ 1, "deck_no": status.deck_no + 5, "size": 59}
    expect((await machine.dispense(1, **wrong)).refused, "other boot", "another boot, deck and size")
    wrong.pop("boot")
    expect((await machine.dispense(1, **wrong)).refused, "other deck", "another deck and size")
    expect((await machine.dispense(1, size=59)).refused, "wrong size", "a size that the mode does not have")


def _answers_late(device: Any, right: Any) -> Any:
    """The answer to Dispense comes after the stack that it causes."""

    def answer(message: Any) -> None:
        if isinstance(message, wire.DispenseState) and message.refused is None and message.up_to > message.stacks:
            device.link._loop.call_later(3.0, right, message)
        else:
            right(message)

    return answer


@must("SHUF-9", "5", wrong=patched("_answer", _answers_late))
async def answer_before_events(bench: LinkBench) -> None:
    """The answer to a command is sent before the events that the command causes."""
    machine = await Machine.ready(bench)
    mark = len(machine.session.said)
    await machine.dispense(1)
    await machine.stack(mark)
    kinds = [said.kind for said in machine.session.said[mark:] if said.kind in (0x92, STACK)]
    if kinds[0] != 0x92:
        raise Broken("DispenseState before StackDispensed", "StackDispensed first")


def _pushes_on(device: Any, right: Any) -> Any:
    """The next permitted stack pushes the one in the tray aside."""

    def go_on() -> None:
        device._tray.clear()
        device._stack_in_tray = 0
        device._go_on()

    def happened(event: Any) -> None:
        right(event)
        if isinstance(event, wire.StackDispensed) and device.up_to > event.stack_no:
            device.link._loop.call_later(0.2, go_on)

    return happened


@must("SHUF-10", "6", wrong=patched("_happened", _pushes_on))
async def one_stack_in_the_tray(bench: LinkBench) -> None:
    """The next permitted stack is not begun before the tray is clear."""
    machine = await Machine.ready(bench)
    mark = len(machine.session.said)
    await machine.dispense(2)
    await machine.stack(mark)
    await bench.pause(4.0)
    stacks = [said for said in machine.session.said[mark:] if said.kind == STACK]
    if len(stacks) != 1:
        raise Broken("one stack until the tray is clear", f"{len(stacks)}")
    await bench.hands.do(TAKE)
    await machine.session.event(REMOVED, mark=mark)


@must(
    "SHUF-11",
    "6",
    wrong=patched("move_door", lambda device, right: lambda *, is_open: _ignores_the_door(device, right, is_open)),
)
async def door_stops_everything(bench: LinkBench) -> None:
    """With the door open all movement stops at once."""
    machine = await Machine.loaded(bench)
    status = await machine.status()
    await machine.ask(wire.Shuffle(boot=status.boot, deck_no=status.deck_no, shuffle_no=status.shuffle_no + 1))
    await machine.session.event(STARTED)
    mark = len(machine.session.said)
    await bench.hands.do(OPEN_DOOR)
    await machine.session.event(0x49, mark=mark)
    await bench.pause(3.0)
    phase = (await machine.status()).phase
    await bench.hands.do(CLOSE_DOOR)
    if phase != "held" or any(said.kind == VERIFIED for said in machine.session.said[mark:]):
        raise Broken("phase held while the door is open", f"phase {phase}")


def _ignores_the_door(device: Any, right: Any, is_open: bool) -> None:
    if device.phase != "shuffling":
        right(is_open=is_open)
        return
    device.door_open = is_open
    device._happened(wire.DoorMoved(**device._head(), is_open=is_open))


def _counts_stacks_by_two(device: Any, right: Any) -> Any:
    def happened(event: Any) -> None:
        if isinstance(event, wire.StackDispensed):
            event = replace(event, stack_no=2 * event.stack_no)
        right(event)

    return happened


@must("SHUF-12", "8", wrong=patched("_happened", _counts_stacks_by_two))
async def stack_numbers(bench: LinkBench) -> None:
    """stack_no goes up by one with each stack of a deck, from 1."""
    machine = await Machine.ready(bench)
    numbers = []
    for up_to in (1, 2):
        mark = len(machine.session.said)
        await machine.dispense(up_to)
        numbers.append(stack_no(await machine.stack(mark)))
        await bench.hands.do(TAKE)
        await machine.session.event(REMOVED, mark=mark)
    if numbers != [1, 2]:
        raise Broken("stacks 1 and 2", f"{numbers}")


def _shuffles_again(device: Any, right: Any) -> Any:
    def on_shuffle(command: Any) -> None:
        if command.shuffle_no == device.shuffle_no and device.phase == "ready":
            device._answer(
                wire.ShuffleState(
                    boot=device.boot, deck_no=device.deck_no, shuffle_no=device.shuffle_no, refused="busy"
                )
            )
        else:
            right(command)

    return on_shuffle


@must("SHUF-13", "4", wrong=patched("_on_shuffle", _shuffles_again))
async def command_repeated(bench: LinkBench) -> None:
    """A repeated command has no effect and is not refused."""
    machine = await Machine.ready(bench)
    status = await machine.status()
    state = await machine.ask(wire.Shuffle(boot=status.boot, deck_no=status.deck_no, shuffle_no=status.shuffle_no))
    if state.refused is not None or (await machine.status()).phase != "ready":
        raise Broken("a Shuffle that was already done to be answered, nothing more", f"refused: {state.refused}")


@must("SHUF-14", "4", wrong=_refuses("_refuses_dispense", "too few cards", None))
async def too_few_cards(bench: LinkBench) -> None:
    """A Dispense of more stacks than the deck has cards for is refused: 13."""
    machine = await Machine.ready(bench)
    state = await machine.dispense(40)
    if state.refused != "too few cards":
        await bench.hands.do(TAKE)
        raise Broken("refused 13, too few cards", str(state.refused))


@must("SHUF-15", "4", wrong=patched("_status", lambda device, right: lambda: _permits_two(right())))
async def permit_of_a_new_deck(bench: LinkBench) -> None:
    """A new deck begins with permit 0."""
    machine = await Machine.loaded(bench)
    status = await machine.status()
    if status.up_to:
        raise Broken("up_to 0 for a new deck", f"{status.up_to}")


def _permits_two(status: wire.Status) -> wire.Status:
    return replace(status, up_to=2) if status.phase == "loaded" else status


def _ready_again(device: Any, right: Any) -> Any:
    def new_deck(*, found: bool) -> None:
        right(found=found)
        if found:
            device.link._loop.call_soon(lambda: setattr(device, "phase", "loaded"))

    return new_deck


@must("SHUF-16", "6", wrong=patched("_new_deck", _ready_again))
async def power_up_with_cards(bench: LinkBench) -> None:
    """Cards inside at power-up: DeckLoaded with found 1, and phase held."""
    await Machine.ready(bench)
    bench.session = None
    await bench.hands.do(POWER_CYCLE)
    session = await bench.open()
    if bench.key is not None and "guarded" in bench.holding:
        await bench.prove(session)
    machine = Machine(bench, session)
    status = await machine.status()
    strange = [said for said in session.events if said.kind == LOADED and said.data[-1] != 1]
    if strange or not status.deck_no or status.phase != "held":
        raise Broken("DeckLoaded with found 1, and phase held", f"deck {status.deck_no}, phase {status.phase}")


def _reads_with_a_slip(device: Any, right: Any) -> Any:
    def post(message: bytes, *, keep: bool) -> None:
        if message[:1] == bytes((STACK,)):
            message = message[:-1] + bytes((message[-1] ^ 1,))
        right(message, keep=keep)

    return post


@must("SHUF-17", "5", wrong=patched("link.post", _reads_with_a_slip))
async def card_bytes(bench: LinkBench) -> None:
    """A card is a byte of shoe.md, section 4, and the same byte with all bits inverted."""
    machine = await Machine.ready(bench)
    mark = len(machine.session.said)
    await machine.dispense(1)
    CODEC.decode((await machine.stack(mark)).data)
    await bench.hands.do(TAKE)
