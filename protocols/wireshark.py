"""The Wireshark dissector of the device link, from the declarations of the codecs: `make dissector`.

    python -m protocols.wireshark docs/protocols/wireshark/cutcard.lua

The framing (COBS, CRC, the seven bytes of each frame) is the Lua text below. What a message consists of is a table that
is written from the `construct` layouts, so a field that is added to a message is in the dissector as well.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from construct import Adapter, Bytes, Check, FormatField, Mapping, Rebuild, Renamed, SizeofError, StringEncoded

from protocols import dice_cup, key_panel, shoe
from protocols.firmware import companion
from protocols.link.frames import FrameKind
from protocols.link.messages import Codec
from protocols.shuffler.codec import CODEC as SHUFFLER
from protocols.shuffler.messages import DEVICE_CLASS as SHUFFLER_CLASS

DEVICES: dict[int, tuple[str, Codec[Any]]] = {
    shoe.DEVICE_CLASS: ("shoe", shoe.CODEC),
    SHUFFLER_CLASS: ("shuffler", SHUFFLER),
    dice_cup.DEVICE_CLASS: ("dice cup", dice_cup.CODEC),
    key_panel.DEVICE_CLASS: ("key panel", key_panel.CODEC),
}
KINDS = range(0x01, 0x100)


class _Maps:
    """Names of values, each table written once."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def name(self, values: dict[int, object]) -> str:
        words = {True: "yes", False: "no", None: "none"}
        rows = (
            (value, words.get(text, text) if isinstance(text, bool) or text is None else text)
            for value, text in sorted(values.items())
            # A mapping of a number to itself says nothing.
            if text != value or isinstance(text, bool)
        )
        lua = "{" + ", ".join(f'[{value}]="{text}"' for value, text in rows) + "}"
        return f"V[{self._numbers.setdefault(lua, len(self._numbers) + 1)}]"

    @property
    def lua(self) -> str:
        return "\n".join(f"V[{number}] = {text}" for text, number in self._numbers.items())


def _field(part: Any, maps: _Maps, *, hidden: bool) -> tuple[str, bool]:
    """One row of a message, and whether more can follow it; an empty row where there is nothing on the wire."""
    name, inner = part.name, part
    while isinstance(inner, Renamed):
        inner = inner.subcon
    match inner:
        case Check():
            return "", True
        case FormatField():
            return f'{{"u", "{name}", {inner.length}}}', True
        case Mapping():
            return f'{{"u", "{name}", {inner.subcon.sizeof()}, {maps.name(inner.decmapping)}}}', True
        case StringEncoded():
            return f'{{"{"h" if hidden else "s"}", "{name}"}}', True
        case Bytes() | Rebuild() | Adapter():
            try:
                return f'{{"b", "{name}", {inner.sizeof()}}}', True
            except SizeofError:
                return f'{{"r", "{name}"}}', False
    return (f'{{"r", "{name}"}}', False) if name else ("", True)


def _messages(codec: Codec[Any], maps: _Maps) -> str:
    rows = []
    for kind in KINDS:
        if not codec.knows(kind):
            continue
        layout: Any = codec.layout_of(kind)
        message = codec.type_of(kind)
        fields = []
        for part in layout.subcons:
            hidden = part.name in getattr(message, "HIDDEN", ())
            row, goes_on = _field(part, maps, hidden=hidden)
            if row:
                fields.append(row)
            if not goes_on:
                break
        rows.append(f'  [0x{kind:02x}] = {{"{message.__name__}", {{{", ".join(fields)}}}}},')
    return "\n".join(rows)


def dissector() -> str:
    """The whole Lua file."""
    maps = _Maps()
    tables = [
        f'M[{number}] = {{ -- {name}\n{_messages(codec, maps)}\n}}\nCLASSES[{number}] = "{name}"'
        for number, (name, codec) in sorted(DEVICES.items())
    ]
    tables.append(f"M[0] = {{ -- every device\n{_messages(companion.CODEC, maps)}\n}}")
    kinds = ", ".join(f'[{kind.value}]="{kind.name}"' for kind in FrameKind)
    head, tail = _LUA.split("-- TABLES --\n")
    return f"{head}local KINDS = {{{kinds}}}\n{maps.lua}\n" + "\n".join(tables) + "\n" + tail


