"""The gate for commands over MQTT: each request is checked, done at most once, and answered.

Every request whose sender is known gets an answer: one that is too large, or comes too often, gets its refusal when it
arrives and never waits. So no flood fills the memory, and no client is left without a word.

A request is rejected, with the reason, unless its topic names a role and a client (the broker lets nobody else publish
there), the role may give that command, it is well formed, it has not expired, and the client does not ask too often.
Rejected means: nothing changes, and there is a line in the log, with a limited number of lines per minute.

What passes becomes an input with its `Asked`, in one commit with what it causes and with its answer. The same request
sent again, whatever power cuts lie between, finds the answer there (`engine.house`). `ping` and `replay` only read:
they are not in the journal, because a client that may only read must not be able to fill it.

docs/mqtt/README.md is the page for those who send requests.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import NoReturn

from aiomqtt import Message
from msgspec import UNSET, Struct

from controller import __version__
from controller.contract import requests as ask
from controller.contract.messages import encode
from controller.contract.topics import Topics
from controller.contract.why import Why, why_of
from controller.engine import inputs as happened
from controller.engine.expect.want import Refusal
from controller.engine.reading import Unreadable
from controller.engine.table.answers import answer_key
from controller.journal import JournalError
from controller.mqtt.envelope import payload
from controller.mqtt.rate_limit import RateLimit, RateLimitedLog
from controller.operator.console_view import put_in
from controller.operator.roles import COMMANDS, Right, Role, may_command
from controller.recorder.recorder import Recorder
from controller.rules import RulesError, resolve

log = logging.getLogger("cutcard.commands")

MOST_BYTES = 16 * 1024
"""Of a request; the longest lawful one, an amendment of a whole round, is a few kilobytes."""
MOST_CORRELATION = 128
_WAITING = 64
"""Requests that wait for the one before them."""
_AT_ONCE, _A_SECOND = 20, 2.0
"""The rate limit of one client: requests in a row, and requests per second in the long run."""
_READS_FOR_ONE = 10
"""The limit for requests that only read is higher by this factor: a consumer fills a long hole piece by piece."""
_PAGE = 256
_CLIENT = re.compile(r"[A-Za-z0-9_.@-]{1,64}")

Answer = Callable[[str, Iterator[bytes], bytes | None], None]
Blink = Callable[[str, int], None]


class Rejected(Exception):
    """A request that is rejected: a code for programs, a sentence for people."""

    def __init__(self, why: Why, text: str) -> None:
        super().__init__(text)
        self.why, self.text = why, text


class Sender(Struct, frozen=True):
    """Who asks, as the broker has made sure."""

    role: Role
    client: str

    def __str__(self) -> str:
        return f"{self.role}:{self.client}"


class _Arrived(Struct, frozen=True):
    """A request whose sender is known."""

    message: Message
    sender: Sender
    command: str
    reply: str
    """The topic for its answer."""
    correlation: bytes | None


def _named(sender: Sender, request: ask.Request) -> str:
    """Who asks: the client, and the person that it names."""
    return str(sender) if request.by is None else f"{sender}/{request.by}"


def _reply(id: str, ok: bool, code: str, text: str) -> ask.Reply:
    """The answer that the table itself gives."""
    return ask.Reply(id=id, ok=True) if ok else ask.Reply(id=id, ok=False, why=why_of(code), code=code, text=text)


def _milliseconds() -> int:
    return time.time_ns() // 1_000_000


class CommandGate:
    """Carries out the requests for one table, one after the other."""

    def __init__(
        self,
        recorder: Recorder,
        *,
        session: str,
        answer: Answer,
        blink: Blink,
        can_blink: Callable[[str], bool],
        is_on_staff: Callable[[str], bool],
        clock: Callable[[], int] = _milliseconds,
    ) -> None:
        """`clock` judges whether a request has expired: the time of day, also where the table's time is simulated."""
        self._recorder = recorder
        self._topics = Topics(recorder.journal.site, recorder.journal.table)
        self._session = session
        self._answer = answer
        self._blink, self._can_blink = blink, can_blink
        self._is_on_staff = is_on_staff
        self._clock = clock
        self._waiting: asyncio.Queue[_Arrived] = asyncio.Queue(_WAITING)
        self._changes = RateLimit(_AT_ONCE, _A_SECOND)
        self._reads = RateLimit(_AT_ONCE * _READS_FOR_ONE, _A_SECOND * _READS_FOR_ONE)
        self._rejections = RateLimitedLog(log)

    def take(self, message: Message) -> None:
        """A message on a command topic: handled in its turn, or refused now."""
        try:
            sender, command = self._sender(str(message.topic))
        except Rejected as rejection:
            # There is no topic to answer on.
            self._rejections.warn(f"a request on {message.topic} was rejected: {rejection}")
            return
        arrived = _Arrived(message, sender, command, self._topics.reply(sender.role, sender.client), None)
        try:
            arrived = self._with_way_back(arrived)
            self._admit(arrived)
        except Rejected as rejection:
            self._refuse(arrived, rejection)

    def _admit(self, arrived: _Arrived) -> None:
        """Into the line of those that wait, if it is small enough and its sender has not sent too many."""
        if len(arrived.message.payload) > MOST_BYTES:
            raise Rejected(Why.TOO_LARGE, f"a request has at most {MOST_BYTES} bytes")
        allowance = self._reads if COMMANDS.get(arrived.command) is Right.READ else self._changes
        if not allowance.takes(str(arrived.sender)):
            raise Rejected(Why.TOO_MANY, f"{arrived.sender} has asked too often; wait a little")
        try:
            self._waiting.put_nowait(arrived)
        except asyncio.QueueFull:
            raise Rejected(Why.TOO_MANY, f"{_WAITING} requests are waiting already; wait a little") from None

    async def run(self) -> NoReturn:
        while True:
            arrived = await self._waiting.get()
            try:
                payloads = await self._carry_out(arrived.sender, arrived.command, arrived.message)
                self._answer(arrived.reply, payloads, arrived.correlation)
            except Rejected as rejection:
                self._refuse(arrived, rejection)
            except Exception:
                log.exception("a request on %s could not be carried out", arrived.message.topic)
                failed = Rejected(Why.FAILED, "it could not be carried out; the table's log has the reason")
                self._refuse(arrived, failed)

    def _refuse(self, arrived: _Arrived, rejection: Rejected) -> None:
        what = f"{arrived.command} from {arrived.sender}"
        self._rejections.warn(f"{what} was rejected ({rejection.why}): {rejection}")
        # An id is not looked for in what is too large.
        payload = arrived.message.payload if rejection.why is not Why.TOO_LARGE else b""
        reply = ask.Reply(id=ask.id_in(payload), ok=False, why=rejection.why, text=rejection.text)
        self._answer(arrived.reply, iter((encode(reply),)), arrived.correlation)

    # Who asks, and where the answer goes

    def _sender(self, topic: str) -> tuple[Sender, str]:
        levels = self._topics.sender_of(topic)
        if levels is None:
            raise Rejected(Why.BAD_TOPIC, "it is not a command topic of this table")
        role, client, command = levels
        if role not in set(Role):
            raise Rejected(Why.NO_SUCH_ROLE, f"there is no role {role!r}")
        if not _CLIENT.fullmatch(client):
            raise Rejected(Why.BAD_CLIENT, "a client's name has letters, digits and . _ - @")
        return Sender(Role(role), client), command

    def _with_way_back(self, arrived: _Arrived) -> _Arrived:
        """With its response topic and correlation data. A table answers only on the sender's own reply topics: a
        request must not make it publish among the events."""
        sender, properties = arrived.sender, arrived.message.properties
        topic: str = getattr(properties, "ResponseTopic", arrived.reply)
        correlation: bytes | None = getattr(properties, "CorrelationData", None)
        if not self._topics.may_reply_to(topic, sender.role, sender.client):
            raise Rejected(Why.BAD_RESPONSE_TOPIC, f"answers to {sender} go to {arrived.reply} or below it")
        if correlation is not None and len(correlation) > MOST_CORRELATION:
            raise Rejected(Why.BAD_CORRELATION, f"correlation data has at most {MOST_CORRELATION} bytes")
        return _Arrived(arrived.message, sender, arrived.command, topic, correlation)

    # What is asked

    async def _carry_out(self, sender: Sender, command: str, message: Message) -> Iterator[bytes]:
        now = self._clock()
        if command not in ask.REQUESTS:
            raise Rejected(Why.NO_SUCH_COMMAND, f"there is no command {command!r}; there is {', '.join(ask.REQUESTS)}")
        if not may_command(sender.role, command):
            raise Rejected(Why.NOT_ALLOWED, f"a {sender.role} may not give the command {command!r}")
        request = self._read(command, message)
        if message.retain:
            raise Rejected(Why.RETAINED, "a request must not be retained: it would be done again at every start")
        if request.expires <= now:
            raise Rejected(Why.EXPIRED, f"it has expired (it is {now} here); if it is still meant, send a new one")
        if request.expires > now + ask.LONGEST_LIFE_MS:
            minutes = ask.LONGEST_LIFE_MS // 60_000
            raise Rejected(Why.EXPIRES_TOO_LATE, f"it may expire at most {minutes} minutes ahead (it is {now} here)")
        if isinstance(request, ask.PingRequest):
            return iter((encode(self._pong(request)),))
        if isinstance(request, ask.ReplayRequest):
            return self._replay(sender, request)
        if isinstance(request, ask.InputsRequest):
            return iter((encode(self._inputs(request)),))
        if isinstance(request, ask.AmendRequest) and request.preview:
            return iter((encode(await self._preview(sender, request)),))
        return iter((encode(await self._do(sender, command, request, bytes(message.payload), now)),))

    def _read(self, command: str, message: Message) -> ask.Request:
        try:
            return ask.decode_request(command, message.payload)
        except Unreadable as error:
            raise Rejected(Why.MALFORMED, f"this is no request for {command!r}: {error}") from None

    def _pong(self, request: ask.PingRequest) -> ask.PingReply:
        recorder = self._recorder
        return ask.PingReply(
            id=request.id,
            ok=True,
            at=recorder.clock.now_ms(),
            seq=recorder.journal.head.seq,
            journal=recorder.journal.id,
            session=self._session,
            version=__version__,
        )

    def _inputs(self, request: ask.InputsRequest) -> ask.InputsReply:
        engine = self._recorder.engine
        listed = tuple(
            ask.RoundInput(each.index, each.label, each.by, each.body, each.hidden) for each in put_in(engine)
        )
        return ask.InputsReply(id=request.id, ok=True, round=engine.round_number, inputs=listed)

    async def _preview(self, sender: Sender, request: ask.AmendRequest) -> ask.AmendReply:
        wanted = happened.Amended(request.round, ask.as_changes(request.changes), request.reason)
        try:
            changes = await self._recorder.preview(wanted, _named(sender, request))
        except JournalError as error:
            raise Rejected(Why.JOURNAL, f"it could not be written down, and is not answered: {error}") from None
        if isinstance(changes, Refusal):
            return ask.AmendReply(id=request.id, ok=False, why=why_of(changes.why), code=changes.why, text=changes.text)
        return ask.AmendReply(id=request.id, ok=True, changes=changes)

    def _replay(self, sender: Sender, request: ask.ReplayRequest) -> Iterator[bytes]:
        head = self._recorder.journal.head.seq
        if request.last < request.first:
            raise Rejected(Why.BAD_RANGE, "`last` comes before `first`")
        if request.last - request.first >= ask.MOST_REPLAYED:
            raise Rejected(Why.BAD_RANGE, f"at most {ask.MOST_REPLAYED} events at once")
        if request.last > head:
            raise Rejected(Why.BAD_RANGE, f"the last event of this table is {head}")
        log.info("events %d to %d are sent again for %s", request.first, request.last, sender)
        return self._replayed(request)

    def _replayed(self, request: ask.ReplayRequest) -> Iterator[bytes]:
        journal, seq = self._recorder.journal, request.first
        try:
            while seq <= request.last:
                page = journal.events_from(seq, min(_PAGE, request.last - seq + 1))
                if not page:
                    raise JournalError(f"Event {seq} is not in the journal.")
                for event in page:
                    yield payload(event, historical=True)
                    seq = event.seq + 1
        except JournalError as error:
            yield encode(ask.ReplayReply(id=request.id, ok=False, why=Why.NOT_KEPT, text=str(error)))
            return
        yield encode(ask.ReplayReply(id=request.id, ok=True, first=request.first, last=request.last))

    # What is done

    async def _do(self, sender: Sender, command: str, request: ask.Request, payload: bytes, now: int) -> ask.Reply:
        digest = sha256(command.encode() + b"\0" + payload).hexdigest()[:16]
        known = self._recorder.engine.state.answers.get(answer_key(str(sender), request.id))
        if known is not None and known.expires > now:
            if known.digest != digest:
                raise Rejected(Why.ID_USED, f"the id {request.id!r} was given to another request")
            self._rejections.warn(f"{command} {request.id!r} from {sender} came again; it was answered again")
            return _reply(request.id, known.ok, known.why, known.text)
        body = self._input(request)
        asked = happened.Asked(
            request.id,
            str(sender),
            command,
            digest,
            now,
            request.expires,
            request.round if isinstance(request, ask.VoidRequest) else None,
        )
        by = _named(sender, request)
        try:
            outcome = await self._recorder.submit(body, by, asked=asked)
        except JournalError as error:
            raise Rejected(Why.JOURNAL, f"it could not be written down, and was not done: {error}") from None
        refusal = outcome.refusal
        if refusal is not None:
            log.info("%s for %s was refused: %s", command, by, refusal.text)
            return _reply(request.id, False, refusal.why, refusal.text)
        log.info("%s for %s was done", command, by)
        if isinstance(body, happened.Blinked):
            self._blink(body.device, body.seconds)
        return ask.Reply(id=request.id, ok=True)

    def _input(self, request: ask.Request) -> happened.AnyBody:
        """The input that a request comes to."""
        match request:
            case ask.OpenRequest():
                return happened.TableOpened()
            case ask.CloseRequest():
                return happened.TableClosed(request.reason)
            case ask.RulesRequest():
                self._check_rules(request)
                return happened.RulesChosen(request.ruleset, request.options, request.min_wager, request.max_wager)
            case ask.ShoeRequest():
                return happened.ShoeStarted(request.decks)
            case ask.SeatsRequest():
                return happened.TableSet(request.seats, request.player_dealer, request.button, request.settings)
            case ask.BankRequest():
                return happened.BankAnswered(request.takes, request.declined)
            case ask.PersonRequest():
                return happened.PersonNamed(request.place, request.name, request.badge, request.firm, request.another)
            case ask.VoidRequest():
                return happened.FloorAct("void", request.reason)
            case ask.AmendRequest():
                return happened.Amended(request.round, ask.as_changes(request.changes), request.reason)
            case ask.AcknowledgeRequest():
                return happened.AlarmSeenTo(request.alarm)
            case ask.ExplainAlarmRequest():
                return happened.AlarmExplained(request.alarm, request.reason)
            case ask.DealerRequest():
                if request.name and not self._is_on_staff(request.name):
                    raise Rejected(Why.NOT_ON_STAFF, f"nobody on this table's staff is named {request.name!r}")
                return happened.DealerSigned(request.name)
            case ask.BoxRequest():
                return happened.BoxKeyed(request.box, request.box_id, request.seal)
            case ask.CountedRequest():
                return happened.BoxCountedIn(request.box_id, request.cents)
            case ask.ExplainRequest():
                return happened.DropExplained(request.box, request.reason, request.round, request.owed)
            case ask.BlinkRequest():
                if not self._can_blink(request.device):
                    raise Rejected(Why.NO_SUCH_DEVICE, f"this table has no device {request.device!r} that can blink")
                return happened.Blinked(request.device, request.seconds)
        raise Rejected(Why.NO_SUCH_COMMAND, "it only reads")

    def _check_rules(self, request: ask.RulesRequest) -> None:
        state = self._recorder.engine.state
        ruleset = state.ruleset if request.ruleset is UNSET else request.ruleset
        kept = state.options if ruleset == state.ruleset else {}
        try:
            resolve(ruleset, kept if request.options is UNSET else request.options)
        except RulesError as error:
            raise Rejected(Why.BAD_RULES, str(error)) from None
