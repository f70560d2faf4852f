"""The bytes that the manual gives names to.

Each value is the code on the wire. Where owners and libraries disagree about a name the manual's table
counts (9708-8061F, tables 12, 15 and 65 to 67, appendix G); the page says where the manual contradicts itself.
"""

from __future__ import annotations

from enum import Enum

NUL = b"\x00"
SOH = b"\x01"
STX = b"\x02"
ETX = b"\x03"
EOT = b"\x04"
ESC = b"\x1b"

ALL_TYPES = "Z"
RESPONSE = "0"
"""The type code of every answer."""

PRIORITY = "0"
"""The label of the file that takes the whole display while it holds a message."""

MAX_STRING = 125
MAX_PRIORITY = 125
MAX_SEQUENCE = 128
FILE_OVERHEAD = 11
"""What each configured file costs beside its size."""


class Position(Enum):
    """Where on a sign of several lines a message is shown."""

    MIDDLE = b" "
    TOP = b'"'
    BOTTOM = b"&"
    FILL = b"0"
    LEFT = b"1"
    RIGHT = b"2"


class Mode(Enum):
    """How a message arrives on the display."""

    ROTATE = b"a"
    HOLD = b"b"
    FLASH = b"c"
    ROLL_UP = b"e"
    ROLL_DOWN = b"f"
    ROLL_LEFT = b"g"
    ROLL_RIGHT = b"h"
    WIPE_UP = b"i"
    WIPE_DOWN = b"j"
    WIPE_LEFT = b"k"
    WIPE_RIGHT = b"l"
    SCROLL = b"m"
    AUTOMODE = b"o"
    ROLL_IN = b"p"
    ROLL_OUT = b"q"
    WIPE_IN = b"r"
    WIPE_OUT = b"s"
    COMPRESSED_ROTATE = b"t"
    EXPLODE = b"u"
    CLOCK = b"v"
    TWINKLE = b"n0"
    SPARKLE = b"n1"
    SNOW = b"n2"
    INTERLOCK = b"n3"
    SWITCH = b"n4"
    SLIDE = b"n5"
    SPRAY = b"n6"
    STARBURST = b"n7"
    WELCOME = b"n8"
    SLOT_MACHINE = b"n9"
    NEWS_FLASH = b"nA"
    TRUMPET = b"nB"
    CYCLE_COLOURS = b"nC"
    THANK_YOU = b"nS"
    NO_SMOKING = b"nU"
    DONT_DRINK_AND_DRIVE = b"nV"
    RUNNING_ANIMAL = b"nW"
    FIREWORKS = b"nX"
    TURBO_CAR = b"nY"
    CHERRY_BOMB = b"nZ"


class Colour(Enum):
    """From here on the characters have this colour."""

    RED = b"\x1c1"
    GREEN = b"\x1c2"
    AMBER = b"\x1c3"
    DIM_RED = b"\x1c4"
    DIM_GREEN = b"\x1c5"
    BROWN = b"\x1c6"
    ORANGE = b"\x1c7"
    YELLOW = b"\x1c8"
    RAINBOW_1 = b"\x1c9"
    RAINBOW_2 = b"\x1cA"
    MIX = b"\x1cB"
    AUTO = b"\x1cC"


class Font(Enum):
    """From here on the characters are of this set."""

    FIVE_HIGH = b"\x1a1"
    FIVE_STROKE = b"\x1a2"
    SEVEN_HIGH = b"\x1a3"
    SEVEN_STROKE = b"\x1a4"
    SEVEN_FANCY = b"\x1a5"
    TEN_HIGH = b"\x1a6"
    SEVEN_SHADOW = b"\x1a7"
    FULL_HEIGHT_FANCY = b"\x1a8"
    FULL_HEIGHT = b"\x1a9"
    SEVEN_SHADOW_FANCY = b"\x1a:"
    FIVE_WIDE = b"\x1a;"
    SEVEN_WIDE = b"\x1a<"
    SEVEN_FANCY_WIDE = b"\x1a="
    FIVE_WIDE_STROKE = b"\x1a>"


class Control(Enum):
    """What a message contains as one byte, or as a switch of two or three."""

    NO_HOLD = b"\x09"
    NEW_PAGE = b"\x0c"
    NEW_LINE = b"\x0d"
    TIME = b"\x13"
    SPEED_1 = b"\x15"
    SPEED_2 = b"\x16"
    SPEED_3 = b"\x17"
    SPEED_4 = b"\x18"
    SPEED_5 = b"\x19"
    DOUBLE_HEIGHT_ON = b"\x051"
    DOUBLE_HEIGHT_OFF = b"\x050"
    TRUE_DESCENDERS_ON = b"\x061"
    TRUE_DESCENDERS_OFF = b"\x060"
    FLASH_ON = b"\x071"
    FLASH_OFF = b"\x070"
    WIDE_ON = b"\x12"
    WIDE_OFF = b"\x11"
    FIXED_WIDTH_ON = b"\x1e1"
    FIXED_WIDTH_OFF = b"\x1e0"
    ATTRIBUTE_WIDE_ON = b"\x1d01"
    ATTRIBUTE_WIDE_OFF = b"\x1d00"
    ATTRIBUTE_DOUBLE_WIDE_ON = b"\x1d11"
    ATTRIBUTE_DOUBLE_WIDE_OFF = b"\x1d10"
    ATTRIBUTE_DOUBLE_HIGH_ON = b"\x1d21"
    ATTRIBUTE_DOUBLE_HIGH_OFF = b"\x1d20"
    ATTRIBUTE_DESCENDERS_ON = b"\x1d31"
    ATTRIBUTE_DESCENDERS_OFF = b"\x1d30"
    ATTRIBUTE_FIXED_ON = b"\x1d41"
    ATTRIBUTE_FIXED_OFF = b"\x1d40"
    ATTRIBUTE_FANCY_ON = b"\x1d51"
    ATTRIBUTE_FANCY_OFF = b"\x1d50"
    ATTRIBUTE_AUXILIARY_ON = b"\x1d61"
    ATTRIBUTE_AUXILIARY_OFF = b"\x1d60"
    ATTRIBUTE_SHADOW_ON = b"\x1d71"
    ATTRIBUTE_SHADOW_OFF = b"\x1d70"


class FileKind(Enum):
    """What a file of the sign's memory holds. The manual prints 43 beside the D of DOTS; the letter counts."""

    TEXT = b"A"
    STRING = b"B"
    DOTS = b"D"


class Sound(Enum):
    """The tones that every speaker knows."""

    LONG = b"0"
    THREE_BEEPS = b"1"


class RunOrder(Enum):
    """How the sign goes through its text files."""

    BY_TIME = b"T"
    IN_SEQUENCE = b"S"
    BY_TIME_THEN_DELETE = b"D"


class Readable(Enum):
    """The special functions that a sign can be asked about."""

    GENERAL_INFORMATION = b'"'
    MEMORY_POOL = b"#"
    MEMORY = b"$"
    RUN_SEQUENCE = b"."
