"""The special functions: the sign's clock, speaker and memory, and what it says about itself.

>>> encode_special(ConfigureMemory((File.text("A", 256), File.string("a", 72))))
b'$AAL0100FFFFaBL00480000'
>>> decode_special(b" 2130")
SetTime(hour=21, minute=30)
"""

from __future__ import annotations

import re
from collections.abc import Callable

from protocols.alpha.codes import MAX_SEQUENCE, MAX_STRING, PRIORITY, FileKind, RunOrder, Sound
from protocols.alpha.text import check_label
from protocols.errors import ProtocolError
from protocols.values import Value


class SetTime(Value):
    hour: int
    minute: int


class SetDate(Value):
    month: int
    day: int
    year: int
    """Two digits; Alpha 1.0 signs know no century."""


class SetDayOfWeek(Value):
    day: int
    """1 is Sunday."""


class SetTimeFormat(Value):
    military: bool


class SetSpeaker(Value):
    on: bool


class Tone(Value):
    sound: Sound


class Beep(Value):
    """A tone of one's own; a plain buzzer has one pitch only."""

    frequency: int
    tenths: int
    repeats: int = 0


class ClearMemory(Value):
    """Forget all files. The sign restarts with an empty TEXT A that has the whole memory."""


class ClearAndCompact(Value):
    """The same for signs with flash memory (Alpha 3.0)."""


class File(Value):
    """One file of the sign's memory."""

    label: str
    kind: FileKind
    size: int
    locked: bool
    """Whether the infrared keyboard is kept from changing it."""
    extra: str
    """TEXT: start and stop time, "FFFF" is always. STRING: "0000". DOTS: its colours."""

    @classmethod
    def text(cls, label: str, size: int) -> File:
        """A text that is always shown and that no remote control can change."""
        return cls(label, FileKind.TEXT, size, locked=True, extra="FFFF")

    @classmethod
    def string(cls, label: str, size: int) -> File:
        return cls(label, FileKind.STRING, size, locked=True, extra="0000")


class ConfigureMemory(Value):
    """Set a new memory layout; everything in the memory is lost."""

    files: tuple[File, ...]


class SetRunSequence(Value):
    labels: str
    order: RunOrder = RunOrder.IN_SEQUENCE
    locked: bool = True


class SoftReset(Value):
    """Restart; the memory is kept."""


class MemoryPool(Value):
    """Answer: the memory in bytes, and what is free of it."""

    size: int
    free: int


class GeneralInformation(Value):
    """Answer: what the sign says about itself."""

    firmware: str
    revision: str
    """One character, or none."""
    released: str
    """Month and year, four digits."""
    time: str
    """Hour and minute, four digits."""
    military: bool
    speaker_on: bool
    size: int
    free: int


SpecialFunction = (
    SetTime
    | SetDate
    | SetDayOfWeek
    | SetTimeFormat
    | SetSpeaker
    | Tone
    | Beep
    | ClearMemory
    | ClearAndCompact
    | ConfigureMemory
    | SetRunSequence
    | SoftReset
    | MemoryPool
    | GeneralInformation
)


def encode_special(command: SpecialFunction) -> bytes:
    """The bytes behind the E."""
    match command:
        case SetTime(hour, minute):
            return b" " + _decimal(hour, 0, 23) + _decimal(minute, 0, 59)
        case SetDate(month, day, year):
            return b";" + _decimal(month, 1, 12) + _decimal(day, 1, 31) + _decimal(year, 0, 99)
        case SetDayOfWeek(day):
            return b"&" + _decimal(day, 1, 7)[1:]
        case SetTimeFormat(military):
            return b"'" + _format(military)
        case SetSpeaker(on):
            return b"!" + _speaker(on)
        case Tone(sound):
            return b"(" + sound.value
        case Beep(frequency, tenths, repeats):
            return b"(2" + _hex(frequency, 2, 0xFE) + _hex(tenths, 1, 0xF, least=1) + _hex(repeats, 1, 0xF)
        case ClearMemory():
            return b"$"
        case ClearAndCompact():
            return b"$$$$"
        case ConfigureMemory(files):
            return b"$" + _records(files)
        case SetRunSequence(labels, order, locked):
            if len(labels) > MAX_SEQUENCE:
                raise ProtocolError(f"a run sequence has up to {MAX_SEQUENCE} labels, this one {len(labels)}")
            return b"." + order.value + _lock(locked) + b"".join(map(check_label, labels))
        case SoftReset():
            return b","
        case MemoryPool(size, free):
            return b"#" + _hex(size, 4) + b"," + _hex(free, 4)
        case GeneralInformation():
            return b'"' + _encode_information(command)


def decode_special(data: bytes) -> SpecialFunction:
    """The special function in the bytes behind the E; `ProtocolError` says why there is none."""
    reader = _READERS.get(data[:1])
    if reader is None:
        raise ProtocolError(f"there is no special function {data[:1]!r}, or we do not speak it")
    return reader(data[1:])


def _records(files: tuple[File, ...]) -> bytes:
    labels = [file.label for file in files]
    if not files:
        raise ProtocolError("a memory configuration has at least one file; to forget all there is ClearMemory")
    if len(set(labels)) != len(labels):
        raise ProtocolError(f"each file has its own label, these are {' '.join(labels)}")
    return b"".join(map(_record, files))


def _record(file: File) -> bytes:
    if file.label == PRIORITY:
        raise ProtocolError("the priority file 0 is always there and is not configured")
    if not re.fullmatch(r"[0-9A-F]{4}", file.extra):
        raise ProtocolError(f"a record ends with four hex digits, not {file.extra!r}")
    if file.kind is FileKind.STRING and not (file.locked and file.extra == "0000" and file.size <= MAX_STRING):
        raise ProtocolError(f"a string is locked, has 0000 at its end and up to {MAX_STRING} bytes: {file}")
    return check_label(file.label) + file.kind.value + _lock(file.locked) + _hex(file.size, 4) + file.extra.encode()


