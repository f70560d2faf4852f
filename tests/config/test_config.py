"""The configuration as a technician meets it: every error at once with its line, and nothing secret in it."""

from __future__ import annotations

import json
import tomllib
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.inspect import StructType

from controller.cli.main import main
from controller.config import Config, ConfigError, parse_config, read_config
from controller.config.changing import changes, taken_now
from controller.config.describing import sections
from controller.config.files import named_files
from controller.config.judging import bare, shape, sift
from controller.mqtt.credentials import password

TOP = 'site = "riverside"\ntable = "b-1"\n'
RULES = 'rules.ruleset = "bankers-ez-baccarat-panda-8"\nrules.options.schedule = "ca-2/ez-baccarat/1"\n'
GOOD = TOP + RULES
SHOE = '[[devices]]\nid = "shoe"\nkind = "shoe"\nurl = "/dev/serial/by-id/shoe"\n'


def problems(text: str) -> list[str]:
    """What is wrong with it, each from the line number on."""
    try:
        parse_config(Path("cutcard.toml"), text)
    except ConfigError as error:
        return [line.removeprefix("cutcard.toml:") for line in error.lines]
    return []


def only(text: str) -> str:
    (problem,) = problems(text)
    return problem


def test_all_errors_of_a_file_are_reported_at_once_in_the_order_of_its_lines() -> None:
    found = problems(
        'site = "River Side"\n'
        + 'tabel = "b-1"\n'
        + "[rules]\n"
        + 'ruleset = "bankers-ez-baccarat-panda-9"\n'
        + "[seating]\n"
        + "seats = [\n  1,\n  15,\n]\n"
        + "[[mqtt.broker]]\nprot = 1883\n"
        + SHOE.replace("shoe", "shoes", 1).replace('kind = "shoe"', 'kind = "shoes"')
    )
    assert [problem.split(": ")[0:2] for problem in found] == [
        ["1", "site"],
        ["1", "table"],
        ["2", "tabel"],
        ["4", "rules.ruleset"],
        ["8", "seating.seats[2]"],
        ["11", "mqtt.broker[1].prot"],
        ["14", "devices[1].kind"],
    ]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (
            "[[mqtt.broker]]\nport = 70000",
            "6: mqtt.broker[1].port: expected a whole number from 1 to 65535, found the number 70000.",
        ),
        (
            '[[mqtt.broker]]\nport = "1883"',
            '6: mqtt.broker[1].port: expected a whole number from 1 to 65535, found the text "1883". Write it',
        ),
        (
            "[[mqtt.broker]]\nhost = 7",
            '6: mqtt.broker[1].host: expected a text, found the number 7. Write it in quotes: "7".',
        ),
        ("[web]\nport = 80.0", "found the number 80.0. Write it without a decimal point."),
        ('[display]\nask_marks = "yes"', "Write true or false, in small letters and without quotes."),
        (
            '[display]\ntail = "stays"',
            'expected "clear" or "drop" or "stay", found the text "stays". Did you mean stay?',
        ),
        ("[web]\nallowed_hosts = true", "expected a list of texts, found true."),
        ('[web]\nallowed_hosts = "pit"', 'Write it in brackets: ["pit"].'),
        (
            "[devices]\nid = 3",
            "5: devices: expected a list of tables, found a table. Write its header in double brackets",
        ),
        ("mqtt = 3", "mqtt: expected a table, found the number 3."),
        ("[report]\ntimezone = 2026-01-01", "expected a text, found the date or time 2026-01-01."),
        ('[report]\nshifts = { day = "6:00" }', "6: report.shifts.day: expected a time of day as 06:00, found"),
        ('[report]\nshifts = { "Day One" = "06:00" }', "for the name, found"),
        ('[firmware]\nreactions = { stolen = "flag" }', '"unsealed" for the name, found "stolen".'),
        (
            "[drop]\nchips = [\n  { grams = 10 },\n]",
            "7: drop.chips[1].cents: is missing; expected a whole number from 1",
        ),
        ("[drop]\nchips = [{ cents = 1, grams = nan }]", "expected a number from 0 to 100, found the number nan."),
        (
            "[drop]\ngrase_s = 5",
            "6: drop.grase_s: there is no such key in [drop]. Did you mean grace_s? The keys there are",
        ),
    ],
)
def test_a_value_that_does_not_fit_says_what_was_expected_what_came_and_what_to_do(line: str, says: str) -> None:
    text = GOOD + line if not line.startswith("mqtt =") else line + "\n" + GOOD
    assert says in only(text)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (
            SHOE + SHOE.replace("by-id/shoe", "by-id/other"),
            "10: devices[2].id: the device 1 in the file is called 'shoe'",
        ),
        (
            SHOE + SHOE.replace('id = "shoe"', 'id = "two"', 1),
            "12: devices[2].url: /dev/serial/by-id/shoe is the port of",
        ),
        (SHOE.replace("/dev/serial/by-id/shoe", "COM3"), "8: devices[1].url: 'COM3' is not a port."),
        (SHOE.replace("/dev/serial/by-id/shoe", "socket://shoe"), "names no host and port"),
        (SHOE + "options = { decks = 8 }", "9: devices[1].options.decks: there is no such key"),
        (SHOE.replace('"shoe"', '"card_reader"'), "names no USB device: write usb://VID:PID"),
        ("[seating]\nseats = [1, 2, 1]", "6: seating.seats[3]: seat 1 is listed twice"),
        ("[seating]\nseats = [1, 8]", "5: seating.player_dealer: seat 8 is one of the players' seats."),
        ("[seating]\nmin_wager = 9\nmax_wager = 5", "7: seating.max_wager: expected at least min_wager, which is 9"),
        (
            "[seating]\nawaits_drop = true",
            "6: seating.awaits_drop: the cards would wait for a drop box, and there is none.",
        ),
        (
            "[drop]\nchips = [{ cents = 100 }, { cents = 100 }]",
            "drop.chips[2]: the chip of 100 cents is listed twice",
        ),
        ('[report]\ntimezone = "America/Los_Angels"', "Did you mean America/Los_Angeles?"),
        ('[report]\nshifts = { a = "06:00", b = "06:00" }', "report.shifts.b: begins at 06:00 like the shift a"),
        ("[report]\nshifts = {}", "a day has at least one shift"),
        ("[journal]\nwarn_below_mb = 5\nstop_below_mb = 6", "7: journal.stop_below_mb: expected at most warn_below_mb"),
        ("[web]\nport = 1883", "6: web.port: port 1883 of this board is the broker's"),
        ('[web]\nallowed_hosts = ["http://pit:80"]', "Leave out http:// and the port."),
        (SHOE.replace("/dev/serial/by-id/shoe", "socket://127.0.0.1:8080"), "is that of the page ([web])"),
        (
            '[[mqtt.broker]]\n[mqtt.broker.tls]\ncert = "a.crt"',
            "7: mqtt.broker[1].tls.cert: a certificate and its key go together: key is missing",
        ),
        (
            '[[mqtt.broker]]\npassword_file = "pw"',
            "6: mqtt.broker[1].password_file: a password needs a username beside it.",
        ),
        ('[[mqtt.broker]]\nusername = "u"\npassword_file = "-----BEGIN KEY"', "this is a key or certificate itself"),
    ],
)
def test_keys_that_contradict_each_other_are_reported_with_their_line(lines: str, says: str) -> None:
    assert says in only(GOOD + lines)


