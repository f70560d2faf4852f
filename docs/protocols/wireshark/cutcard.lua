-- The Cutcard device link in Wireshark: docs/protocols/wireshark/README.md.
-- Written by `make dissector` from the declarations of the codecs; do not edit.

local V, M, CLASSES = {}, {}, {}
local KINDS = {[1]="RESET", [2]="HELLO", [3]="DATA", [4]="ACK", [5]="KEEPALIVE", [6]="DOWN", [7]="NAK"}
V[1] = {[0]="none", [1]="Jo", [2]="2c", [3]="3c", [4]="4c", [5]="5c", [6]="6c", [7]="7c", [8]="8c", [9]="9c", [10]="Tc", [11]="Jc", [12]="Qc", [13]="Kc", [14]="Ac", [18]="2d", [19]="3d", [20]="4d", [21]="5d", [22]="6d", [23]="7d", [24]="8d", [25]="9d", [26]="Td", [27]="Jd", [28]="Qd", [29]="Kd", [30]="Ad", [34]="2h", [35]="3h", [36]="4h", [37]="5h", [38]="6h", [39]="7h", [40]="8h", [41]="9h", [42]="Th", [43]="Jh", [44]="Qh", [45]="Kh", [46]="Ah", [50]="2s", [51]="3s", [52]="4s", [53]="5s", [54]="6s", [55]="7s", [56]="8s", [57]="9s", [58]="Ts", [59]="Js", [60]="Qs", [61]="Ks", [62]="As", [66]="2c*", [67]="3c*", [68]="4c*", [69]="5c*", [70]="6c*", [71]="7c*", [72]="8c*", [73]="9c*", [74]="Tc*", [75]="Jc*", [76]="Qc*", [77]="Kc*", [78]="Ac*", [82]="2d*", [83]="3d*", [84]="4d*", [85]="5d*", [86]="6d*", [87]="7d*", [88]="8d*", [89]="9d*", [90]="Td*", [91]="Jd*", [92]="Qd*", [93]="Kd*", [94]="Ad*", [98]="2h*", [99]="3h*", [100]="4h*", [101]="5h*", [102]="6h*", [103]="7h*", [104]="8h*", [105]="9h*", [106]="Th*", [107]="Jh*", [108]="Qh*", [109]="Kh*", [110]="Ah*", [114]="2s*", [115]="3s*", [116]="4s*", [117]="5s*", [118]="6s*", [119]="7s*", [120]="8s*", [121]="9s*", [122]="Ts*", [123]="Js*", [124]="Qs*", [125]="Ks*", [126]="As*"}
V[2] = {[0]="none", [1]="not seen", [2]="ambiguous", [3]="face up", [4]="too fast", [5]="reader fault"}
V[3] = {[0]="no", [1]="yes"}
V[4] = {[65535]="none"}
V[5] = {[0]="none", [1]="red", [2]="blue", [3]="green", [4]="black", [5]="purple", [6]="orange", [255]="other"}
V[6] = {[1]="shuffled", [2]="sorted"}
V[7] = {[1]="controller", [2]="hand"}
V[8] = {[2]="shuffling", [3]="sorting", [7]="dispensing", [8]="unloading"}
V[9] = {[0]="none", [1]="in-feed", [2]="rack", [3]="reader", [4]="out-feed", [5]="tray"}
V[10] = {[1]="in-feed", [2]="rack", [3]="reader", [4]="out-feed", [5]="tray", [6]="door switch", [7]="memory", [8]="random source", [9]="power"}
V[11] = {[0]="empty", [1]="loaded", [2]="shuffling", [3]="sorting", [4]="ready", [5]="sorted", [6]="rejected", [7]="dispensing", [8]="unloading", [9]="held", [10]="jammed", [11]="testing", [12]="out of order"}
V[12] = {[0]="none", [1]="other boot", [2]="other deck", [3]="out of turn", [4]="busy", [5]="door open", [6]="jammed", [7]="held", [8]="not shuffled", [9]="not fit", [10]="irregularity", [11]="wrong mode", [12]="wrong size", [13]="too few cards", [14]="out of order"}
V[13] = {[1]="reader", [2]="switch", [3]="motion sensor"}
V[14] = {[1]="cancelled", [2]="too late", [3]="ended", [4]="session over"}
V[15] = {[0]="no key", [1]="key", [2]="guarded", [3]="key and seal", [4]="guarded and seal"}
V[16] = {[0]="idle", [1]="receiving", [2]="verified", [3]="trial", [4]="reverted"}
V[17] = {[0]="none", [1]="not proved", [2]="other update", [3]="gap", [4]="no room", [5]="no image", [6]="other device", [7]="other hardware", [8]="unknown signer", [9]="bad signature", [10]="rolled back", [11]="bad digest", [12]="not verified", [13]="in trial", [14]="busy"}
M[1] = { -- shoe
  [0x01] = {"Identify", {}},
  [0x02] = {"StatusRequest", {}},
  [0x10] = {"Permit", {{"u", "boot", 4}, {"u", "up_to", 4}}},
  [0x40] = {"CardDrawn", {{"u", "boot", 4}, {"u", "event_no", 4}, {"u", "uptime_ms", 8}, {"u", "draw_no", 4}, {"u", "card", 1, V[1]}, {"b", "inverted", 1}, {"u", "why", 1, V[2]}}},
  [0x41] = {"Overdraw", {{"u", "boot", 4}, {"u", "event_no", 4}, {"u", "uptime_ms", 8}, {"u", "draw_no", 4}, {"u", "card", 1, V[1]}, {"b", "inverted", 1}, {"u", "why", 1, V[2]}}},
  [0x42] = {"CardReturned", {{"u", "boot", 4}, {"u", "event_no", 4}, {"u", "uptime_ms", 8}, {"u", "draw_no", 4}}},
  [0x43] = {"CutCardOut", {{"u", "boot", 4}, {"u", "event_no", 4}, {"u", "uptime_ms", 8}, {"u", "draw_no", 4}}},
  [0x44] = {"ShoeLoaded", {{"u", "boot", 4}, {"u", "event_no", 4}, {"u", "uptime_ms", 8}, {"u", "decks", 1}, {"u", "cards", 2}}},
  [0x45] = {"ShoeEmpty", {{"u", "boot", 4}, {"u", "event_no", 4}, {"u", "uptime_ms", 8}, {"u", "draw_no", 4}}},
  [0x46] = {"Lid", {{"u", "boot", 4}, {"u", "event_no", 4}, {"u", "uptime_ms", 8}, {"u", "is_open", 1, V[3]}}},
  [0x81] = {"Identity", {{"u", "boot", 4}, {"s", "model"}, {"s", "serial"}, {"s", "firmware"}}},
  [0x82] = {"Status", {{"u", "boot", 4}, {"u", "draw_no", 4}, {"u", "up_to", 4}, {"u", "lid_open", 1, V[3]}, {"u", "cards_left", 2, V[4]}}},
  [0x90] = {"PermitState", {{"u", "boot", 4}, {"u", "draw_no", 4}, {"u", "up_to", 4}}},
}
CLASSES[1] = "shoe"
M[2] = { -- shuffler
  [0x01] = {"Identify", {}},
  [0x02] = {"StatusRequest", {}},
  [0x10] = {"SetMode", {{"b", "mode", 9}}},
  [0x11] = {"Shuffle", {{"u", "boot", 4}, {"u", "deck_no", 4}, {"u", "shuffle_no", 4}}},
  [0x12] = {"Dispense", {{"u", "boot", 4}, {"u", "known", 4}, {"u", "deck_no", 4}, {"u", "up_to", 2}, {"u", "size", 1}}},
  [0x13] = {"Unload", {{"u", "boot", 4}, {"u", "deck_no", 4}}},
  [0x14] = {"SelfTest", {{"u", "boot", 4}, {"u", "test_no", 4}}},
  [0x15] = {"MetersRequest", {}},
  [0x40] = {"DeckLoaded", {{"u", "boot", 4}, {"u", "event_no", 4}, {"u", "uptime_ms", 8}, {"u", "deck_no", 4}, {"u", "back", 1, V[5]}, {"u", "last_back", 1, V[5]}, {"u", "found", 1, V[3]}}},
  [0x41] = {"ShuffleStarted", {{"u", "boot", 4}, {"u", "event_no", 4}, {"u", "uptime_ms", 8}, {"u", "deck_no", 4}, {"u", "shuffle_no", 4}, {"u", "order", 1, V[6]}, {"u", "by", 1, V[7]}}},
  [0x42] = {"DeckVerified", {{"u", "boot", 4}, {"u", "event_no", 4}, {"u", "uptime_ms", 8}, {"u", "deck_no", 4}, {"u", "shuffle_no", 4}, {"u", "order", 1, V[6]}, {"u", "back", 1, V[5]}, {"u", "count", 2}, {"u", "expected", 2}, {"u", "boxed", 2}, {"u", "other_backs", 2}, {"u", "unread", 2, V[4]}, {"r", "missing"}}},
  [0x43] = {"StackDispensed", {{"u", "boot", 4}, {"u", "event_no", 4}, {"u", "uptime_ms", 8}, {"u", "deck_no", 4}, {"u", "stack_no", 2}, {"u", "size", 1}, {"r", "cards"}}},
  [0x44] = {"StackRemoved", {{"u", "boot", 4}, {"u", "event_no", 4}, {"u", "uptime_ms", 8}, {"u", "deck_no", 4}, {"u", "stack_no", 2}}},
  [0x45] = {"DeckUnloaded", {{"u", "boot", 4}, {"u", "event_no", 4}, {"u", "uptime_ms", 8}, {"u", "deck_no", 4}, {"u", "count", 2, V[4]}, {"u", "expected", 2, V[4]}}},
  [0x46] = {"Jammed", {{"u", "boot", 4}, {"u", "event_no", 4}, {"u", "uptime_ms", 8}, {"u", "deck_no", 4}, {"u", "during", 1, V[8]}, {"u", "where", 1, V[9]}, {"u", "card_no", 2}, {"u", "stack_no", 2}, {"u", "in_stack", 1}}},
  [0x47] = {"JamCleared", {{"u", "boot", 4}, {"u", "event_no", 4}, {"u", "uptime_ms", 8}, {"u", "deck_no", 4}}},
  [0x48] = {"BoxedCard", {{"u", "boot", 4}, {"u", "event_no", 4}, {"u", "uptime_ms", 8}, {"u", "deck_no", 4}, {"u", "card_no", 2}, {"u", "stack_no", 2}, {"b", "card", 2}}},
  [0x49] = {"DoorMoved", {{"u", "boot", 4}, {"u", "event_no", 4}, {"u", "uptime_ms", 8}, {"u", "is_open", 1, V[3]}}},
  [0x4a] = {"SelfTestEnded", {{"u", "boot", 4}, {"u", "event_no", 4}, {"u", "uptime_ms", 8}, {"u", "test_no", 4}, {"r", "failed"}}},
  [0x4b] = {"Fault", {{"u", "boot", 4}, {"u", "event_no", 4}, {"u", "uptime_ms", 8}, {"u", "part", 1, V[10]}}},
  [0x4c] = {"ModeChanged", {{"u", "boot", 4}, {"u", "event_no", 4}, {"u", "uptime_ms", 8}, {"b", "mode", 9}, {"u", "by", 1, V[7]}}},
  [0x81] = {"Identity", {{"u", "boot", 4}, {"s", "model"}, {"s", "serial"}, {"s", "firmware"}}},
  [0x82] = {"Status", {{"u", "boot", 4}, {"u", "event_no", 4}, {"u", "phase", 1, V[11]}, {"b", "mode", 9}, {"u", "deck_no", 4}, {"u", "back", 1, V[5]}, {"u", "shuffle_no", 4}, {"u", "stacks", 2}, {"u", "up_to", 2}, {"u", "size", 1}, {"u", "cards_left", 2, V[4]}, {"u", "tray", 1, V[3]}, {"u", "door_open", 1, V[3]}, {"u", "test_no", 4}}},
  [0x90] = {"ModeState", {{"b", "mode", 9}, {"u", "refused", 1, V[12]}}},
  [0x91] = {"ShuffleState", {{"u", "boot", 4}, {"u", "deck_no", 4}, {"u", "shuffle_no", 4}, {"u", "refused", 1, V[12]}}},
  [0x92] = {"DispenseState", {{"u", "boot", 4}, {"u", "deck_no", 4}, {"u", "stacks", 2}, {"u", "up_to", 2}, {"u", "size", 1}, {"u", "refused", 1, V[12]}}},
  [0x93] = {"UnloadState", {{"u", "boot", 4}, {"u", "deck_no", 4}, {"u", "refused", 1, V[12]}}},
  [0x94] = {"SelfTestState", {{"u", "boot", 4}, {"u", "test_no", 4}, {"u", "refused", 1, V[12]}}},
  [0x95] = {"Meters", {{"u", "shuffles", 4}, {"u", "cards", 4}, {"u", "stacks", 4}, {"u", "jams", 4}, {"u", "hours", 4}}},
}
CLASSES[2] = "shuffler"
M[3] = { -- dice cup
  [0x01] = {"Identify", {}},
  [0x02] = {"StatusRequest", {}},
  [0x10] = {"SetDice", {{"u", "dice", 1}}},
  [0x40] = {"Shaken", {{"u", "boot", 4}, {"u", "event_no", 4}, {"u", "uptime_ms", 8}, {"u", "shakes", 2}}},
  [0x41] = {"Opened", {{"u", "boot", 4}, {"u", "event_no", 4}, {"u", "uptime_ms", 8}, {"u", "roll_no", 4}, {"u", "shakes", 2}}},
  [0x42] = {"DiceRead", {{"u", "boot", 4}, {"u", "event_no", 4}, {"u", "uptime_ms", 8}, {"u", "roll_no", 4}, {"r", "values"}}},
  [0x43] = {"Shut", {{"u", "boot", 4}, {"u", "event_no", 4}, {"u", "uptime_ms", 8}, {"u", "roll_no", 4}}},
  [0x44] = {"Fault", {{"u", "boot", 4}, {"u", "event_no", 4}, {"u", "uptime_ms", 8}, {"u", "fault", 1, V[13]}, {"u", "is_over", 1, V[3]}}},
  [0x81] = {"Identity", {{"u", "boot", 4}, {"s", "model"}, {"s", "serial"}, {"s", "firmware"}}},
  [0x82] = {"Status", {{"u", "boot", 4}, {"u", "roll_no", 4}, {"u", "is_open", 1, V[3]}, {"u", "shakes", 2}, {"u", "dice", 1}}},
  [0x90] = {"DiceSet", {{"u", "dice", 1}}},
}
CLASSES[3] = "dice cup"
M[4] = { -- key panel
  [0x01] = {"Identify", {}},
  [0x02] = {"StatusRequest", {}},
  [0x10] = {"Show", {{"u", "show_no", 4}, {"b", "lamps", 8}, {"r", "lines"}}},
  [0x11] = {"AskPin", {{"u", "request", 4}, {"u", "shortest", 1}, {"u", "longest", 1}, {"u", "seconds", 1}}},
  [0x12] = {"EndPin", {{"u", "request", 4}}},
  [0x40] = {"KeyPressed", {{"u", "boot", 4}, {"u", "event_no", 4}, {"u", "uptime_ms", 8}, {"u", "key", 1}, {"b", "inverted", 1}}},
  [0x41] = {"PinEntered", {{"u", "boot", 4}, {"u", "event_no", 4}, {"u", "uptime_ms", 8}, {"u", "request", 4}, {"h", "digits"}}},
  [0x42] = {"PinGivenUp", {{"u", "boot", 4}, {"u", "event_no", 4}, {"u", "uptime_ms", 8}, {"u", "request", 4}, {"u", "why", 1, V[14]}}},
  [0x43] = {"KeyStuck", {{"u", "boot", 4}, {"u", "event_no", 4}, {"u", "uptime_ms", 8}, {"u", "key", 1}, {"u", "is_over", 1, V[3]}}},
  [0x81] = {"Identity", {{"u", "boot", 4}, {"s", "model"}, {"s", "serial"}, {"s", "firmware"}}},
  [0x82] = {"Status", {{"u", "boot", 4}, {"u", "keys", 1}, {"u", "lines", 1}, {"u", "columns", 1}}},
  [0x90] = {"Shown", {{"u", "show_no", 4}}},
  [0x91] = {"PinAsked", {{"u", "request", 4}, {"u", "is_taken", 1, V[3]}}},
  [0x92] = {"PinEnded", {{"u", "request", 4}}},
}
CLASSES[4] = "key panel"
M[0] = { -- every device
  [0x03] = {"Challenge", {{"b", "nonce", 16}}},
  [0x04] = {"Proof", {{"b", "mac", 32}}},
  [0x05] = {"FirmwareRequest", {}},
  [0x06] = {"UpdateBegin", {{"b", "update", 8}, {"u", "size", 4}}},
  [0x07] = {"UpdateChunk", {{"b", "update", 8}, {"u", "offset", 4}, {"r", "data"}}},
  [0x08] = {"UpdateVerify", {{"b", "update", 8}}},
  [0x09] = {"UpdateActivate", {{"b", "update", 8}}},
  [0x0a] = {"UpdateConfirm", {{"b", "update", 8}}},
  [0x0e] = {"Blink", {{"u", "seconds", 2}}},
  [0x83] = {"Response", {{"u", "holding", 1, V[15]}, {"b", "nonce", 16}, {"b", "mac", 32}}},
  [0x84] = {"ProofState", {{"u", "accepted", 1, V[3]}}},
  [0x85] = {"FirmwareState", {{"s", "bootloader"}, {"u", "hardware", 2}, {"u", "security", 4}, {"b", "image", 8}, {"u", "phase", 1, V[16]}, {"b", "update", 8}, {"u", "size", 4}, {"u", "have", 4}, {"u", "chunk", 1}}},
  [0x86] = {"UpdateBegun", {{"b", "update", 8}, {"u", "have", 4}, {"u", "refused", 1, V[17]}}},
  [0x87] = {"UpdateHave", {{"b", "update", 8}, {"u", "have", 4}, {"u", "refused", 1, V[17]}}},
  [0x88] = {"UpdateVerified", {{"b", "update", 8}, {"u", "refused", 1, V[17]}}},
  [0x89] = {"UpdateActivating", {{"b", "update", 8}, {"u", "refused", 1, V[17]}}},
  [0x8a] = {"UpdateConfirmed", {{"b", "update", 8}, {"u", "refused", 1, V[17]}}},
}
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
