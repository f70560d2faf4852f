"""A simulated LED sign that speaks the Alpha sign protocol: docs/protocols/reader-board.md.

Bytes in, answers out, time passed in; `sim_hw.devices.reader_board.device` puts it on a port. It keeps its files as a
real sign does, drops what is damaged, and does what owners measured on theirs: a string that does not fit is emptied,
the priority file gives the display back only when it is written bare, the first file gets what is left of the memory.
"""

from __future__ import annotations

from collections import deque

from protocols.alpha import special
from protocols.alpha.codes import FILE_OVERHEAD, PRIORITY, Colour, Control, FileKind, Mode, Position, Readable, RunOrder
from protocols.alpha.commands import Command, ReadSpecial, ReadString, ReadText, WriteString, WriteText
from protocols.alpha.packets import ANSWER, GIVE_UP_AFTER, Packet, PacketDecoder, encode_packet
from protocols.alpha.text import CallDate, CallString, Extended, Items, Section, encode_items, encode_text
from protocols.errors import ProtocolError
from sim_hw.devices.reader_board.led_matrix import Cell, Page, as_dots, as_png, as_text

MEMORY = 0x77F0
DAYS = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")


class SimulatedSign:
    """One sign. Powered at first."""

    def __init__(
        self,
        address: str = "01",
        *,
        type_code: str = "c",
        rows: int = 2,
        columns: int = 24,
        memory: int = MEMORY,
        keeps_memory: bool = False,
        answers: bool = True,
        restart_s: float = 0.0,
        firmware: str = "10404402",
    ) -> None:
        """`keeps_memory`: whether it has a battery. `restart_s`: how long it is deaf after a clear or a reset."""
        self.address, self.type_code = address, type_code
        self.rows, self.columns = rows, columns
        self.answers = answers
        self.is_on = True
        self.obeyed: deque[Command] = deque(maxlen=2000)
        """The commands that it took, newest last."""
        self.errors = 0
        """Commands that it could not do: no such file, no room."""
        self._memory, self._keeps_memory = memory, keeps_memory
        self._restart_s = restart_s
        self._firmware = firmware
        self._decoder = PacketDecoder()
        self._lose = 0
        self._deaf_until = 0.0
        self._last_byte = 0.0
        self._forget()

    # The outside

    def power_off(self) -> None:
        self.is_on = False
        self._decoder.reset()
        if not self._keeps_memory:
            self._forget()

    def power_on(self) -> None:
        self.is_on = True

    def power_cycle(self) -> None:
        self.power_off()
        self.power_on()

    def lose(self, packets: int) -> None:
        """Miss the next packets, as a sign does that is busy."""
        self._lose += packets

    def receive(self, data: bytes, now: float) -> bytes:
        """Take bytes from the line; what it answers."""
        if not self.is_on or now < self._deaf_until:
            self._decoder.reset()
            return b""
        if now - self._last_byte > GIVE_UP_AFTER:
            self._decoder.reset()
        self._last_byte = now
        answers = b""
        for packet in self._decoder.feed(data):
            if not any(address.reaches(self.type_code, self.address) for address in packet.to):
                continue
            if self._lose:
                self._lose -= 1
                continue
            for command in packet.commands:
                answers += self._answer(self._obey(command, now))
        return answers

    # The display

    @property
    def pages(self) -> list[list[str]]:
        """Everything it shows in turn, page by page, as text. A sign without power shows nothing."""
        return [as_text(page) for _, page in self._pages()]

    @property
    def mode(self) -> Mode | None:
        """How the first page arrives."""
        return next((section.mode for section, _ in self._pages()), None)

    def cells(self, page: int = 0) -> Page:
        return self._pages()[page][1]

    def png(self, page: int = 0) -> bytes:
        """A picture of one page."""
        shown = self._pages()
        if page >= len(shown):
            return as_png(as_dots((), self.rows, self.columns))
        section, cells = shown[page]
        fixed = Control.FIXED_WIDTH_ON in section.items
        position = section.position or Position.FILL
        return as_png(as_dots(cells, self.rows, self.columns, position, centred=not fixed))

    @property
    def files(self) -> tuple[special.File, ...]:
        """Its memory as it answers when asked: the first file has what is left."""
        (first, *rest) = self._files.values()
        grown = special.File(first.label, first.kind, first.size + self._free, first.locked, first.extra)
        return (grown, *rest)

    def string(self, label: str) -> Items | None:
        return self._strings.get(label)

    def text(self, label: str) -> tuple[Section, ...] | None:
        return self._texts.get(label)

    # The inside

    def _forget(self) -> None:
        """The memory as it leaves the factory: one text that has it all."""
        self._lay_out((special.File("A", FileKind.TEXT, self._memory - FILE_OVERHEAD, locked=False, extra="FFFF"),))
        self._priority: tuple[Section, ...] = ()
        self._time, self._date, self._day = special.SetTime(0, 0), special.SetDate(1, 1, 0), special.SetDayOfWeek(1)
        self._military, self._speaker = False, True

    def _lay_out(self, files: tuple[special.File, ...]) -> None:
        self._files = {file.label: file for file in files}
        self._texts: dict[str, tuple[Section, ...]] = {}
        self._strings: dict[str, Items] = {}
        self._sequence: special.SetRunSequence | None = None

    @property
    def _free(self) -> int:
        return self._memory - sum(file.size + FILE_OVERHEAD for file in self._files.values())

    def _obey(self, command: Command, now: float) -> Command | None:
        self.obeyed.append(command)
        match command:
            case WriteText() if command.label == PRIORITY:
                self._priority = command.sections
            case WriteText():
                self._write_text(command)
            case WriteString():
                self._write_string(command)
            case special.ConfigureMemory(files):
                if sum(file.size + FILE_OVERHEAD for file in files) <= self._memory:
                    self._lay_out(files)
                else:
                    self.errors += 1
            case special.ClearMemory() | special.ClearAndCompact():
                self._forget()
                self._deaf_until = now + self._restart_s
            case special.SoftReset():
                self._deaf_until = now + self._restart_s
            case special.SetRunSequence():
                self._sequence = command
            case special.SetTime():
                self._time = command
            case special.SetDate():
                self._date = command
            case special.SetDayOfWeek():
                self._day = command
            case special.SetTimeFormat(military):
                self._military = military
            case special.SetSpeaker(on):
                self._speaker = on
            case ReadText() | ReadString() | ReadSpecial():
                return self._asked(command)
            case _:
                pass
        return None

    def _answer(self, answer: Command | None) -> bytes:
        if answer is None or not self.answers:
            return b""
        try:
            return encode_packet(Packet((answer,), (ANSWER,)))
        except ProtocolError:
            # It was given something that cannot be reported: a string with the label of the priority file.
            self.errors += 1
            return b""

    def _write_text(self, command: WriteText) -> None:
        file = self._files.get(command.label)
        if (
            file is None
            or file.kind is not FileKind.TEXT
            or len(encode_text(command.sections)) > file.size + self._free
        ):
            self.errors += 1
            self._texts.pop(command.label, None)
        else:
            self._texts[command.label] = command.sections

    def _write_string(self, command: WriteString) -> None:
        file = self._files.get(command.label)
        if file is None or file.kind is not FileKind.STRING or len(encode_items(command.items)) > file.size:
            self.errors += 1
            self._strings.pop(command.label, None)
        else:
            self._strings[command.label] = command.items

    def _asked(self, asked: ReadText | ReadString | ReadSpecial) -> Command:
        match asked:
            case ReadText(label):
                return WriteText(label, self._priority if label == PRIORITY else self._texts.get(label, ()))
            case ReadString(label):
                return WriteString(label, self._strings.get(label, ()))
            case ReadSpecial(Readable.MEMORY):
                return special.ConfigureMemory(self.files)
            case ReadSpecial(Readable.MEMORY_POOL):
                return special.MemoryPool(self._memory, self._free)
            case ReadSpecial(Readable.RUN_SEQUENCE):
                return self._sequence or special.SetRunSequence(self._text_labels(), RunOrder.BY_TIME, locked=False)
            case ReadSpecial(Readable.GENERAL_INFORMATION):
                time = f"{self._time.hour:02}{self._time.minute:02}"
                return special.GeneralInformation(
                    self._firmware, "A", "0998", time, self._military, self._speaker, self._memory, self._free
                )
            case _:
                raise AssertionError(f"a sign cannot be asked {asked}")

    def _text_labels(self) -> str:
        return "".join(label for label, file in self._files.items() if file.kind is FileKind.TEXT)

    def _pages(self) -> list[tuple[Section, Page]]:
        if not self.is_on:
            return []
        if self._priority:
            sections = self._priority
        else:
            labels = self._sequence.labels if self._sequence else self._text_labels()
            sections = tuple(section for label in labels for section in self._texts.get(label, ()))
        return [(section, page) for section in sections for page in self._pages_of(section)]

    def _pages_of(self, section: Section) -> list[Page]:
        pages: list[list[list[Cell]]] = [[[]]]
        colour = Colour.AMBER

        def next_row() -> None:
            if len(pages[-1]) == self.rows:
                pages.append([])
            pages[-1].append([])

        for item in self._expanded(section.items):
            match item:
                case Colour():
                    colour = item
                case Control.NEW_LINE:
                    next_row()
                case Control.NEW_PAGE:
                    pages.append([[]])
                case str():
                    for character in item:
                        if len(pages[-1][-1]) == self.columns:
                            next_row()
                        pages[-1][-1].append(Cell(character, colour))
                case _:
                    pass
        return [tuple(tuple(row) for row in page) for page in pages]

    def _expanded(self, items: Items, *, in_string: bool = False) -> list[str | Colour | Control]:
        """The items with everything that they call in its place."""
        found: list[str | Colour | Control] = []
        for item in items:
            match item:
                case CallString(label) if in_string:
                    found.append(label)
                case CallString(label):
                    found += self._expanded(self._strings.get(label, ()), in_string=True)
                case Control.TIME:
                    found.append(self._clock())
                case CallDate(form):
                    date = self._date
                    figures = f"{date.month:02}/{date.day:02}/{date.year:02}"
                    found.append(DAYS[self._day.day - 1] if form == "9" else figures)
                case Extended(code):
                    # Up to a8 the sign's own set is that of the IBM PC; what lies beyond is drawn as unknown.
                    found.append(bytes((code,)).decode("cp437") if code <= 0xA8 else "?")
                case str() | Colour() | Control():
                    found.append(item)
                case _:
                    pass
        return found

    def _clock(self) -> str:
        hour, minute = self._time.hour, self._time.minute
        if self._military:
            return f"{hour:02}:{minute:02}"
        return f"{(hour + 11) % 12 + 1}:{minute:02} {'AM' if hour < 12 else 'PM'}"
