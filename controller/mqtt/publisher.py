"""Publishes everything that the journal holds to one broker, in order, and continues when it comes back.

The journal is the queue. Over each connection the publisher sends the events after the cursor, a window of them in
flight; the cursor follows the acknowledgements. When the connection is lost it connects again, for ever, and begins
after the cursor: the broker may get an event twice, it never misses one. The table does not wait for any of this.

One coroutine does the work. It sleeps until something wakes it: new entries in the journal, an acknowledgement, a new
state, an answer to a request, the end of the connection, the request to stop.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress

from aiomqtt import Message, MqttError
from paho.mqtt.reasoncodes import ReasonCode

from controller.config.broker import MqttSettings
from controller.contract.messages import Online, encode
from controller.contract.topics import Topics
from controller.journal import Journal, JournalError, JournalEvent
from controller.mqtt.answers import Answer, WaitingAnswers
from controller.mqtt.envelope import payload
from controller.mqtt.flight import Flight
from controller.mqtt.link import Link, last_will
from controller.mqtt.problems import BrokerProblem, away, explain, refused_message
from controller.mqtt.retained import Retained

_NEVER = float("inf")

log = logging.getLogger("cutcard.mqtt")

_WINDOW = 64
_READ_AHEAD = 256
"""Events read from the journal at once."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 15.0
"""Seconds between attempts to connect: doubled from one to the other, each time shortened at random by up to half, so
that the tables of a cardroom do not all knock at the same moment when its broker comes back."""
_GOODBYE = 1.0
"""Seconds for the broker to take the last message."""
_RETAINED_WITHIN = 2.0
"""Seconds for the broker to send what it has retained, once it has taken the subscription; it does so at once."""
_CURSOR_PAUSE = 0.25
"""Seconds between two moves of the cursor."""
_CURSOR_PATIENCE = 60.0
"""Seconds after which it is written to the disk where no round has ended meanwhile, which writes it too: a repeat costs
nothing, a sync to the disk does."""


def _milliseconds() -> int:
    return time.time_ns() // 1_000_000