_LUA = r"""-- The Cutcard device link in Wireshark: docs/protocols/wireshark/README.md.
-- Written by `make dissector` from the declarations of the codecs; do not edit.

local V, M, CLASSES = {}, {}, {}
-- TABLES --
local cutcard = Proto("cutcard", "Cutcard device link")
local F = {
  kind = ProtoField.string("cutcard.kind", "Frame"),
  session = ProtoField.uint32("cutcard.session", "Session", base.HEX),
  seq = ProtoField.uint8("cutcard.seq", "Sequence number"),
  ack = ProtoField.uint8("cutcard.ack", "Acknowledgement"),
  class = ProtoField.uint8("cutcard.class", "Device class"),
  token = ProtoField.uint32("cutcard.token", "Token", base.HEX),
  message = ProtoField.string("cutcard.message", "Message"),
  number = ProtoField.uint32("cutcard.number", "Number of the sealed frame"),
  bad = ProtoField.string("cutcard.bad", "Not a frame"),
}
cutcard.fields = { F.kind, F.session, F.seq, F.ack, F.class, F.token, F.message, F.number, F.bad }
cutcard.prefs.class = Pref.uint("Device class", 0,
  "where the capture begins after the HELLO: 1 shoe, 2 shuffler, 3 dice cup, 4 key panel")

local interface_of, direction_of = Field.new("frame.interface_id"), Field.new("frame.packet_flags_direction")
local carried, waiting, classes, class_at = {}, {}, {}, {}

function cutcard.init()
  carried, waiting, classes, class_at = {}, {}, {}, {}
end

local function crc16(bytes)
  local crc = 0xffff
  for i = 0, bytes:len() - 1 do
    crc = bit.bxor(crc, bit.lshift(bytes:get_index(i), 8))
    for _ = 1, 8 do
      if bit.band(crc, 0x8000) ~= 0 then
        crc = bit.band(bit.bxor(bit.lshift(crc, 1), 0x1021), 0xffff)
      else
        crc = bit.band(bit.lshift(crc, 1), 0xffff)
      end
    end
  end
  return bit.bxor(crc, 0xffff)
end

-- The body of a stuffed frame, or nil and why it is none.
local function unstuffed(bytes)
  local body, at, size = ByteArray.new(), 0, bytes:len()
  if size > 255 then return nil, "more than 255 bytes without a zero" end
  while at < size do
    local run = bytes:get_index(at)
    if at + run > size then return nil, "not COBS: a run ends before its length says" end
    for i = at + 1, at + run - 1 do
      body:append(ByteArray.new(string.format("%02x", bytes:get_index(i))))
    end
    at = at + run
    if at < size then body:append(ByteArray.new("00")) end
  end
  if body:len() < 9 then return nil, "too short for a frame" end
  local crc = body:get_index(body:len() - 2) * 256 + body:get_index(body:len() - 1)
  body:set_size(body:len() - 2)
  if crc16(body) ~= crc then return nil, "the CRC is wrong" end
  return body
end

local function fields(tvb, at, tree, rows)
  local words = {}
  for _, row in ipairs(rows) do
    local kind, name, size, values = row[1], row[2], row[3], row[4]
    local left = tvb:len() - at
    if kind == "r" then size = left end
    if kind == "s" or kind == "h" then
      if left < 1 then break end
      size = tvb(at, 1):uint() + 1
    end
    if size > left then
      tree:add(tvb(at, left), name .. ": cut off")
      break
    end
    if size > 0 then
      local range, text = tvb(at, size), nil
      if kind == "u" and size <= 4 then
        local number = range:uint()
        text = values and values[number] or tostring(number)
        if name == "boot" or name == "request" then text = string.format("0x%08x", number) end
      elseif kind == "u" then
        text = tostring(range:uint64())
      elseif kind == "s" then
        text = size > 1 and tvb(at + 1, size - 1):string() or ""
      elseif kind == "h" then
        text = "(hidden)"
      else
        text = tostring(range:bytes())
      end
      tree:add(range, name .. ": " .. text)
      if name ~= "boot" and name ~= "uptime_ms" and name ~= "inverted" then words[#words + 1] = name .. "=" .. text end
    end
    at = at + size
  end
  return table.concat(words, " ")
end

local function frame(tvb, tree, class, on_class)
  local raw = tvb(0, 1):uint()
  local sealed = raw >= 0x13 and raw <= 0x17 and tvb:len() >= 19
  local kind = sealed and raw - 0x10 or raw
  local name = (KINDS[kind] or string.format("kind 0x%02x", raw)) .. (sealed and " sealed" or "")
  local branch = tree:add(cutcard, tvb(), "Device link: " .. name)
  branch:add(F.kind, tvb(0, 1), name)
  branch:add(F.session, tvb(1, 4))
  local seq, ack = tvb(5, 1):uint(), tvb(6, 1):uint()
  branch:add(F.seq, tvb(5, 1))
  branch:add(F.ack, tvb(6, 1))
  local size = tvb:len() - 7 - (sealed and 12 or 0)
  if sealed then branch:add(F.number, tvb(tvb:len() - 12, 4)) end
  if kind == 2 and size == 8 then
    branch:add(F.token, tvb(7, 4))
    branch:add(F.class, tvb(14, 1)):append_text(" (" .. (CLASSES[tvb(14, 1):uint()] or "unknown") .. ")")
    on_class(tvb(14, 1):uint())
    return name .. " " .. (CLASSES[tvb(14, 1):uint()] or "of an unknown class")
  elseif kind == 1 then
    branch:add(F.token, tvb(1, 4))
  elseif kind == 3 and size >= 1 then
    local number = tvb(7, 1):uint()
    local known = M[0][number] or (M[class] or {})[number]
    if not known and class == 0 then known = ({ { "Identify", {} }, { "StatusRequest", {} } })[number] end
    local message = known and known[1] or string.format("message 0x%02x", number)
    local leaf = branch:add(F.message, tvb(7, size), message)
    local words = known and fields(tvb(7, size):tvb(), 1, leaf, known[2]) or ""
    return string.format("DATA %d %s %s", seq, message, words)
  end
  return string.format("%s ack %d", name, ack)
end

function cutcard.dissector(tvb, pinfo, tree)
  local direction, interface = direction_of(), interface_of()
  local port = tostring(interface and interface.value or 0)
  local key = port .. "/" .. tostring(direction and direction.value or 0)
  if not pinfo.visited then
    carried[pinfo.number] = waiting[key] or ByteArray.new()
    class_at[pinfo.number] = classes[port] or 0
  end
  local data = ByteArray.new()
  data:append(carried[pinfo.number] or ByteArray.new())
  data:append(tvb:range():bytes())
  pinfo.cols.protocol = "CUTCARD"
  local class = class_at[pinfo.number] or 0
  if class == 0 then class = cutcard.prefs.class end
  local lines, from = {}, 0
  for at = 0, data:len() - 1 do
    if data:get_index(at) == 0 then
      if at > from then
        local body, why = unstuffed(data:subset(from, at - from))
        if body then
          lines[#lines + 1] = frame(body:tvb("frame"), tree, class, function(new)
            class = new
            if not pinfo.visited then classes[port] = new end
          end)
        else
          tree:add(F.bad, why)
          lines[#lines + 1] = "not a frame: " .. why
        end
      end
      from = at + 1
    end
  end
  if not pinfo.visited then
    local rest = data:len() - from
    waiting[key] = (rest > 0 and rest <= 255) and data:subset(from, rest) or ByteArray.new()
  end
  pinfo.cols.info = #lines > 0 and table.concat(lines, "; ") or "part of a frame"
end

DissectorTable.get("wtap_encap"):add(wtap.USER0, cutcard)
"""


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(dissector(), encoding="utf-8")
