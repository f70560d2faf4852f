"""The broker with the files of deploy/mosquitto, and those who try to break out of what it allows them."""

from __future__ import annotations

import asyncio
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp
import aiomqtt
import msgspec
import pytest

from controller.cli.main import main
from controller.mqtt.command_gate import MOST_BYTES
from controller.operator.roles import COMMANDS, Role, may_command
from tests.support.authorities import DAY, SERVER, Authority, Files
from tests.support.running.brokers import bytes_of, eventually, free_port, needs_mosquitto
from tests.support.running.cardrooms import SUCCESS, Cardroom, Client, running_cardroom
from tests.support.running.tables import RunningDaemon

pytestmark = [pytest.mark.broker, needs_mosquitto]

NOT_AUTHORISED, PACKET_TOO_LARGE = 0x87, 0x95
MAXIMUM_PACKET_SIZE = b"\x27"
"""The property of that name."""
ONE, TWO = "riverside/one", "riverside/two"
ELSEWHERE = "turlock/one"
ANN, WALL = "ann/floor/riverside", "wall/monitor/riverside"


def command(who: str, table: str, name: str) -> str:
    """The topic of a command, with the table's name within its site."""
    return f"cutcard/v2/command/{who}/{table.partition('/')[2]}/{name}"


def reply(who: str, table: str, below: str = "") -> str:
    return f"cutcard/v2/reply/{who}/{table.partition('/')[2]}{below}"


@pytest.fixture(autouse=True)
def _every_message_keeps_the_contract() -> None:
    """Not here: who may speak is looked at, and what is said is only the topic's own name."""


@pytest.fixture(scope="module")
def cardroom(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cardroom]:
    with running_cardroom(tmp_path_factory.mktemp("cardroom")) as room:
        yield room


@asynccontextmanager
async def watching(
    cardroom: Cardroom, name: str = "watcher/floor/riverside", topic: str = "#"
) -> AsyncIterator[Client]:
    async with cardroom.client(name) as watcher:
        await watcher.subscribe(topic, qos=1)
        yield watcher


OWN = ["event/card_dealt", "state", "device/shoe", "alarm/disk_low", "online"]


def own(table: str) -> list[str]:
    """Topics on which a table speaks."""
    answers = f"cutcard/v2/reply/ann/floor/{table}"
    return [*(f"cutcard/v2/{table}/{topic}" for topic in OWN), answers, f"{answers}/7"]


async def test_a_table_speaks_on_its_own_topics(cardroom: Cardroom) -> None:
    async with cardroom.client(ONE) as table, watching(cardroom, ANN) as ann:
        said = own(ONE)
        assert [await table.says(topic) for topic in said] == [SUCCESS] * len(said)
        assert await ann.topics_until(said[-1]) == said


@pytest.mark.parametrize("retain", [False, True])
async def test_a_table_cannot_speak_as_another_or_outside_its_topics(cardroom: Cardroom, retain: bool) -> None:
    outside = [
        *own(TWO),
        *own(ELSEWHERE),
        f"cutcard/v2/{ONE}",
        f"cutcard/v2/{ONE}/event",
        f"cutcard/v2/{ONE}/event/a/b",
        f"cutcard/v2/{ONE}/command/floor/ann/void",
        f"cutcard/v2/{ONE}/reply/floor/ann",
        command(ANN, ONE, "void"),
        command(ANN, TWO, "void"),
        f"cutcard/v2/command/{ONE}/{TWO}/void",
        f"cutcard/v2/reply/{ONE}/{TWO}",
        f"cutcard/v1/{ONE}/event/card_dealt",
        "anything",
    ]
    marker = f"cutcard/v2/{ONE}/event/marker"
    async with cardroom.client(ONE) as table, watching(cardroom) as watcher:
        assert {topic: await table.says(topic, retain=retain) for topic in outside} == dict.fromkeys(
            outside, NOT_AUTHORISED
        )
        assert await table.says(marker) == SUCCESS
        assert await watcher.topics_until(marker) == [marker]


