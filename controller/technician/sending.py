"""`cutcard devices send`: one message by its name, and the answer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec

from controller.errors import UserError
from controller.technician.daemon import DaemonClient
from controller.technician.table import Chosen, ServedTable
from devices.kinds import kind_of_class, name_of_class
from devices.link.bench import Bench, on_the_bench
from devices.link.lines import decode, public_words
from protocols.errors import ProtocolError
from protocols.link.identity import Identify, StatusRequest
from protocols.type_errors import in_words
from protocols.values import Value

if TYPE_CHECKING:
    from protocols.link.messages import Codec

QUESTIONS = (Identify, StatusRequest)
"""They change nothing."""


async def send(
    table: ServedTable, chosen: Chosen, name: str, fields: Sequence[str], write: Callable[[str], None]
) -> None:
    """Send it, and print what was sent and what was answered."""
    if table.daemon is not None and chosen.in_config:
        write(await _from_the_daemon(table.daemon, chosen, name))
        return
    async with on_the_bench(chosen.spec.url, chosen.spec.baud) as bench:
        kind = kind_of_class(bench.device_class)
        if kind is None or kind.link is None:
            raise UserError(
                f"The device on {chosen.spec.url} is {name_of_class(bench.device_class)}; its messages are not known."
            )
        codec = kind.link.codec
        message_type = _message_type(codec, name)
        if message_type not in QUESTIONS:
            table.expect_no_round("a command to a device")
        message = await _message(bench, message_type, fields)
        try:
            data = codec.encode(message)
        except ProtocolError as error:
            raise UserError(f"{error}.") from None
        write(f"sent      {public_words(message)}")
        answer = await bench.ask(data)
        if answer is not None:
            write(f"answered  {public_words(decode(kind, answer))}")
        elif bench.keeps_events:
            write("answered  nothing that could be seen: events that nobody took yet are in front of it")
        else:
            write("answered  nothing")


async def _from_the_daemon(daemon: DaemonClient, chosen: Chosen, name: str) -> str:
    if name != "identify":
        raise UserError(
            f"The daemon holds {chosen.spec.url}, and while it runs its engine alone commands the devices. Stop the "
            f"daemon to send {name}."
        )
    (device,) = [one for one in (await daemon.devices()).devices if one.id == chosen.spec.id]
    return (
        f"the daemon holds the port and knows its device: {device.state}{f', {device.names}' if device.names else ''}"
    )


def _message_type(codec: Codec[Value], name: str) -> type[Value]:
    """The message of this name that is the controller's to send."""
    kinds = {_snake(kind.__name__): kind for kind in codec.requests}
    if name not in kinds:
        raise UserError(f"There is no message {name!r} for this device; there are: {', '.join(sorted(kinds))}.")
    return kinds[name]


async def _message(bench: Bench, kind: type[Value], given: Sequence[str]) -> Value:
    names = kind.__struct_fields__
    values = dict(_value(text, names) for text in given)
    if "boot" in names and "boot" not in values:
        identity = await bench.identify()
        if identity is None:
            raise UserError("The device holds events that nobody took yet, so its boot is not known: give boot=….")
        values["boot"] = identity.boot
    try:
        return msgspec.convert(values, type=kind)
    except msgspec.ValidationError as error:
        raise UserError(
            f"{_snake(kind.__name__)} has the fields {', '.join(names) or 'none'}. {in_words(error, values)}"
        ) from None


def _value(text: str, names: Sequence[str]) -> tuple[str, object]:
    """field=value; a number may be hexadecimal, anything else that is JSON is taken as such."""
    name, equals, value = text.partition("=")
    if not equals or name not in names:
        raise UserError(f"{text!r} is no field of this message; write field=value with {', '.join(names) or 'none'}.")
    if re.fullmatch(r"0x[0-9a-fA-F]+", value):
        return name, int(value, 16)
    try:
        parsed: object = json.loads(value)
    except ValueError:
        return name, value
    return name, parsed


def _snake(name: str) -> str:
    """
    >>> _snake("StatusRequest")
    'status_request'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