def test_a_table_larger_than_its_approval_allows_is_refused() -> None:
    text = GOOD.replace("bankers-ez-baccarat-panda-8", "bankers-three-card-poker").replace(
        "ez-baccarat", "three-card-poker"
    )
    says = "6: seating.seats: this room seats 8 players at a table, the player-dealer among them, and 9 are set."
    assert says in only(f"{text}[seating]\nseats = [1, 2, 3, 4, 5, 6, 7, 9]")
    assert problems(f"{text}[seating]\nseats = [1, 2, 3, 4, 5, 6, 7]") == []


def test_time_from_simulated_devices_needs_test_mode() -> None:
    assert "needs test = true" in only('clock = "devices"\n' + GOOD)
    assert problems('clock = "devices"\ntest = true\n' + GOOD) == []
    assert "needs test = true" in only('seed = "7"\n' + GOOD)
    assert problems('seed = "7"\ntest = true\n' + GOOD) == []


def test_all_options_that_the_rules_refuse_are_reported_with_those_that_exist() -> None:
    rules = '[rules]\nruleset = "bankers-ez-baccarat-panda-8"\n'
    found = problems(TOP + rules + 'options = { deks = 8, decks = 99, schedule = "none such" }\n')
    assert [line.split(": ")[1] for line in found] == [
        "rules.options.decks",
        "rules.options.deks",
        "rules.options.schedule",
    ]
    assert "Did you mean decks?" in found[1]