class Publisher:
    """Publishes one table to one broker. Make it and use it on one event loop."""

    def __init__(
        self,
        journal: Journal,
        settings: MqttSettings,
        *,
        broker: str = "main",
        session: str,
        clock: Callable[[], int] = _milliseconds,
        rng: random.Random | None = None,
        patience: float = 30.0,
        on_connection: Callable[[], None] | None = None,
        on_request: Callable[[Message], None] | None = None,
        on_receipt: Callable[[Message], None] | None = None,
        on_head: Callable[[bytes], Awaitable[None]] | None = None,
        is_retired: bool = False,
    ) -> None:
        """`broker` is the name under which the journal keeps how far this broker is; `session` names this run of the
        daemon; `rng`: the jitter of the retries. A broker that keeps the connection open but acknowledges nothing for
        `patience` seconds is taken for stuck. `on_connection` is called whenever `connected` has changed, `on_request`
        with what comes on the table's command topics; its answer goes to `answer`; `on_receipt` with what stores
        confirm. `on_head` is called on each connection with the checkpoint that the broker has retained, and ours is
        sent after that; without it, nothing that is retained is looked at. `is_retired`: the journal has ended. The
        broker gets what it has not got of it and the last checkpoint; then everything of the table that is retained
        there is emptied, and the work is over. Such a connection never had anything else to send: no `online`, no
        will, no state, no answer that could come after that."""
        self.topics = Topics(journal.site, journal.table)
        self.broker = broker
        self.connected = False
        self.last_error: BrokerProblem | JournalError | None = None
        """Why events do not reach the broker; None while they do."""
        self.acknowledged_seq = journal.cursor_of(broker)
        """Every event up to here is with the broker. The journal's cursor follows a moment later."""
        self._journal = journal
        self._settings = settings
        self._session = session
        self._clock = clock
        self._rng = rng or random.Random()
        self._patience = patience
        self._on_connection = on_connection
        self._on_request = on_request
        self._on_receipt = on_receipt
        self._on_head = on_head
        self._found_head: asyncio.Future[bytes] | None = None
        """The checkpoint that the broker has retained, while we ask for it."""
        self._live_after = 0
        """Events up to here had happened when the connection was made."""
        self._answers = WaitingAnswers()
        self._answers_turn = False
        self._retained = Retained(self.topics)
        self._is_retired = is_retired
        self.is_cleared = False
        """The table is retired, and this broker has its last event and nothing retained of it."""
        self._loop = asyncio.get_running_loop()
        self._wake = asyncio.Event()
        self._progress = asyncio.Event()
        """Set, and replaced by a new one, whenever `acknowledged_seq` has grown."""
        self._stopping = asyncio.Event()
        self._anew = asyncio.Event()
        """The connection is to be made anew, or ended: no pause is long enough to wait for that."""
        self._stop_by = _NEVER
        self._first: asyncio.Future[BrokerProblem | JournalError | None] = self._loop.create_future()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Connects and publishes from now on, whatever becomes of the broker, until `stop`."""
        if self._on_request is not None and self._settings.version != "5":
            log.warning("this table takes no commands over MQTT: they need MQTT 5, and mqtt.broker.version is 3.1.1")
        self._task = asyncio.create_task(self._run(), name="mqtt publisher")
        self._task.add_done_callback(_report_crash)

    def connect_anew(self, settings: MqttSettings) -> None:
        """To this broker, as this client, from now on; events that the old one has not acknowledged go to the new."""
        self._settings = settings
        self._anew.set()
        self._wake.set()

    async def first_attempt(self) -> BrokerProblem | JournalError | None:
        """How the first attempt ended: None if the broker took us, otherwise why it did not."""
        return await asyncio.shield(self._first)

    def state_changed(self, body: bytes) -> None:
        """The table's state after all that is in the journal now."""
        self._retained.set_state(self._journal.head.seq, body)
        self._wake.set()

    def device_changed(self, device_id: str, body: bytes) -> None:
        """A device's state now."""
        self._retained.set_device(device_id, body)
        self._wake.set()

    def alarm_changed(self, name: str, body: bytes | None) -> None:
        """An alarm's document now; None takes its topic away."""
        self._retained.set_alarm(name, body)
        self._wake.set()

    def certificate_changed(self, broker: str, body: bytes) -> None:
        self._retained.set_certificate(broker, body)
        self._wake.set()

    def head_changed(self, body: bytes) -> None:
        """The newest checkpoint of the journal."""
        self._retained.set_head(body)
        self._wake.set()

    def answer(self, topic: str, payloads: Iterator[bytes], correlation: bytes | None) -> None:
        """Answers a request over the connection that it came by. `payloads` is asked for one whenever there is room for
        it, so a long replay takes no memory; `answers` bounds how many wait. Lost with the connection: the asker asks
        again."""
        if self.connected:
            self._answers.add(Answer(topic, payloads, correlation))
            self._wake.set()

    async def published(self, seq: int) -> None:
        """Waits until the broker has acknowledged every event up to `seq`."""
        while self.acknowledged_seq < seq:
            await self._progress.wait()

    async def ended(self) -> None:
        """Waits until the work is over."""
        if self._task:
            await asyncio.wait({self._task})

    async def stop(self, drain: float = 2.0) -> None:
        """Sends what it can within `drain` seconds, publishes that the table is offline, and ends."""
        self._stop_by = self._loop.time() + drain
        self._stopping.set()
        self._anew.set()
        self._wake.set()
        if self._task:
            _, unfinished = await asyncio.wait({self._task}, timeout=drain + 3 * _GOODBYE)
            for task in unfinished:
                task.cancel()
            await asyncio.wait({self._task})

    async def _run(self) -> None:
        unwatch = self._journal.watch(self._wake.set)
        keeper = asyncio.create_task(self._keep_cursor(), name="mqtt cursor")
        try:
            await self._keep_connected()
        finally:
            unwatch()
            keeper.cancel()
            await asyncio.wait({keeper})
            if not self._first.done():
                self._first.set_result(away(self._settings.address, "the table stopped before it answered"))
            if self._noted_seq != self.acknowledged_seq:
                await self._move_cursor()
            await self._write_cursor()

    async def _keep_connected(self) -> None:
        pause = _FIRST_PAUSE
        while not (self._stopping.is_set() or self.is_cleared):
            began, before = self._loop.time(), self.acknowledged_seq
            self._anew.clear()
            try:
                await self._use_one_connection()
                continue
            except (BrokerProblem, JournalError) as problem:
                self._failed(problem)
            except MqttError as error:
                self._failed(explain(self._settings.address, error))
            if self.acknowledged_seq > before or self._loop.time() - began > _LONGEST_PAUSE:
                pause = _FIRST_PAUSE
            with suppress(TimeoutError):
                async with asyncio.timeout(pause * self._rng.uniform(0.5, 1.0)):
                    await self._anew.wait()
            pause = min(2 * pause, _LONGEST_PAUSE)

    async def _use_one_connection(self) -> None:
        """Connects and publishes until it is stopped or has to connect anew. Any other end is an exception."""
        flight = Flight(self.acknowledged_seq, _WINDOW, self._loop.time)

        def on_ack(packet: int, reason: ReasonCode) -> None:
            flight.on_ack(packet, reason)
            self._wake.set()

        self._answers.clear()
        online = None if self._is_retired else encode(self._online(False))
        will = None if online is None else last_will(self._settings, self.topics.online, online)
        async with Link(self._settings, will, on_ack) as link:
            lost = asyncio.create_task(link.until_lost(self._came), name="mqtt connection")
            lost.add_done_callback(lambda _: self._wake.set())
            listening = asyncio.create_task(self._listen(link), name="mqtt commands")
            looking = asyncio.create_task(self._look_at_retained(link), name="mqtt retained")
            try:
                await self._publish(link, flight, lost)
                if self._is_retired:
                    await self._clear(link, flight, lost, looking)
                else:
                    await self._publish_offline(link, flight, lost)
            except BaseException:
                link.abort()
                raise
            finally:
                lost.cancel()
                listening.cancel()
                looking.cancel()
                self._note_connection(False)
                await asyncio.gather(lost, listening, looking, return_exceptions=True)

    async def _listen(self, link: Link) -> None:
        if self._settings.version != "5" or self._is_retired:
            return  # `start` has logged the one; in the other state nobody is there who would answer
        if self._on_request is not None:
            await self._listen_to(link.listen, self.topics.commands, "commands")
        if self._on_receipt is not None:
            # The retained ones too: what a store had before is compared with what this journal has.
            await self._listen_to(link.listen_also_to_retained, self.topics.receipts, "receipts")

    async def _listen_to(self, listen: Callable[[str], Awaitable[None]], topics: str, what: str) -> None:
        try:
            await listen(topics)
        except MqttError as error:
            log.warning(
                "this table takes no %s: the broker at %s does not let it listen to %s (%s). Check the broker's "
                "access list for this table's user.",
                what,
                self._settings.address,
                topics,
                error,
            )

    async def _look_at_retained(self, link: Link) -> None:
        """What is retained for this table: the checkpoint is compared, what nobody would renew is cleared."""
        if self._on_head is None:
            self._retained.release_head()
            self._wake.set()
            return
        topics = self.topics
        asked = [topics.head, *(f"{start}+" for start in topics.documents)]
        self._found_head = found = self._loop.create_future()
        try:
            await link.listen_to_retained(asked)
            await asyncio.wait({found}, timeout=_RETAINED_WITHIN)
            await link.unsubscribe(asked)
            if found.done():
                await self._on_head(found.result())
        except MqttError as error:
            log.warning(
                "what is retained for this table at %s could not be looked at: %s", self._settings.address, error
            )
        finally:
            self._found_head = None
        self._retained.release_head()
        self._wake.set()

    def _came(self, message: Message) -> None:
        """A message: a request, a receipt, or what is retained for this table."""
        topic, body = str(message.topic), message.payload
        if topic == self.topics.head:
            if body and self._found_head is not None and not self._found_head.done():
                self._found_head.set_result(body)
        elif topic.startswith(self.topics.documents):
            if body and message.retain and self._retained.clear(topic):
                log.info("%s is cleared: an earlier journal or run left it", topic)
                self._wake.set()
        elif self.topics.store_of(topic) is not None:
            if self._on_receipt is not None:
                self._on_receipt(message)
        elif self._on_request is not None:
            self._on_request(message)

    async def _publish(self, link: Link, flight: Flight, lost: asyncio.Task[None]) -> None:
        """Sends all there is and all that comes, until it is time to stop or to connect anew."""
        flight.widest = min(_WINDOW, link.allowed_unacknowledged)
        ahead: deque[JournalEvent] = deque()
        self._live_after = self._journal.head.seq
        self._retained.send_all_again()
        if not self._is_retired:
            self._send_online(link, flight, self._online(True, since=self._clock()))
        while self._loop.time() < self._stop_by:
            self._wake.clear()
            self._note_progress(flight, lost)
            while self._send_next(link, flight, ahead):
                pass
            if self._stopping.is_set() or self._is_retired:
                if flight.is_empty:
                    return
            elif self._anew.is_set():
                return
            await self._sleep(flight, self._stop_by)

    def _send_next(self, link: Link, flight: Flight, ahead: deque[JournalEvent]) -> bool:
        """Sends one message if there is one to send and room for it.

        Events and answers take turns: neither a backlog nor a replay delays the other.
        """
        self._answers_turn = not self._answers_turn
        if self._answers_turn and self._answers and self._send_answer(link, flight):
            return True
        if flight.has_room and self._send_news(link, flight, ahead):
            return True
        return bool(self._answers) and self._send_answer(link, flight)

    def _send_answer(self, link: Link, flight: Flight) -> bool:
        while flight.has_room_for_answer and (answer := self._answers.first()):
            payload = next(answer.payloads, None)
            if payload is not None:
                packet = link.send(answer.topic, payload, correlation=answer.correlation)
                flight.add(packet, answer.topic, is_answer=True)
                return True
            self._answers.drop_first()
        return False

    def _send_news(self, link: Link, flight: Flight, ahead: deque[JournalEvent]) -> bool:
        if not self._is_retired and (retained := self._retained.due(flight.sent_seq)):
            topic, body = retained
            flight.add(link.send(topic, body, retain=True), topic)
            return True
        if not ahead and flight.sent_seq < self._journal.head.seq:
            ahead.extend(self._journal.events_from(flight.sent_seq + 1, _READ_AHEAD))
        if not ahead:
            return False
        event = ahead.popleft()
        if event.seq != flight.sent_seq + 1:
            raise JournalError(
                f"The journal gave event {event.seq} after event {flight.sent_seq}; it was not published."
            )
        historical = event.seq <= self._live_after
        topic = self.topics.event(event.kind)
        flight.add(link.send(topic, payload(event, historical=historical)), topic, event.seq)
        return True

    def _online(self, online: bool, since: int | None = None) -> Online:
        return Online(online, self._session, self._journal.id, since)

    def _send_online(self, link: Link, flight: Flight, online: Online) -> int:
        packet = link.send(self.topics.online, encode(online), retain=True)
        flight.add(packet, self.topics.online)
        return packet

    async def _publish_offline(self, link: Link, flight: Flight, lost: asyncio.Task[None]) -> None:
        if not flight.has_room:
            link.abort()  # and the broker publishes the will
            return
        until = self._loop.time() + _GOODBYE
        goodbye = self._send_online(link, flight, self._online(False))
        while flight.awaits(goodbye) and self._loop.time() < until:
            self._wake.clear()
            self._note_progress(flight, lost)
            await self._sleep(flight, until)

    async def _clear(self, link: Link, flight: Flight, lost: asyncio.Task[None], looking: asyncio.Task[None]) -> None:
        """The end of a retired table at this broker: the last checkpoint, then every retained topic is emptied,
        `online` last. Where the broker does not take all of that in time, the next start does it."""
        if flight.acknowledged_seq < self._journal.head.seq or not flight.is_empty:
            link.abort()
            return
        # What else is retained there, of an earlier journal or run, is found by this.
        await asyncio.wait({looking}, timeout=max(0.0, min(self._stop_by - self._loop.time(), 3 * _RETAINED_WITHIN)))
        self._retained.end()
        await self._send_retained(link, flight, lost)
        if flight.is_empty:
            self._retained.end_head()
            await self._send_retained(link, flight, lost)
        if flight.is_empty:
            flight.add(link.send(self.topics.online, b"", retain=True), self.topics.online)
            await self._send_retained(link, flight, lost)
        self.is_cleared = flight.is_empty
        if not self.is_cleared:
            link.abort()

    async def _send_retained(self, link: Link, flight: Flight, lost: asyncio.Task[None]) -> None:
        """Sends what is due on the retained topics, and waits until the broker has all of it."""
        until = self._stop_by + 2 * _GOODBYE
        while self._loop.time() < until:
            self._wake.clear()
            self._note_progress(flight, lost)
            while flight.has_room and (message := self._retained.due(flight.sent_seq)):
                flight.add(link.send(message[0], message[1], retain=True), message[0])
            if flight.is_empty:
                return
            await self._sleep(flight, until)

    def _note_progress(self, flight: Flight, lost: asyncio.Task[None]) -> None:
        """Looks at what has happened since; raises what ends the connection, a refusal before the loss that follows."""
        if flight.acknowledged_seq > self.acknowledged_seq:
            self.acknowledged_seq = flight.acknowledged_seq
            self.last_error = None
            self._progress.set()
            self._progress = asyncio.Event()
        if flight.was_answered and not self.connected:
            self._note_connection(True)
            log.info("connected to the broker at %s", self._settings.address)
            self._note_first(None)
        if flight.refusal:
            raise refused_message(self._settings.address, *flight.refusal)
        if lost.done():
            lost.result()
        if flight.silence() >= self._patience:
            raise away(self._settings.address, f"it has acknowledged nothing for {self._patience:g} seconds")
        if flight.was_answered and flight.is_empty:
            self.last_error = None

    async def _sleep(self, flight: Flight, until: float) -> None:
        """Until something happens, at most until `until` or the end of our patience."""
        if not flight.is_empty:
            until = min(until, self._loop.time() + self._patience - flight.silence())
        with suppress(TimeoutError):
            async with asyncio.timeout_at(until if until < _NEVER else None):
                await self._wake.wait()

    def _note_connection(self, connected: bool) -> None:
        if connected != self.connected:
            self.connected = connected
            if self._on_connection is not None:
                self._on_connection()

    def _failed(self, problem: BrokerProblem | JournalError) -> None:
        if str(problem) != str(self.last_error):
            log.warning("%s", problem)
        self.last_error = problem
        self._note_first(problem)

    def _note_first(self, outcome: BrokerProblem | JournalError | None) -> None:
        if not self._first.done():
            self._first.set_result(outcome)

    async def _keep_cursor(self) -> None:
        is_written = False
        while True:
            if self._noted_seq != self.acknowledged_seq:
                await self._move_cursor()
                is_written = False
                await asyncio.sleep(_CURSOR_PAUSE)
                continue
            try:
                async with asyncio.timeout(None if is_written else _CURSOR_PATIENCE):
                    await self._progress.wait()
            except TimeoutError:
                await self._write_cursor()
                is_written = True

    @property
    def _noted_seq(self) -> int | None:
        """The cursor in the journal; None where this broker has none yet."""
        return self._journal.cursors.get(self.broker)

    async def _move_cursor(self) -> None:
        with suppress(JournalError):  # the next one is
            await self._journal.move_cursor(self.broker, self.acknowledged_seq)

    async def _write_cursor(self) -> None:
        try:
            await self._journal.write_cursors()
        except JournalError as error:
            log.warning("events that the broker has may be sent to it again after a restart: %s", error)


def _report_crash(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()):
        log.critical("the MQTT publisher has crashed; events stay in the journal", exc_info=error)