async def test_a_tables_will_is_sent_only_on_its_own_topic(cardroom: Cardroom) -> None:
    async def dies_with_a_will(topic: str) -> None:
        ends = cardroom.words.count(f"Client {ONE} ")
        with suppress(aiomqtt.MqttError):
            async with cardroom.client(ONE, will=aiomqtt.Will(topic, b"will", qos=1, retain=True)) as table:
                table.cut()
        await eventually(lambda: cardroom.words.count(f"Client {ONE} ") > ends)

    mine, other = f"cutcard/v2/{ONE}/online", f"cutcard/v2/{TWO}/online"
    async with watching(cardroom) as watcher:
        await dies_with_a_will(mine)
        assert await watcher.topics_until(mine) == [mine]
        await dies_with_a_will(other)
        async with cardroom.client(TWO) as two:
            await two.says(f"cutcard/v2/{TWO}/state")
        assert await watcher.topics_until(f"cutcard/v2/{TWO}/state") == [f"cutcard/v2/{TWO}/state"]
    async with watching(cardroom, "late/monitor/riverside", other) as late, cardroom.client(TWO) as two:
        await two.says(other)
        async with asyncio.timeout(60):
            first = await anext(aiter(late.messages))
        assert bytes_of(first) == other.encode()
        assert not first.retain


async def test_a_table_that_subscribes_to_everything_receives_its_own_commands_only(cardroom: Cardroom) -> None:
    async with cardroom.client(TWO) as two, cardroom.client(ANN) as ann:
        assert await two.says(f"cutcard/v2/{TWO}/state", retain=True) == SUCCESS
        async with cardroom.client(ONE) as one:
            await one.subscribe([("#", 1), ("cutcard/v2/command/#", 1), (f"cutcard/v2/{TWO}/#", 1), ("$SYS/#", 1)])
            await two.says(f"cutcard/v2/{TWO}/event/card_dealt")
            await ann.says(command(ANN, TWO, "void"))
            mine = command(ANN, ONE, "void")
            assert await ann.says(mine) == SUCCESS
            assert set(await one.topics_until(mine)) == {mine}


@pytest.mark.parametrize("role", list(Role))
async def test_a_role_gives_the_commands_that_it_may_and_no_other(cardroom: Cardroom, role: Role) -> None:
    name = f"pat/{role}/riverside"
    async with cardroom.client(ONE) as table, cardroom.client(name) as person:
        await table.subscribe("cutcard/v2/command/#", qos=1)
        topics = {each: command(name, ONE, each) for each in (*COMMANDS, "ping")}
        answers = {each: await person.says(topic) for each, topic in topics.items()}
        # A program asks in the names of people: what each of them may, the table judges.
        may = {each: role is Role.PROGRAM or may_command(role, each) for each in COMMANDS}
        assert answers == {each: SUCCESS if may[each] else NOT_AUTHORISED for each in COMMANDS}
        allowed = [topics[each] for each in COMMANDS if may[each]]
        assert await table.topics_until(topics["ping"]) == allowed
        assert await person.says(command(name, ONE, "no_such_command")) == NOT_AUTHORISED


@pytest.mark.parametrize("role", list(Role))
async def test_only_a_store_confirms_what_it_has_and_a_table_gets_what_was_retained(
    cardroom: Cardroom, role: Role
) -> None:
    receipt = f"cutcard/v2/receipt/pat/{role}/{ONE}"
    async with cardroom.client(f"pat/{role}/riverside") as person:
        answer = await person.says(receipt, retain=True)
        assert answer == (SUCCESS if role is Role.STORE else NOT_AUTHORISED)
        assert await person.says(f"cutcard/v2/receipt/other/store/{ONE}") == NOT_AUTHORISED
        assert await person.says(f"cutcard/v2/receipt/pat/{role}/elsewhere/one") == NOT_AUTHORISED
        async with cardroom.client(ONE) as table:
            await table.subscribe(f"cutcard/v2/receipt/+/store/{ONE}", qos=1)
            ping = command(f"pat/{role}/riverside", ONE, "ping")
            await table.subscribe("cutcard/v2/command/#", qos=1)
            assert await person.says(ping) == SUCCESS
            assert (receipt in await table.topics_until(ping)) == (role is Role.STORE)


