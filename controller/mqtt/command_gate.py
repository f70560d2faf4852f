"""The gate for commands over MQTT: each request is checked, done at most once, and answered where it came from.

Every request whose sender is known gets an answer: one that is too large, or comes too often, gets its refusal when it
arrives and never waits. So no flood fills the memory, and no client is left without a word.

A request is rejected, with the reason, unless its topic names a role and a client (the broker lets nobody else publish
there), the role may give that command, it is well formed, it has not expired, and the client does not ask too often.
Rejected means: nothing changes, and there is a line in the log, with a limited number of lines per minute.

An update by signed reference is fetched beside the line of the others: no request waits for a server.

With two brokers there is still one gate, and it judges one request after the other: a request that comes over both is
done once and answered twice. The limits count for each broker, so that a flood over one does not shut the other.

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
from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import NoReturn, Protocol

from aiomqtt import Message
from msgspec import UNSET, Struct

from controller import __version__
from controller.contract import requests as ask
from controller.contract.messages import encode
from controller.contract.topics import Topics
from controller.contract.why import Why, why_of
from controller.engine import events as ev
from controller.engine import inputs as happened
from controller.engine import jackpot_inputs as jackpots
from controller.engine.actor import Actor
from controller.engine.expect.want import Refusal
from controller.engine.reading import Unreadable
from controller.engine.table.answers import answer_key
from controller.journal import JournalError
from controller.mqtt.envelope import payload
from controller.mqtt.rate_limit import RateLimit, RateLimitedLog
from controller.operator.console_view import put_in
from controller.operator.roles import COMMANDS, Right, Role, actor_as, may_command
from controller.recorder.recorder import Recorder
from controller.rules import RulesError, resolve
from controller.updates.rejection import ReferenceRejected
from controller.updates.service import SignedUpdates

log = logging.getLogger("cutcard.commands")

MOST_BYTES = 16 * 1024
"""Of a request; the longest lawful one, an amendment of a whole round, is a few kilobytes."""
MOST_CORRELATION = 128
_WAITING = 64
"""Requests that wait for the one before them, from one broker."""
_UPDATES = 4
"""Updates that are fetched, or wait for the one before them."""
_AT_ONCE, _A_SECOND = 20, 2.0
"""The rate limit of one client: requests in a row, and requests per second in the long run."""
_READS_FOR_ONE = 10
"""The limit for requests that only read is higher by this factor: a consumer fills a long hole piece by piece."""
_PAGE = 256
_CLIENT = re.compile(r"[A-Za-z0-9_.@-]{1,64}")

Blink = Callable[[str, int], None]


class Rejected(Exception):
    """A request that is rejected: a code for programs, a sentence for people."""

    def __init__(self, why: Why, text: str) -> None:
        super().__init__(text)
        self.why, self.text = why, text


class Way(Protocol):
    """As much of a publisher as is needed to answer over it."""

    @property
    def broker(self) -> str: ...

    def answer(self, topic: str, payloads: Iterator[bytes], correlation: bytes | None) -> None: ...


class Sender(Struct, frozen=True):
    """Who asks, as the broker has made sure."""

    role: Role
    client: str

    def __str__(self) -> str:
        return f"{self.role}:{self.client}"


class _Arrived(Struct, frozen=True):
    """A request whose sender is known."""

    message: Message
    way: Way
    sender: Sender
    command: str
    reply: str
    """The topic for its answer."""
    correlation: bytes | None


def _digest_of(command: str, payload: bytes) -> str:
    """By which the same request is known again."""
    return sha256(command.encode() + b"\0" + payload).hexdigest()[:16]


def _person(sender: Sender, command: str, request: ask.Request) -> Actor:
    """Who asks, and may: the person of the certificate, or the one for whom a program vouches."""
    if sender.role is not Role.PROGRAM:
        return actor_as(sender.role, sender.client, "client", sender.client)
    if request.by is None:
        raise Rejected(Why.NO_PERSON, "a program asks for a person: state in the field by who it is, and in which role")
    if not may_command(Role(request.by.role), command):
        raise Rejected(Why.NOT_ALLOWED, f"a {request.by.role} may not give the command {command!r}")
    return actor_as(Role(request.by.role), request.by.name, "program", sender.client)


def _reply(id: str, ok: bool, code: str, text: str) -> ask.Reply:
    """The answer that the table itself gives."""
    return (
        ask.Reply(id=id, ok=True, text=text)
        if ok
        else ask.Reply(id=id, ok=False, why=why_of(code), code=code, text=text)
    )


def _milliseconds() -> int:
    return time.time_ns() // 1_000_000


class _Previewed(Struct, frozen=True):
    """A preview that was answered."""

    digest: str
    expires: int
    answer: bytes


class CommandGate:
    """Carries out the requests for one table, one after the other."""

    def __init__(
        self,
        recorder: Recorder,
        *,
        session: str,
        blink: Blink,
        can_blink: Callable[[str], bool],
        is_on_staff: Callable[[str], bool],
        on_retired: Callable[[], None],
        updates: SignedUpdates,
        clock: Callable[[], int] = _milliseconds,
    ) -> None:
        """`on_retired` is called when the table was retired, once the request is answered. `clock` judges whether a
        request has expired: the time of day, also where the table's time is simulated."""
        self._recorder = recorder
        self._topics = Topics(recorder.journal.site, recorder.journal.table)
        self._session = session
        self._blink, self._can_blink = blink, can_blink
        self._is_on_staff, self._on_retired = is_on_staff, on_retired
        self._updates, self._clock = updates, clock
        self._one_update = asyncio.Lock()
        self._updating: set[asyncio.Task[None]] = set()
        """Requests for updates: they fetch, which takes time, and nobody waits for them but themselves."""
        self._waiting: asyncio.Queue[_Arrived] = asyncio.Queue()
        self._waiting_from: Counter[str] = Counter()
        """By broker: how many of them came over it."""
        self._previews: dict[str, _Previewed] = {}
        """By sender and id: what was answered to previews that are still valid. Nothing was changed by them, but the
        question is in the journal, and must be there once."""
        self._changes = RateLimit(_AT_ONCE, _A_SECOND)
        self._reads = RateLimit(_AT_ONCE * _READS_FOR_ONE, _A_SECOND * _READS_FOR_ONE)
        self._rejections = RateLimitedLog(log)

    def take(self, message: Message, way: Way) -> None:
        """A message on a command topic, and what answers it: handled in its turn, or refused now."""
        try:
            sender, command = self._sender(str(message.topic))
        except Rejected as rejection:
            # There is no topic to answer on.
            self._rejections.warn(f"a request on {message.topic} was rejected: {rejection}")
            return
        arrived = _Arrived(message, way, sender, command, self._topics.reply(sender.role, sender.client), None)
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
        broker = arrived.way.broker
        if not allowance.takes(f"{broker} {arrived.sender}"):
            raise Rejected(Why.TOO_MANY, f"{arrived.sender} has asked too often; wait a little")
        if self._waiting_from[broker] >= _WAITING:
            raise Rejected(Why.TOO_MANY, f"{_WAITING} requests are waiting already; wait a little")
        self._waiting_from[broker] += 1
        self._waiting.put_nowait(arrived)

    async def run(self) -> NoReturn:
        try:
            while True:
                arrived = await self._waiting.get()
                self._waiting_from[arrived.way.broker] -= 1
                if arrived.command in ask.UPDATES:
                    self._begin_update(arrived)
                else:
                    await self._answer(arrived)
        finally:
            for task in self._updating:
                task.cancel()
            await asyncio.gather(*self._updating, return_exceptions=True)

    async def _answer(self, arrived: _Arrived) -> None:
        try:
            payloads = await self._carry_out(arrived)
            arrived.way.answer(arrived.reply, payloads, arrived.correlation)
            if self._recorder.engine.state.retired:
                self._on_retired()
        except Rejected as rejection:
            self._refuse(arrived, rejection)
        except Exception:
            log.exception("a request on %s could not be carried out", arrived.message.topic)
            failed = Rejected(Why.FAILED, "it could not be carried out; the table's log has the reason")
            self._refuse(arrived, failed)

    def _begin_update(self, arrived: _Arrived) -> None:
        """Beside the other requests: one is fetched at a time, and the same one sent again waits for its answer."""
        if len(self._updating) >= _UPDATES:
            self._refuse(arrived, Rejected(Why.TOO_MANY, f"{_UPDATES} updates are waiting already; wait a little"))
            return
        task = asyncio.create_task(self._answer_update(arrived), name="update")
        self._updating.add(task)
        task.add_done_callback(self._updating.discard)

    async def _answer_update(self, arrived: _Arrived) -> None:
        async with self._one_update:
            await self._answer(arrived)

    def _refuse(self, arrived: _Arrived, rejection: Rejected) -> None:
        what = f"{arrived.command} from {arrived.sender}"
        self._rejections.warn(f"{what} was rejected ({rejection.why}): {rejection}")
        # An id is not looked for in what is too large.
        payload = arrived.message.payload if rejection.why is not Why.TOO_LARGE else b""
        reply = ask.Reply(id=ask.id_in(payload), ok=False, why=rejection.why, text=rejection.text)
        arrived.way.answer(arrived.reply, iter((encode(reply),)), arrived.correlation)

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
        return _Arrived(arrived.message, arrived.way, sender, arrived.command, topic, correlation)

    # What is asked

    async def _carry_out(self, arrived: _Arrived) -> Iterator[bytes]:
        sender, command, message = arrived.sender, arrived.command, arrived.message
        now = self._clock()
        if command not in ask.REQUESTS:
            raise Rejected(Why.NO_SUCH_COMMAND, f"there is no command {command!r}; there is {', '.join(ask.REQUESTS)}")
        if sender.role is not Role.PROGRAM and not may_command(sender.role, command):
            raise Rejected(Why.NOT_ALLOWED, f"a {sender.role} may not give the command {command!r}")
        request = self._read(command, message)
        if message.retain:
            raise Rejected(Why.RETAINED, "a request must not be retained: it would be done again at every start")
        if request.expires <= now:
            raise Rejected(Why.EXPIRED, f"it has expired (it is {now} here); if it is still meant, send a new one")
        if request.expires > now + ask.LONGEST_LIFE_MS:
            minutes = ask.LONGEST_LIFE_MS // 60_000
            raise Rejected(Why.EXPIRES_TOO_LATE, f"it may expire at most {minutes} minutes ahead (it is {now} here)")
        if request.by is not None and sender.role is not Role.PROGRAM:
            text = f"{sender} asks for itself; only a program that signs people in (role program) may name a person"
            raise Rejected(Why.NOT_VOUCHED, text)
        if isinstance(request, ask.PingRequest):
            return iter((encode(self._pong(request)),))
        if isinstance(request, ask.ReplayRequest):
            return self._replay(sender, request)
        person = _person(sender, command, request)
        if isinstance(request, ask.InputsRequest):
            return iter((encode(self._inputs(request)),))
        if isinstance(request, ask.AmendRequest) and request.preview:
            return iter((await self._preview_once(arrived, person, request, now),))
        return iter((encode(await self._do(arrived, person, request, now)),))

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

    async def _preview_once(self, arrived: _Arrived, person: Actor, request: ask.AmendRequest, now: int) -> bytes:
        self._previews = {key: each for key, each in self._previews.items() if each.expires > now}
        key = answer_key(str(arrived.sender), request.id)
        digest = _digest_of(arrived.command, bytes(arrived.message.payload))
        if (known := self._previews.get(key)) is not None:
            if known.digest != digest:
                raise Rejected(Why.ID_USED, f"the id {request.id!r} was given to another request")
            return known.answer
        answer = encode(await self._preview(person, request))
        if len(self._previews) < _WAITING:
            self._previews[key] = _Previewed(digest, request.expires, answer)
        return answer

    async def _preview(self, person: Actor, request: ask.AmendRequest) -> ask.AmendReply:
        wanted = happened.Amended(request.round, ask.as_changes(request.changes), request.reason)
        try:
            changes = await self._recorder.preview(wanted, person)
        except JournalError as error:
            raise Rejected(Why.JOURNAL, f"it could not be written down, and is not answered: {error}") from None
        if isinstance(changes, Refusal):
            return ask.AmendReply(id=request.id, ok=False, why=why_of(changes.why), code=changes.why, text=changes.text)
        return ask.AmendReply(id=request.id, ok=True, changes=changes)

    def _replay(self, sender: Sender, request: ask.ReplayRequest) -> Iterator[bytes]:
        head = self._recorder.journal.head.seq
        if request.last < request.first:
            raise Rejected(Why.BAD_RANGE, "the number in last is less than the one in first: exchange them")
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

    async def _do(self, arrived: _Arrived, person: Actor, request: ask.Request, now: int) -> ask.Reply:
        sender, command, payload = arrived.sender, arrived.command, bytes(arrived.message.payload)
        digest = _digest_of(command, payload)
        known = self._recorder.engine.state.answers.get(answer_key(str(sender), request.id))
        if known is not None and known.expires > now:
            if known.digest != digest:
                raise Rejected(Why.ID_USED, f"the id {request.id!r} was given to another request")
            self._rejections.warn(f"{command} {request.id!r} from {sender} came again; it was answered again")
            return _reply(request.id, known.ok, known.why, known.text)
        body = None if isinstance(request, ask.UpdateRequest) else self._input(request)
        asked = happened.Asked(
            request.id,
            str(sender),
            command,
            digest,
            now,
            request.expires,
            request.round if isinstance(request, ask.VoidRequest) else None,
        )
        try:
            if isinstance(request, ask.UpdateRequest) and request.preview:
                what = ask.UPDATES[command]
                return _reply(request.id, True, "", await self._updates.preview(what, request, now))
            if isinstance(request, ask.UpdateRequest):
                outcome = await self._updates.take(ask.UPDATES[command], request, person, asked)
            else:
                assert body is not None
                outcome = await self._recorder.submit(body, person, asked=asked)
        except ReferenceRejected as error:
            raise Rejected(error.why, str(error)) from None
        except JournalError as error:
            raise Rejected(Why.JOURNAL, f"it could not be written down, and was not done: {error}") from None
        refusal = outcome.refusal
        if refusal is not None:
            log.info("%s for %s was refused: %s", command, person.by, refusal.text)
            return _reply(request.id, False, refusal.why, refusal.text)
        log.info("%s for %s was done", command, person.by)
        if isinstance(body, happened.Blinked):
            self._blink(body.device, body.seconds)
        took = next((event for event in outcome.events if isinstance(event, ev.UpdateCame)), None)
        return _reply(request.id, True, "", "" if took is None else took.text)

    def _input(self, request: ask.Request) -> happened.AnyBody:
        """The input that a request comes to."""
        match request:
            case ask.OpenRequest():
                return happened.TableOpened()
            case ask.CloseRequest():
                return happened.TableClosed(request.reason)
            case ask.RetireRequest():
                return happened.TableRetired(request.reason)
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
            case ask.JackpotHitRequest():
                return jackpots.JackpotHit(
                    request.jackpot, request.prize, request.round, request.hand, request.seats, request.reason
                )
            case ask.JackpotNoHitRequest():
                return jackpots.JackpotNotHit(request.jackpot, request.prize, request.round, request.reason)
            case ask.JackpotAdjustRequest():
                return jackpots.JackpotAdjust(request.jackpot, request.reason, request.add, request.take, request.pool)
            case ask.JackpotFeeRequest():
                return jackpots.JackpotFee(request.round, request.kept, request.reason)
            case ask.ReportRequest():
                self._check_report(request)
                facts = {} if request.from_top is None else {"from_top": request.from_top}
                return happened.Happening(request.code, request.seat, facts=facts)
            case ask.BurnRequest():
                return happened.Act(request.seat, "burn")
            case ask.BuyInRequest():
                return happened.BuyIn(request.seat, request.cents)
            case ask.PlayerRequest():
                return happened.FloorAct(request.do, request.reason, seat=request.seat)
            case ask.BlinkRequest():
                if not self._can_blink(request.device):
                    raise Rejected(Why.NO_SUCH_DEVICE, f"this table has no device {request.device!r} that can blink")
                return happened.Blinked(request.device, request.seconds)
        raise Rejected(Why.NO_SUCH_COMMAND, "it only reads")

    def _check_report(self, request: ask.ReportRequest) -> None:
        """A report that the text of this table does not have would be an irregularity, which holds it."""
        reports = self._recorder.engine.rules.procedures.reports
        if request.code not in reports:
            text = f"the rules of this table have no {request.code!r}; there is {', '.join(reports)}"
            raise Rejected(Why.NOT_OFFERED, text)

    def _check_rules(self, request: ask.RulesRequest) -> None:
        state = self._recorder.engine.state
        ruleset = state.ruleset if request.ruleset is UNSET else request.ruleset
        kept = state.options if ruleset == state.ruleset else {}
        try:
            resolve(ruleset, kept if request.options is UNSET else request.options)
        except RulesError as error:
            raise Rejected(Why.BAD_RULES, str(error)) from None