def _encode_information(information: GeneralInformation) -> bytes:
    words = (information.firmware, information.revision, information.released, information.time)
    if [len(word) for word in words] not in ([8, 0, 4, 4], [8, 1, 4, 4]):
        raise ProtocolError(f"firmware, revision, month and time have 8, 0 or 1, 4 and 4 characters: {information}")
    if not all(" " <= character <= "~" for word in words for character in word):
        raise ProtocolError(f"general information has printable characters only: {information}")
    return (
        "".join(words).encode("ascii")
        + _format(information.military)
        + _speaker(information.speaker_on)
        + _hex(information.size, 4)
        + b","
        + _hex(information.free, 4)
    )


_RECORD = re.compile(rb"([\x20-\x3e\x40-\x7e])([ABD])([UL])([0-9A-Fa-f]{4})([0-9A-Fa-f]{4})")
# The revision may be missing, in the midst of fields that are fixed, so everything is matched at once.
_INFORMATION = rb"([\x20-\x7e]{8})([\x20-\x7e]?)([0-9]{4})([0-9]{4})([SM])(00|FF)([0-9A-F]{4}),([0-9A-F]{4})"


def _decode_memory(data: bytes) -> SpecialFunction:
    if not data:
        return ClearMemory()
    if data == b"$$$":
        return ClearAndCompact()
    records = _RECORD.findall(data)
    if len(records) * 11 != len(data):
        raise ProtocolError("a memory configuration has records of 11 characters, this one is different")
    return ConfigureMemory(
        tuple(
            File(label.decode(), FileKind(kind), int(size, 16), lock == b"L", extra.decode().upper())
            for label, kind, lock, size, extra in records
        )
    )


def _decode_information(data: bytes) -> GeneralInformation:
    words = _match(_INFORMATION, data, "general information")
    firmware, revision, released, time = (word.decode("ascii") for word in words[:4])
    form, speaker, size, free = words[4:]
    return GeneralInformation(
        firmware, revision, released, time, form == b"M", speaker == b"00", int(size, 16), int(free, 16)
    )


def _decode_tone(data: bytes) -> Tone | Beep:
    if data in (b"0", b"1"):
        return Tone(Sound(data))
    frequency, tenths, repeats = _match(rb"2([0-9A-E][0-9A-F]|F[0-9A-E])([1-9A-F])([0-9A-F])", data, "a tone")
    return Beep(int(frequency, 16), int(tenths, 16), int(repeats, 16))


def _decode_sequence(data: bytes) -> SetRunSequence:
    order, lock, labels = _match(rb"([TSD])([UL])([\x20-\x3e\x40-\x7e]{0,128})", data, "a run sequence")
    return SetRunSequence(labels.decode("ascii"), RunOrder(order), lock == b"L")


def _decode_pool(data: bytes) -> MemoryPool:
    size, free = _match(rb"([0-9A-F]{4}),([0-9A-F]{4})", data, "a memory pool")
    return MemoryPool(int(size, 16), int(free, 16))


def _decode_time(data: bytes) -> SetTime:
    hour, minute = _match(rb"([01][0-9]|2[0-3])([0-5][0-9])", data, "a time")
    return SetTime(int(hour), int(minute))


def _decode_date(data: bytes) -> SetDate:
    found = _match(rb"(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])([0-9]{2})", data, "a date")
    month, day, year = map(int, found)
    return SetDate(month, day, year)


def _decode_day(data: bytes) -> SetDayOfWeek:
    return SetDayOfWeek(int(_match(rb"([1-7])", data, "a day of the week")[0]))


def _decode_format(data: bytes) -> SetTimeFormat:
    return SetTimeFormat(_match(rb"([SM])", data, "a time format")[0] == b"M")


def _decode_speaker(data: bytes) -> SetSpeaker:
    return SetSpeaker(_match(rb"(00|FF)", data, "a speaker status")[0] == b"00")


def _decode_reset(data: bytes) -> SoftReset:
    if data:
        raise ProtocolError(f"a soft reset has no data, this one has {data[:8]!r}")
    return SoftReset()


_READERS: dict[bytes, Callable[[bytes], SpecialFunction]] = {
    b" ": _decode_time,
    b"!": _decode_speaker,
    b'"': _decode_information,
    b"#": _decode_pool,
    b"$": _decode_memory,
    b"&": _decode_day,
    b"'": _decode_format,
    b"(": _decode_tone,
    b",": _decode_reset,
    b".": _decode_sequence,
    b";": _decode_date,
}


def _match(pattern: bytes, data: bytes, what: str) -> tuple[bytes, ...]:
    found = re.fullmatch(pattern, data)
    if found is None:
        raise ProtocolError(f"{data[:32]!r} is not {what}")
    return found.groups()


def _decimal(value: int, least: int, most: int) -> bytes:
    if not least <= value <= most:
        raise ProtocolError(f"{value} is not between {least} and {most}")
    return b"%02d" % value


def _hex(value: int, digits: int, most: int | None = None, *, least: int = 0) -> bytes:
    most = 16**digits - 1 if most is None else most
    if not least <= value <= most:
        raise ProtocolError(f"{value} is not between {least} and {most}")
    return b"%0*X" % (digits, value)


def _lock(locked: bool) -> bytes:
    return b"L" if locked else b"U"


def _format(military: bool) -> bytes:
    return b"M" if military else b"S"


def _speaker(on: bool) -> bytes:
    return b"00" if on else b"FF"