def test_what_a_device_of_this_kind_needs_is_judged_by_its_own_types() -> None:
    boxes = '[[devices]]\nid = "boxes"\nkind = "drop_box"\nurl = "/dev/boxes"\n[devices.options]\n'
    found = problems(
        GOOD + boxes + 'parity = "evn"\nsensors = [\n  { unit = 300, box = "main" },\n  { box = "Main" },\n]\n'
    )
    assert [line.split(": ")[:2] for line in found] == [
        ["10", "devices[1].options.parity"],
        ["12", "devices[1].options.sensors[1].unit"],
        ["13", "devices[1].options.sensors[2].box"],
        ["13", "devices[1].options.sensors[2].unit"],
    ]
    twice = 'sensors = [{ unit = 1, box = "main" }, { unit = 1, box = "jackpot" }]\n'
    assert "devices[1].options: each sensor has its own unit" in only(GOOD + boxes + twice)
    assert "Write sensors = ... in [devices[1].options]" in only(GOOD + boxes)


def test_one_mistake_is_not_reported_twice() -> None:
    assert only(GOOD + '[seating]\nplayer_dealer = "eight"\nseats = [1, 2]').startswith("6: seating.player_dealer")
    assert only(GOOD + SHOE.replace('"shoe"\nkind', '"Shoe"\nkind') + SHOE).startswith("6: devices[1].id")


def test_a_file_that_is_not_toml_is_one_error_with_line_and_column() -> None:
    assert only('site = "a"\ntable = b"\n[rules\n') == (
        "2: this is not TOML at column 9: Invalid value. Fix that line first; the rest is checked then."
    )
    assert only('site = "a"\ntable = """b\n').startswith("2: this is not TOML: ")


@pytest.mark.parametrize("section", ["mqtt", "web", "firmware"])
def test_a_secret_in_the_file_is_refused_never_repeated_and_the_error_says_where_it_belongs(section: str) -> None:
    for key in ("password", "token", "pin", "client_secret"):
        problem = only(GOOD + f'[{section}]\n{key} = "hush-hush"\n')
        assert problem.startswith(f"6: {section}.{key}: a secret must not be in this file.")
        assert "hush" not in problem
        assert ("password_file" if section == "mqtt" else "cutcard staff") in problem


def test_files_with_secrets_must_be_there_and_their_owners_alone(tmp_path: Path) -> None:
    config = tmp_path / "cutcard.toml"
    config.write_text(
        GOOD
        + '[[mqtt.broker]]\nusername = "b-1"\npassword_file = "pw"\n'
        + '[mqtt.broker.tls]\nca = "ca"\ncert = "crt"\nkey = "key"\n'
    )
    assert read_config(config).brokers["main"].password_file == str(tmp_path / "pw")
    with pytest.raises(ConfigError) as refused:
        read_config(config, files=True)
    assert [line.split(": ")[1] for line in refused.value.lines] == [
        "mqtt.broker[1].password_file",
        "mqtt.broker[1].tls.ca",
        "mqtt.broker[1].tls.cert",
        "mqtt.broker[1].tls.key",
    ]
    assert "cutcard enroll" in refused.value.lines[3]
    for name in ("pw", "ca", "crt", "key"):
        (tmp_path / name).touch(mode=0o644)
    with pytest.raises(ConfigError) as refused:
        read_config(config, files=True)
    assert [line.split(": ")[1] for line in refused.value.lines] == [
        "mqtt.broker[1].password_file",
        "mqtt.broker[1].tls.key",
    ]
    assert f"chmod 600 {tmp_path / 'pw'}" in refused.value.lines[0]
    for name in ("pw", "key"):
        (tmp_path / name).chmod(0o600)
    read_config(config, files=True)


def test_a_staff_file_that_others_may_read_is_found(tmp_path: Path) -> None:
    config = tmp_path / "cutcard.toml"
    config.write_text(GOOD)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "staff.json").touch(mode=0o640)
    (problem,) = named_files(read_config(config), tmp_path)
    assert "chmod 600" in problem.text


def test_a_password_comes_from_a_credential_that_systemd_hands_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "cutcard.toml"
    config.write_text(GOOD + '[[mqtt.broker]]\nusername = "b-1"\npassword_file = "credential:mqtt-password"\n')
    monkeypatch.delenv("CREDENTIALS_DIRECTORY", raising=False)
    read_config(config, files=True)  # a check from a shell does not see the service's credentials
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path / "credentials"))
    with pytest.raises(ConfigError, match="LoadCredential"):
        read_config(config, files=True)
    (tmp_path / "credentials").mkdir()
    (tmp_path / "credentials" / "mqtt-password").write_text("swordfish\n")
    assert password(read_config(config, files=True).brokers["main"]) == "swordfish"