@pytest.mark.parametrize("role", list(Role))
async def test_a_person_speaks_under_no_other_name_and_as_no_table(cardroom: Cardroom, role: Role) -> None:
    forged = [
        *own(ONE),
        command(ANN, ONE, "ping"),
        command("pat2/floor/riverside", ONE, "ping"),
        command(ANN, ONE, "void"),
        f"cutcard/v2/command/pat/{role}/riverside/ping",
        f"cutcard/v2/command/pat/{role}/riverside/one/a/b",
        f"cutcard/v2/{ONE}/command/pat/{role}/riverside/ping",
        f"cutcard/v2/pat/{role}/event/card_dealt",
        f"cutcard/v2/pat/{role}/riverside/online",
        "anything",
    ]
    async with cardroom.client(f"pat/{role}/riverside") as person:
        for retain in (False, True):
            answers = {topic: await person.says(topic, retain=retain) for topic in forged}
            assert answers == dict.fromkeys(forged, NOT_AUTHORISED)


@pytest.mark.parametrize("role", list(Role))
async def test_nobody_commands_a_table_of_another_site_or_receives_its_answers(cardroom: Cardroom, role: Role) -> None:
    """Two sites on one broker, and the same names at both."""
    here, there = f"pat/{role}/riverside", f"pat/{role}/turlock"
    async with (
        cardroom.client(ELSEWHERE) as table,
        cardroom.client(here) as stranger,
        cardroom.client(there) as person,
    ):
        await table.subscribe("cutcard/v2/command/#", qos=1)
        await stranger.subscribe([("cutcard/v2/reply/#", 1), ("cutcard/v2/command/#", 1)])
        forged = [command(there, ELSEWHERE, each) for each in COMMANDS]
        forged += [f"cutcard/v2/command/{here}/{ELSEWHERE}/{each}" for each in COMMANDS]
        forged += [f"cutcard/v2/command/pat/{role}/{ELSEWHERE}/{each}" for each in COMMANDS]
        assert {topic: await stranger.says(topic) for topic in forged} == dict.fromkeys(forged, NOT_AUTHORISED)
        # Allowed, and for the table of the same name at his own site only.
        assert await stranger.says(command(here, ELSEWHERE, "ping")) == SUCCESS
        asked = command(there, ELSEWHERE, "ping")
        assert await person.says(asked) == SUCCESS
        assert await table.topics_until(asked) == [asked]
        assert await table.says(reply(here, ELSEWHERE)) == NOT_AUTHORISED
        assert await table.says(reply(there, ELSEWHERE)) == SUCCESS
        async with cardroom.client(ONE) as own_table:
            await own_table.says(reply(here, ONE))
        assert await stranger.topics_until(reply(here, ONE)) == [reply(here, ONE)]


@pytest.mark.parametrize(
    "name",
    [
        "ann/floor",
        "floor/ann",
        "ann/floor/riverside/one",
        "ann/floor/riverside/one/void",
        "ann/floor/+",
        "+/+/riverside",
        "#",
        "ann/floor/",
    ],
)
async def test_a_certificate_with_another_form_of_name_commands_nothing(cardroom: Cardroom, name: str) -> None:
    """An authority that signs carelessly opens no table by it."""
    papers = cardroom.people.issue(name, file=name.encode().hex())
    async with cardroom.client(ONE) as table, cardroom.client(ANN) as ann:
        await table.subscribe("cutcard/v2/command/#", qos=1)
        with suppress(aiomqtt.MqttError):
            async with Client(cardroom.people_port, cardroom.context(papers)) as careless:
                for topic in (
                    command(ANN, ONE, "void"),
                    f"cutcard/v2/command/{name}/one/void",
                    f"cutcard/v2/command/{name}/void",
                ):
                    with suppress(ValueError, aiomqtt.MqttError):
                        await careless.says(topic)
        await ann.says(command(ANN, ONE, "ping"))
        assert await table.topics_until(command(ANN, ONE, "ping")) == [command(ANN, ONE, "ping")]


