"""What one sign holds, as far as we know, and what it needs next.

A sign cannot be trusted to have what was written to it: it may be off, its memory may be gone, noise may have eaten the
packet. `SignMemory` notes each write, forgets all of them when the sign turns out to have forgotten, and says which
command brings the sign closest to what it should show. It knows nothing of lines and ports.
"""

from __future__ import annotations

from typing import Literal

from devices.drivers.reader_board.content import TEXT, BoardContent, Picture, memory_for, picture
from devices.drivers.reader_board.options import SignOptions
from protocols.alpha.codes import PRIORITY, FileKind, Readable
from protocols.alpha.commands import Command, ReadSpecial, ReadText, WriteString, WriteText
from protocols.alpha.special import ClearMemory, ConfigureMemory, File, GeneralInformation
from protocols.alpha.text import CallString

SILENT_AFTER = 3
"""Questions without an answer. One may be lost; a sign that is busy may miss two."""
GIVE_UP_CONFIGURING = 3
"""A sign that does not keep its table after this many times never will; it gets plain texts."""
SURE = 2
"""How often a changed string is sent before it only takes its turn."""

Presence = Literal["unknown", "there", "silent"]
Question = ReadSpecial | ReadText


class SignMemory:
    """One sign, from the opening of the port on."""

    def __init__(self, options: SignOptions, *, clear_first: bool) -> None:
        self.options = options
        self.presence: Presence = "unknown"
        self.trouble = ""
        """What a technician should know, empty when all is well."""
        self.information: GeneralInformation | None = None
        self._files = memory_for(options.panels, columns=options.columns)
        self._clear_first = clear_first
        self._picture: Picture | None = None
        self._misses = 0
        self._forget()

    def show(self, content: BoardContent) -> None:
        """What the sign should show from now on."""
        options = self.options
        self._picture = picture(content, options.panels, rows=options.rows, columns=options.columns)

    @property
    def is_right(self) -> bool:
        """Whether the sign shows what it should, as far as we know."""
        wanted = self._picture
        if wanted is None:
            return True
        text = self._held.get(TEXT)
        shown = text == wanted.inline or (text == wanted.calls and not self._stale(wanted))
        return self._held.get(PRIORITY) == wanted.notice and shown

    @property
    def is_known(self) -> bool:
        """Whether it is there and was asked who it is."""
        return self.presence == "there" and self._asked_information

    def next_command(self) -> Command | None:
        """The command that matters most now, a question included; None when the sign is right and has its strings."""
        wanted, held = self._picture, self._held
        if wanted is not None and wanted.notice.sections and held.get(PRIORITY) != wanted.notice:
            return wanted.notice
        if self._check_text:
            return ReadText(TEXT)
        if self.presence == "there" and self.is_right and not self._asked_information:
            return ReadSpecial(Readable.GENERAL_INFORMATION)
        return None if wanted is None else self._next_write(wanted)

    def repeat(self) -> WriteString | None:
        """A string to send once more, in case it was lost: the newest until they are sure, then each in its turn."""
        if not self._uses_strings or self._picture is None or self._stale(self._picture):
            return None
        strings = self._picture.strings
        return min(strings, key=lambda s: (self._sent[s.label][0] >= SURE, self._sent[s.label][1]), default=None)

    @property
    def must_repeat(self) -> bool:
        """Whether a string has not been sent often enough yet."""
        again = self.repeat()
        return again is not None and self._sent[again.label][0] < SURE

    def wrote(self, command: Command, now: float) -> None:
        """This was sent."""
        match command:
            case ClearMemory():
                self._held.clear()
                self._is_cleared = True
            case ConfigureMemory():
                self._held.clear()
                self._is_laid_out = True
                self._times_laid_out += 1
            case WriteText():
                self._held[command.label] = command
                if command.label == TEXT:
                    lasts = self._calls_strings or not self._uses_strings or not self._text_taken
                    tries = self._text_refused < GIVE_UP_CONFIGURING
                    self._check_text = self.presence == "there" and lasts and tries
                    self._string_is_next = True
            case WriteString():
                times = self._sent.get(command.label, (0, 0.0))[0] if self._held.get(command.label) == command else 0
                self._held[command.label] = command
                self._sent[command.label] = (times + 1, now)
                self._string_is_next = False
            case _:
                pass

    def answered(self, question: Question, answer: Command) -> bool:
        """The sign said this. False: it is not an answer to that question."""
        match question, answer:
            case ReadSpecial(Readable.MEMORY), ConfigureMemory(files):
                self._table_is(files)
            case ReadSpecial(Readable.MEMORY), ClearMemory():
                self._table_is(())
            case ReadSpecial(Readable.GENERAL_INFORMATION), GeneralInformation():
                self.information = answer
                self._asked_information = True
            case ReadText(), WriteText(label) if label == question.label:
                self._text_is(answer)
            case _:
                return False
        return True

    def missed(self, question: Question) -> None:
        """The sign said nothing."""
        match question:
            case ReadSpecial(Readable.MEMORY):
                self._misses += 1
                if self._misses >= SILENT_AFTER and self.presence != "silent":
                    self.presence = "silent"
                    self._forget()
            case ReadText():
                self._check_text = False
            case _:
                self._asked_information = True

    @property
    def is_plain(self) -> bool:
        """Whether everything is in its text, because it cannot be asked or does not keep its memory."""
        return not self._uses_strings

    def doubt(self) -> None:
        """Write text and notice again: they may be lost."""
        self._held.pop(TEXT, None)
        self._held.pop(PRIORITY, None)

    def _forget(self) -> None:
        """Nothing is known of its memory. A sign that says nothing keeps the table that it has, if any."""
        self._held: dict[str, WriteText | WriteString] = {}
        self._sent: dict[str, tuple[int, float]] = {}
        self._is_laid_out = self.presence == "silent"
        self._uses_strings = self.presence != "silent" and self.options.answers
        self._is_cleared = False
        self._times_laid_out = 0
        self._check_text = False
        self._text_taken: bool = False
        self._text_refused: int = 0
        self._asked_information = False
        self._string_is_next = False

    def _table_is(self, files: tuple[File, ...]) -> None:
        self._misses = 0
        ours = self._is_ours(files)
        if self.presence != "there":
            self.presence = "there"
            self.trouble = ""
            self._forget()
            self._is_laid_out = ours
        elif ours:
            self._times_laid_out = 0
        elif self._uses_strings and self._is_laid_out:
            self._held.clear()
            self._is_laid_out = self._is_cleared = False
            if self._times_laid_out >= GIVE_UP_CONFIGURING:
                self.trouble = "it does not keep the memory configuration that it is given"
                self._uses_strings, self._is_laid_out = False, True

    def _is_ours(self, files: tuple[File, ...]) -> bool:
        """The first file may have grown: a sign gives it what is left of the memory."""
        if not files or files[1:] != self._files[1:]:
            return False
        first, mine = files[0], self._files[0]
        return (first.label, first.kind) == (mine.label, FileKind.TEXT) and first.size >= mine.size

    def _text_is(self, text: WriteText) -> None:
        self._check_text = False
        if text == self._held.get(TEXT):
            self._text_taken, self._text_refused = True, 0
        else:
            self._held.pop(TEXT, None)
            self._text_refused += 1

    def _next_write(self, wanted: Picture) -> Command | None:
        if not self._is_laid_out:
            if self._clear_first and not self._is_cleared:
                return ClearMemory()
            return ConfigureMemory(self._files if self._uses_strings else self._files[:1])
        if self._held.get(TEXT) in (wanted.inline, wanted.calls) and self._held.get(PRIORITY) != wanted.notice:
            return wanted.notice
        return self._next_for_text(wanted)

    def _next_for_text(self, wanted: Picture) -> Command | None:
        text = self._held.get(TEXT)
        if not self._uses_strings:
            return None if text == wanted.inline else wanted.inline
        stale = self._stale(wanted)
        never_sent = [string for string in stale if string.label not in self._held]
        if never_sent and not self._calls_strings:
            # The board is right at once with everything in its text; the strings are built behind it, and content that
            # changes all the time must not keep them from it.
            return never_sent[0] if text == wanted.inline or self._string_is_next else wanted.inline
        if never_sent or stale:
            return (never_sent or stale)[0]
        return None if text == wanted.calls else wanted.calls

    @property
    def _calls_strings(self) -> bool:
        """Whether the text that the sign has calls strings."""
        text = self._held.get(TEXT)
        return isinstance(text, WriteText) and any(
            isinstance(item, CallString) for section in text.sections for item in section.items
        )

    def _stale(self, wanted: Picture) -> list[WriteString]:
        if not self._uses_strings:
            return []
        return [string for string in wanted.strings if self._held.get(string.label) != string]