def test_check_says_in_one_line_what_a_good_file_describes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "cutcard.toml"
    config.write_text(GOOD + SHOE)
    assert main(["config", "check", "--config", str(config)]) == 0
    printed = capsys.readouterr()
    described, readings = printed.out.splitlines()
    assert described == f"{config}: table b-1 at riverside, bankers-ez-baccarat-panda-8, 1 device"
    assert "not confirmed" in readings
    config.write_text(TOP + SHOE + "[[mqtt.broker]]\nport = 0\n")
    assert main(["config", "check", "--config", str(config)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.splitlines() == [
        f"{config}:1: rules: is missing; expected a table. Write a section [rules].",
        f"{config}:8: mqtt.broker[1].port: expected a whole number from 1 to 65535, found the number 0.",
    ]


def test_show_prints_every_value_and_where_it_comes_from(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "cutcard.toml"
    config.write_text(GOOD + '[[mqtt.broker]]\nusername = "u"\npassword_file = "pw"\n' + SHOE)
    assert main(["config", "show", "--config", str(config), "--json"]) == 0
    shown = {one["key"]: one for one in json.loads(capsys.readouterr().out)}
    assert shown["site"] == {"key": "site", "value": "riverside", "line": 1, "change": "restart", "unit": ""}
    assert shown["mqtt.broker[1].port"]["value"] == 1883
    assert shown["mqtt.broker[1].port"]["line"] is None
    assert shown["mqtt.broker[1].password_file"]["value"] == str(tmp_path / "pw")
    assert shown["devices[1].url"]["line"] == 11
    assert shown["seating.min_wager"]["change"] == "between rounds"
    assert main(["config", "show", "--config", str(config)]) == 0
    text = capsys.readouterr().out
    assert 'site = "riverside"                             # line 1, at a restart\n' in text
    assert read_config(config) == parse_config(config, text)


ODD: tuple[Any, ...] = (
    0,
    -1,
    1,
    8,
    15,
    70000,
    1.0,
    0.5,
    True,
    "",
    "a",
    "A b",
    "06:00",
    "stay",
    [],
    [1],
    ["a"],
    {},
    {"a": 1},
)
KEYS = [(section.name, key.name) for section in sections() if section.name.count(".") == 0 for key in section.keys]


def test_a_value_is_refused_here_exactly_where_the_type_refuses_it() -> None:
    for (section, key), value in product(KEYS, ODD):
        raw: dict[str, Any] = tomllib.loads(GOOD + SHOE)
        table = raw["devices"][0] if section == "devices" else raw.setdefault(section, {}) if section else raw
        table[key] = value
        try:
            msgspec.convert(raw, Config)
            fits = True
        except msgspec.ValidationError:
            fits = False
        assert (sift(raw, Config).problems == ()) == fits, f"{section}.{key} = {value!r}"


def test_every_key_says_when_a_change_of_it_counts() -> None:
    listed = {(section.name, key.name) for section in sections() for key in section.keys}
    below = {field.encode_name: bare(field.type) for field in shape(Config).fields}
    tables = {"": shape(Config), **{name: kind for name, kind in below.items() if isinstance(kind, StructType)}}
    for name, table in tables.items():
        keys = {(name, field.encode_name) for field in table.fields}
        parts = {("", section) for section in (*tables, "devices") if section} | {("mqtt", "broker")}
        assert keys - listed == {part for part in parts if part[0] == name}


def test_what_changed_is_known_by_its_key_and_a_restart_keeps_the_old_value() -> None:
    old = parse_config(Path("cutcard.toml"), GOOD + SHOE)
    text = GOOD.replace("b-1", "b-2") + '[web]\nport = 1\nallowed_hosts = ["pit"]\n[drop]\ngrace_s = 5\n'
    new = parse_config(Path("cutcard.toml"), text + SHOE.replace('id = "shoe"', 'id = "other"'))
    assert {change.key: change.when for change in changes(old, new)} == {
        "table": "restart",
        "web.port": "restart",
        "web.allowed_hosts": "live",
        "drop.grace_s": "between rounds",
        "devices.shoe": "live",
        "devices.other": "live",
    }
    now = taken_now(old, new)
    assert (now.table, now.web.port, now.web.allowed_hosts, now.drop.grace_s) == ("b-1", 8080, ("pit",), 5)
    assert [device.id for device in now.devices] == ["other"]