async def test_a_person_receives_the_tables_but_not_the_requests_and_answers_of_others(cardroom: Cardroom) -> None:
    async with (
        cardroom.client(ONE) as table,
        cardroom.client(ANN) as ann,
        watching(cardroom, "hq/monitor/riverside") as monitor,
    ):
        await ann.says(command(ANN, ONE, "void"))
        await table.says(reply(ANN, ONE, "/1"))
        await table.says(f"cutcard/v2/{ONE}/event/round_voided")
        answer = reply("hq/monitor/riverside", ONE, "/2")
        await table.says(answer)
        assert (await monitor.topics_until(answer))[-2:] == [f"cutcard/v2/{ONE}/event/round_voided", answer]


async def test_a_client_id_that_is_anothers_takes_nobodys_place(cardroom: Cardroom) -> None:
    async with cardroom.client(ONE) as one:
        for name in (TWO, ANN):
            async with cardroom.client(name, identifier=ONE) as thief:
                assert await thief.says(f"cutcard/v2/{ONE}/state") == NOT_AUTHORISED
        assert await one.says(f"cutcard/v2/{ONE}/state") == SUCCESS


STRANGERS = [
    "nobody",
    "a table at the people's door",
    "a person at the tables' door",
    "signed by a stranger",
    "signed by itself",
    "expired",
    "a server's certificate",
    "no TLS at all",
]


@pytest.mark.parametrize("who", STRANGERS)
async def test_a_client_without_a_good_certificate_is_not_let_in(cardroom: Cardroom, tmp_path: Path, who: str) -> None:
    port = cardroom.tables_port
    papers: Files | None = None
    match who:
        case "a table at the people's door":
            port, papers = cardroom.people_port, cardroom.papers(ONE)
        case "a person at the tables' door":
            papers = cardroom.papers(ANN)
        case "signed by a stranger":
            papers = Authority(tmp_path, "tables-ca").issue(ONE)
        case "signed by itself":
            own = Authority(tmp_path, "riverside-one")
            papers = own.issue(ONE, file="self")
            papers.certificate.write_bytes(papers.certificate.read_bytes() + own.file.read_bytes())
        case "expired":
            papers = cardroom.tables.issue(ONE, lasts=-DAY, file="expired")
        case "a server's certificate":
            papers = cardroom.tables.issue(ONE, SERVER, file="server")
    context = None if who == "no TLS at all" else cardroom.context(papers)
    async with watching(cardroom, topic="cutcard/v2/+/+/event/#") as watcher:
        with pytest.raises(aiomqtt.MqttError):
            async with Client(port, context, username=ONE, password="x", timeout=1) as stranger:
                await stranger.says(f"cutcard/v2/{ONE}/event/forged")
        async with cardroom.client(TWO) as two:
            marker = f"cutcard/v2/{TWO}/event/marker"
            await two.says(marker)
        assert await watcher.topics_until(marker) == [marker]


CONFIG = """
site = "riverside"
table = "one"
test = true
[rules]
ruleset = "bankers-ez-baccarat-panda-8"
[journal]
warn_below_mb = 0
stop_below_mb = 0
[[mqtt.broker]]
port = {port}
[mqtt.broker.tls]
ca = "{ca}"
cert = "tls/table.crt"
key = "tls/table.key"
[web]
port = 0
[[devices]]
id = "shoe"
kind = "shoe"
url = "/dev/no-shoe-here"
required = false
"""


