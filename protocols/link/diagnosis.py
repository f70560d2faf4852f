"""What is wrong with a device that is nearly right: one sentence for whoever brings it up.

A `Diagnosis` belongs to one session of the controller. It gets the bytes that came before the session was up, and a
note of each frame that the link ignored after that. It changes nothing and keeps at most `KEPT` bytes. Its sentences
are the same at each attempt and have no byte of the wire in them, so an alarm may publish them. The bytes are in
`Finding.came`: for the bench only, since bytes that cannot be decoded may name cards.

docs/protocols/bring-up.md lists the findings in the order in which they are looked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

from msgspec.structs import replace

from protocols.errors import ProtocolError
from protocols.link import frames
from protocols.link.frames import Down, Hello, Reset
from protocols.link.framing import CRC_RESIDUE, MAX_STUFFED, cobs_decode, crc16, encode_frame
from protocols.values import Value

PAGE = "device-link.md"
KEPT = 1024
"""Bytes: a dozen answers, or the beginning of any noise."""
SHOWN = 48
"""Bytes of them that a person reads in one line."""
ENOUGH = 16
"""Bytes from which a property that all of them share is no chance."""


class Finding(Value, kw_only=True):
    """One cause, and the paragraph that it offends."""

    HIDDEN = frozenset({"came"})
    text: str
    section: str
    came: bytes = b""
    """What shows it, as it came on the wire. It may name cards."""
    expected: str = ""
    may_be_speed: bool = False
    """Another speed of the port may find the device."""

    @property
    def rows(self) -> list[str]:
        """The bytes that show it, for the bench: what came and what was expected."""
        came = self.came[:SHOWN].hex(" ") + (" …" if len(self.came) > SHOWN else "")
        return [f"came      {came}"] * bool(came) + [f"expected  {self.expected}"] * bool(self.expected)

    def __str__(self) -> str:
        return f"{self.text} ({PAGE}, section {self.section})"


class Diagnosis:
    """What one attempt at a session has shown."""

    def __init__(self, token: int | None) -> None:
        """`token`: that of our RESET; None at the end that sends none."""
        self._token = (token or 0).to_bytes(4, "big")
        self._before = bytearray()
        self._lasting: Finding | None = None
        """From frames that no noise makes."""
        self._passing: Finding | None = None
        """Until a frame of the session comes."""

    def before_session(self, data: bytes) -> None:
        """Bytes came while there was no session."""
        self._before += data[: KEPT - len(self._before)]

    def of_this_session(self) -> None:
        """A good frame of the session came."""
        self._passing = None

    def second_hello(self, body: bytes, session: int) -> None:
        """In the session, another HELLO came that answers our RESET."""
        text = "two devices answer on this line, or one that begins a new session at each repeated RESET"
        expected = _the_session(session)
        self._lasting = Finding(text=text, section="4, rule 3", came=encode_frame(body), expected=expected)

    def ignored(self, body: bytes, error: ProtocolError) -> None:
        """A good frame came that the link does not know."""
        if self._lasting is None:
            self._lasting = replace(_ignored(error), came=encode_frame(body))

    def stray(self, frame: frames.Frame, session: int) -> None:
        """A frame of another session came."""
        if self._passing is None:
            came, expected = encode_frame(frames.encode(frame)), _the_session(session)
            text = "frames of another session come"
            self._passing = Finding(text=text, section="4, rule 4", came=came, expected=expected)

    def overrun(self, data: bytes) -> None:
        """A run of bytes was longer than any frame; `data`: the last of it."""
        if self._passing is None:
            self._passing = replace(_OVERRUN, came=data[:KEPT])

    def of_the_session(self) -> Finding | None:
        """What was wrong with frames that came in the session."""
        return self._lasting or self._passing

    @property
    def words(self) -> str:
        """The same, to be put behind the failure of a session; empty where nothing was wrong."""
        found = self.of_the_session()
        return "" if found is None else f": {found}"

    def of_no_session(self) -> Finding | None:
        """Why there is no session; None where nothing came."""
        came = bytes(self._before)
        if not came:
            return None
        pieces = [piece for piece in came.split(b"\0") if piece]
        for piece in pieces:
            found = self._of_piece(piece)
            if found is not None:
                return found
        return self._of_bytes(came, pieces)

    def _of_piece(self, piece: bytes) -> Finding | None:
        """What a run between two zeros says; None where it says nothing."""
        try:
            whole = cobs_decode(piece)
        except ProtocolError:
            return None
        wire = b"\0" + piece + b"\0"
        if _is_good(whole):
            return self._of_body(whole[:-2], wire)
        fault = _crc_fault(whole[:-2], whole[-2:])
        if fault:
            expected = f"the CRC {crc16(whole[:-2]).to_bytes(2, 'big').hex(' ')}, the most significant byte first"
            return Finding(text=fault, section="2", came=wire, expected=expected)
        with suppress(ProtocolError):
            if isinstance(frames.decode(whole), Hello):
                expected = f"the CRC {crc16(whole).to_bytes(2, 'big').hex(' ')} behind the body"
                return Finding(text="its frames have no CRC", section="2", came=wire, expected=expected)
        return None

    def _of_body(self, body: bytes, wire: bytes) -> Finding | None:
        """What a good frame says that did not begin the session."""
        try:
            frame = frames.decode(body)
        except ProtocolError as error:
            return self._of_malformed(body, wire, error)
        match frame:
            case Hello(token=token) if token.to_bytes(4, "big") == self._token:
                return None
            case Hello(token=token) if token.to_bytes(4, "little") == self._token:
                text = "its numbers have the least significant byte first"
                return Finding(text=text, section="1", came=wire, expected=self._the_token())
            case Hello():
                text = "its HELLO has another token than the RESET"
                return Finding(text=text, section="4, rule 1", came=wire, expected=self._the_token())
        return None

    def _of_malformed(self, body: bytes, wire: bytes, error: ProtocolError) -> Finding:
        if body[0] != frames.FrameKind.HELLO:
            return replace(_ignored(error), came=wire)
        if len(body) == frames.HEAD_SIZE + frames.HELLO_SIZE and not any(body[1:5]):
            expected = "a session number that is not 0 and was never used before"
            return Finding(text="its HELLO has session 0", section="4, rule 2", came=wire, expected=expected)
        return Finding(text=f"its HELLO cannot be used: {error}", section="3", came=wire)

    def _the_token(self) -> str:
        return f"the token {self._token.hex(' ')}"

    def _a_hello(self) -> str:
        return f"a HELLO that has {self._the_token()}"

    def _of_bytes(self, came: bytes, pieces: list[bytes]) -> Finding:
        """What all of it says, where no frame says more."""
        good = [frame for piece in pieces for frame in _good_frames(piece)]
        if good and all(isinstance(frame, Reset) for frame in good):
            text = "everything that was sent came back, and nothing else: an echo"
            return Finding(text=text, section="1", came=came, expected=self._a_hello())
        if good:
            only = " but DOWN" if all(isinstance(frame, Down) for frame in good) else ""
            text = f"it sends no frame{only}" if only else "it sends frames but no HELLO"
            return Finding(text=f"{text} after a RESET", section="4", came=came, expected=self._a_hello())
        if self._token in came:
            text = "the token came back, but not in a frame: the byte stuffing or the zeros around it are missing"
            expected = "00, the stuffed body and its CRC, 00"
            return Finding(text=text, section="2", came=came, expected=expected)
        if any(len(piece) > MAX_STUFFED for piece in pieces):
            return replace(_OVERRUN, came=came)
        text = _of_line(came)
        return Finding(text=text, section="1", came=came, expected=self._a_hello(), may_be_speed=True)


_OVERRUN = Finding(
    text="a run of more than 255 bytes without a zero came: a payload that is too long, or no byte stuffing",
    section="2",
    expected="a zero after at most 255 bytes",
)


def _good_frames(piece: bytes) -> Iterator[frames.Frame]:
    with suppress(ProtocolError):
        whole = cobs_decode(piece)
        if _is_good(whole):
            yield frames.decode(whole[:-2])


def _the_session(session: int) -> str:
    return f"frames of the session {session:08x} only"


def _ignored(error: ProtocolError) -> Finding:
    expected = "a frame of section 3, with a payload of at most 240 bytes"
    return Finding(text=f"a frame came that the link ignores: {error}", section="3", expected=expected)


def _is_good(whole: bytes) -> bool:
    return len(whole) > 2 and crc16(whole) == CRC_RESIDUE


def _crc_fault(body: bytes, crc: bytes) -> str:
    """What is wrong with a CRC that is nearly right; empty where nothing known fits."""
    if len(body) < frames.HEAD_SIZE:
        return ""
    if crc16(body).to_bytes(2, "little") == crc:
        return "its CRC has the least significant byte first"
    for name, compute in _OTHER_CRCS.items():
        other = compute(body)
        if crc in (other.to_bytes(2, "big"), other.to_bytes(2, "little")):
            order = "" if crc == other.to_bytes(2, "big") else " with the least significant byte first"
            return f"its frames have {name}{order}, the link has CRC-16/GENIBUS"
    return ""


def _of_line(came: bytes) -> str:
    """What the line does to bytes of which none is a frame."""
    text = sum(byte in b"\r\n\t" or 0x20 <= byte < 0x7F for byte in came)
    if len(came) >= ENOUGH and text >= 0.9 * len(came):
        return "what came is text, no frame: a start-up message, or a device with another protocol"
    if len(came) >= ENOUGH:
        odd = {byte.bit_count() % 2 for byte in came}
        if len(odd) == 1:
            parity = "odd" if odd == {1} else "even"
            return f"every byte has {parity} parity: the device sends 7 data bits and a parity bit, the link 8 and none"
        if max(came) < 0x80:
            return "no byte has its highest bit: the device sends 7 data bits, the link has 8"
    return "what came is no frame: another speed or parity, or a device with another protocol"


def _reflected(data: bytes, polynomial: int, register: int) -> int:
    for byte in data:
        register ^= byte
        for _ in range(8):
            register = register >> 1 ^ polynomial if register & 1 else register >> 1
    return register


def _plain(data: bytes, register: int) -> int:
    for byte in data:
        register ^= byte << 8
        for _ in range(8):
            register = (register << 1 ^ 0x1021 if register & 0x8000 else register << 1) & 0xFFFF
    return register


_OTHER_CRCS: dict[str, Callable[[bytes], int]] = {
    "CRC-16/CCITT-FALSE": lambda data: _plain(data, 0xFFFF),
    "CRC-16/XMODEM": lambda data: _plain(data, 0),
    "CRC-16/AUG-CCITT": lambda data: _plain(data, 0x1D0F),
    "CRC-16/GSM": lambda data: _plain(data, 0) ^ 0xFFFF,
    "CRC-16/KERMIT": lambda data: _reflected(data, 0x8408, 0),
    "CRC-16/X-25": lambda data: _reflected(data, 0x8408, 0xFFFF) ^ 0xFFFF,
    "CRC-16/MCRF4XX": lambda data: _reflected(data, 0x8408, 0xFFFF),
    "CRC-16/MODBUS": lambda data: _reflected(data, 0xA001, 0xFFFF),
    "CRC-16/ARC": lambda data: _reflected(data, 0xA001, 0),
    "CRC-16/USB": lambda data: _reflected(data, 0xA001, 0xFFFF) ^ 0xFFFF,
}
"""Those that firmware libraries have, by their names in the catalogue of parametrised CRC algorithms."""