def enrolled(cardroom: Cardroom, folder: Path) -> RunningDaemon:
    """A daemon that is not started yet, with the certificate of riverside/one."""
    daemon = RunningDaemon(folder)
    daemon.config.write_text(CONFIG.format(port=cardroom.tables_port, ca=cardroom.tables.file))
    assert main(["enroll", "--config", str(daemon.config)]) == 0
    returned = cardroom.tables.sign(folder / "tls/table.csr", folder / "returned.crt")
    assert main(["enroll", "--config", str(daemon.config), "--install", str(returned)]) == 0
    return daemon


async def test_every_request_is_answered(cardroom: Cardroom, tmp_path: Path) -> None:
    """300 pings in a burst, requests of every size: every request gets an answer."""
    daemon = enrolled(cardroom, tmp_path)
    async with watching(cardroom, ANN, reply(ANN, ONE)) as ann:
        async with aiohttp.ClientSession() as session:
            await daemon.start(session)
        try:
            await pinged(cardroom, WALL)
            pings = [{"id": f"p{n}", "expires": time.time_ns() // 1_000_000 + 60_000} for n in range(300)]
            topic = command(ANN, ONE, "ping")
            async with asyncio.TaskGroup() as sending:
                for ping in pings:
                    sending.create_task(ann.publish(topic, msgspec.json.encode(ping), qos=1))
            answers = await received(ann, 300)
            assert {answer["id"] for answer in answers} == {ping["id"] for ping in pings}
            assert {answer.get("why") for answer in answers} <= {None, "too_many"}
            assert all(answer["ok"] or answer["text"] for answer in answers)
            assert sum(answer["ok"] for answer in answers) >= 20
            for size in (MOST_BYTES + 1, 65_536, 300_000, 1_000_000):
                await ann.publish(topic, b" " * size, qos=1)
                (answer,) = await received(ann, 1)
                assert (answer["ok"], answer["why"]) == (False, "too_large")
                assert str(MOST_BYTES) in answer["text"]
        finally:
            await daemon.stop()


async def test_a_message_that_is_too_large_for_the_broker_ends_its_connection_with_the_reason(
    cardroom: Cardroom,
) -> None:
    """By hand, and only the head of the message: a client that goes on sending may not come to read the reason."""
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", cardroom.people_port, ssl=cardroom.context(cardroom.papers(WALL))
    )
    async with asyncio.timeout(30):
        connect = b"\x00\x04MQTT\x05\x02\x00\x3c\x00\x00\x00"
        writer.write(bytes([0x10, len(connect)]) + connect)
        kind, size = await reader.readexactly(2)
        connack = await reader.readexactly(size)
        assert (kind, connack[1]) == (0x20, SUCCESS)
        assert MAXIMUM_PACKET_SIZE + (1 << 20).to_bytes(4, "big") in connack, "a client knows the limit beforehand"
        writer.write(b"\x32\x80\x80\x80\x01")  # a message of 2 MB at QoS 1
        kind, _, reason = await reader.readexactly(3)
        assert (kind, reason) == (0xE0, PACKET_TOO_LARGE)
        assert await reader.read() in (b"", b"\x00")
    writer.close()


async def received(client: Client, count: int) -> list[dict[str, Any]]:
    """The next answers."""
    answers: list[dict[str, Any]] = []
    async with asyncio.timeout(60):
        async for message in client.messages:
            answers.append(msgspec.json.decode(bytes_of(message)))
            if len(answers) == count:
                break
    return answers


async def test_an_enrolled_table_publishes_answers_and_is_missed_when_it_dies(
    cardroom: Cardroom, tmp_path: Path
) -> None:
    daemon = enrolled(cardroom, tmp_path)
    online = f"cutcard/v2/{ONE}/online"
    async with watching(cardroom, "hq/monitor/riverside", f"cutcard/v2/{ONE}/#") as monitor:
        async with aiohttp.ClientSession() as session:
            await daemon.start(session)
        topics = await monitor.topics_until(f"cutcard/v2/{ONE}/event/table_started")
        assert online in topics
        for name in (ANN, WALL):
            assert (await pinged(cardroom, name))["ok"] is True
        daemon.kill()
        async with asyncio.timeout(30):
            async for message in monitor.messages:
                if str(message.topic) == online and not msgspec.json.decode(bytes_of(message))["online"]:
                    break
    await daemon.stop()


async def pinged(cardroom: Cardroom, name: str) -> dict[str, Any]:
    """What the table answers to a ping under this name."""
    request = {"id": "p1", "expires": time.time_ns() // 1_000_000 + 60_000}
    async with watching(cardroom, name, reply(name, ONE)) as person, asyncio.timeout(60):
        await person.publish(command(name, ONE, "ping"), msgspec.json.encode(request), qos=1)
        answer: dict[str, Any] = msgspec.json.decode(bytes_of(await anext(aiter(person.messages))))
        return answer


@asynccontextmanager
async def tail(cardroom: Cardroom, papers: Files, *more: str) -> AsyncIterator[Process]:
    """`cutcard tail` at the people's door."""
    arguments = ["--port", cardroom.people_port, "--ca", cardroom.tables.file, *more]
    arguments += ["--cert", papers.certificate, "--key", papers.key]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "controller.cli", "tail", *map(str, arguments), stdout=PIPE, stderr=PIPE
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def test_a_person_watches_with_a_certificate_until_somebody_else_uses_it(cardroom: Cardroom) -> None:
    online = f"cutcard/v2/{ONE}/online"
    async with tail(cardroom, cardroom.papers(WALL), "--table", "one") as watcher:
        assert watcher.stdout is not None
        async with cardroom.client(ONE) as table:
            await table.publish(
                online,
                b'{"online":true,"session":"s","journal":"0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d"}',
                qos=1,
                retain=True,
            )
            async with asyncio.timeout(60):
                assert await watcher.stdout.readline() == b"riverside/one is online\n"
            await table.publish(online, b"", qos=1, retain=True)
        rival = asyncio.create_task(comes_back_for_ever(cardroom, WALL))
        async with asyncio.timeout(30):
            _, error = await watcher.communicate()
        rival.cancel()
        await asyncio.gather(rival, return_exceptions=True)
    assert watcher.returncode == 2
    assert b"another client connects with our name" in error


async def comes_back_for_ever(cardroom: Cardroom, name: str) -> None:
    while True:
        with suppress(aiomqtt.MqttError):
            async with cardroom.client(name) as client:
                async for _ in client.messages:
                    pass


async def test_a_watcher_with_a_certificate_of_the_wrong_authority_gets_an_error_that_says_so(
    cardroom: Cardroom, tmp_path: Path
) -> None:
    async with tail(cardroom, Authority(tmp_path, "stranger").issue(WALL)) as watcher, asyncio.timeout(30):
        _, error = await watcher.communicate()
    assert watcher.returncode == 2
    assert b"no TLS between us" in error


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (ANN, "The certificate is for riverside: with it, tables of turlock cannot be asked."),
        ("riverside/one", "is for 'riverside/one', which is no person or program"),
        ("ann/janitor/turlock", "is for 'ann/janitor/turlock', which is no person or program"),
    ],
)
def test_a_certificate_that_cannot_ask_a_table_is_named_before_anything_is_sent(
    tmp_path: Path, name: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    papers = Authority(tmp_path, "people-ca").issue(name)
    arguments = ["--cert", str(papers.certificate), "--key", str(papers.key), "--port", str(free_port())]
    assert main(["tail", *arguments, "--site", "turlock", "--table", "one", "--since-seq", "1"]) == 2
    assert words in capsys.readouterr().err
