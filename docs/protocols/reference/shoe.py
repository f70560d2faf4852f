"""A card-reading shoe in one file: what device-link.md and shoe.md require, without a bootloader and without a key.

It runs on CPython and on MicroPython, so a microcontroller board with a serial port can stand in for a shoe. It does no
I/O and knows no clock: its owner passes in bytes and milliseconds, and writes what it returns.

    shoe = Shoe(random32)                 a function that returns 32 random bits
    port.write(shoe.power_up(now))        then, for ever:
    port.write(shoe.receive(data, now))       bytes came
    port.write(shoe.tick(now))                every 10 ms or so
    shoe.load(8, cards), shoe.draw(), shoe.lid(True)    what hands and sensors do, and then tick

docs/protocols/reference/README.md says how to try it. The tables beside the code are those of the pages.
"""

import struct

# device-link.md, section 6: the times, in milliseconds
FIRST_TIMEOUT, FLOOR, CEILING = 250, 50, 1000
NAK_EVERY, KEEPALIVE_AFTER, DEAD_AFTER = 50, 500, 2500

# device-link.md, section 3: the kinds of frames
RESET, HELLO, DATA, ACK, KEEPALIVE, DOWN, NAK = 1, 2, 3, 4, 5, 6, 7
VERSION, WINDOW, MAX_PAYLOAD, SHOE = 1, 4, 240, 0x01

MOST_EVENTS = 64  # device-link.md, section 7
RESERVE = 8  # for what cannot be prevented


# device-link.md, section 2: 00 COBS( body crc ) 00


def crc16(data):
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = ((crc << 1) ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc ^ 0xFFFF


def framed(body):
    out = b"\0"
    for run in (body + struct.pack(">H", crc16(body))).split(b"\0"):
        out += bytes((len(run) + 1,)) + run
    return out + b"\0"


def unframed(stuffed):
    """The body, or None: not COBS, or a wrong CRC."""
    body, at = b"", 0
    while at < len(stuffed):
        run = stuffed[at]
        if at + run > len(stuffed):
            return None
        body += stuffed[at + 1 : at + run]
        at += run
        if at < len(stuffed):
            body += b"\0"
    if len(body) < 9 or crc16(body[:-2]) != struct.unpack(">H", body[-2:])[0]:
        return None
    return body[:-2]


class Link:
    """The device's end of the link: device-link.md, sections 4 and 5.

    LISTENING --- RESET: a new session, HELLO ---> UP --- 2.5 s without a good frame: LISTENING
                                                   UP --- RESET with another token: the next session, HELLO
                                                   UP --- the same RESET, nothing received yet: HELLO again
    """

    def __init__(self, device_class, random32):
        self.device_class, self.random32 = device_class, random32
        self.used = []  # session numbers since power-up
        self.outbox = []  # [message, is it an event], oldest first
        self.now = 0
        self.power_up()

    def power_up(self):
        self.is_up, self.session, self.token = False, 0, None
        self.partial, self.overrun = b"", False
        self.out = framed(struct.pack(">BIBB", DOWN, 0, 0, 0))  # after power-up: DOWN with session 0

    def send(self, message, is_event):
        if is_event or self.is_up:
            self.outbox.append([message, is_event])

    # Bytes in

    def receive(self, data):
        """The messages in these bytes, oldest first."""
        messages = []
        for byte in data:
            if byte:
                if len(self.partial) >= 255:
                    self.overrun = True
                else:
                    self.partial += bytes((byte,))
                continue
            stuffed, overrun = self.partial, self.overrun
            self.partial, self.overrun = b"", False
            body = None if overrun else unframed(stuffed) if stuffed else b""
            if body is None:
                self.nak()  # a bad frame or an overrun
            elif body:
                self.frame(body, messages)
        return messages

    def frame(self, body, messages):
        kind, session, seq, ack = struct.unpack(">BIBB", body[:7])
        payload = body[7:]
        if kind == RESET:
            if len(payload) == 4:
                self.reset(session, payload)
        elif kind in (DATA, ACK, KEEPALIVE, NAK):
            if (kind == DATA) != bool(payload) or len(payload) > MAX_PAYLOAD:
                return  # a wrong length: ignored
            if not self.is_up:
                self.out += framed(struct.pack(">BIBB", DOWN, session, 0, 0))
            elif session == self.session:
                self.heard_at, self.has_heard = self.now, True
                self.acknowledged(ack)
                if kind == DATA:
                    self.data(seq, payload, messages)
                elif kind == NAK and self.in_flight:
                    index = (seq - self.first_seq) & 255
                    if index < self.in_flight:  # else: not in flight, ignored
                        self.again(index)

    def reset(self, token, payload):
        lowest, highest, window, longest = payload
        if not 1 <= lowest <= highest or not window or not 64 <= longest <= 240:
            return
        if lowest > VERSION:
            self.hello(self.session if self.is_up else self.new_session(), token, 0)
            return
        if self.is_up and token == self.token and not self.has_heard:
            self.hello(self.session, token, VERSION)
            return
        self.is_up, self.token, self.session = True, token, self.new_session()
        self.outbox = [each for each in self.outbox if each[1]]  # answers of the old session are dropped
        self.window = min(window, WINDOW, 127)
        self.first_seq = self.in_flight = self.expected = 0
        self.timeout, self.smoothed, self.deviation = FIRST_TIMEOUT, None, 0
        self.sent_at, self.is_again, self.wait_from = [], [], self.now
        self.heard_at = self.said_at = self.now
        self.has_heard = self.ack_due = False
        self.nak_at = self.now - NAK_EVERY
        self.hello(self.session, token, VERSION)

    def new_session(self):
        while True:
            number = self.random32()
            if number and number not in self.used:
                self.used = self.used[-99:]
                self.used.append(number)
                return number

    def hello(self, session, token, version):
        head = struct.pack(">BIBB", HELLO, session, 0, 0)
        self.out += framed(head + struct.pack(">IBBBB", token, version, WINDOW, MAX_PAYLOAD, self.device_class))

    def data(self, seq, payload, messages):
        ahead = (seq - self.expected) & 255
        if ahead == 0:
            self.expected = (self.expected + 1) & 255
            self.ack_due = True
            messages.append(payload)
        elif ahead >= 128:
            self.ack_due = True  # already processed: acknowledge again, nothing else
        else:
            self.nak()  # a gap: dropped

    def acknowledged(self, ack):
        count = (ack - self.first_seq) & 255
        if not 0 < count <= self.in_flight:
            return  # out of range: ignored
        if not self.is_again[count - 1]:
            self.measured(self.now - self.sent_at[count - 1])
        self.outbox = self.outbox[count:]
        self.sent_at, self.is_again = self.sent_at[count:], self.is_again[count:]
        self.first_seq, self.in_flight = ack, self.in_flight - count
        self.wait_from = self.now

    def measured(self, trip):
        if self.smoothed is None:
            self.smoothed, self.deviation = trip, trip / 2
        else:
            self.deviation += (abs(trip - self.smoothed) - self.deviation) / 4
            self.smoothed += (trip - self.smoothed) / 8
        self.timeout = min(max(self.smoothed + 4 * self.deviation, FLOOR), CEILING)

    def nak(self):
        if self.is_up and self.now - self.nak_at >= NAK_EVERY:
            self.nak_at = self.now
            self.say(NAK, self.expected)

    # Frames out

    def say(self, kind, seq, payload=b""):
        self.out += framed(struct.pack(">BIBB", kind, self.session, seq, self.expected) + payload)
        self.said_at, self.ack_due = self.now, False

    def again(self, index):
        """Send from here on once more."""
        for n in range(index, self.in_flight):
            self.is_again[n] = True
            self.say(DATA, (self.first_seq + n) & 255, self.outbox[n][0])
        self.wait_from = self.now

    def tick(self):
        """What has become due; the bytes to write."""
        if self.is_up and self.now - self.heard_at >= DEAD_AFTER:
            self.is_up = False
        if self.is_up:
            if self.in_flight and self.now - self.wait_from >= self.timeout:
                self.timeout = min(2 * self.timeout, CEILING)
                self.again(0)
            while self.in_flight < min(self.window, len(self.outbox)):
                if not self.in_flight:
                    self.wait_from = self.now
                self.in_flight += 1
                self.sent_at.append(self.now)
                self.is_again.append(False)
                self.say(DATA, (self.first_seq + self.in_flight - 1) & 255, self.outbox[self.in_flight - 1][0])
            if self.ack_due:
                self.say(ACK, 0)
            if self.now - self.said_at >= KEEPALIVE_AFTER:
                self.say(KEEPALIVE, 0)
        out, self.out = self.out, b""
        return out


class Shoe:
    """shoe.md. The mouth is open while draw_no < permit, the lid is closed and there is room for another event."""

    def __init__(self, random32, model=b"REF-SHOE", serial=b"R-0001", firmware=b"1.0"):
        self.random32 = random32
        self.names = b"".join(bytes((len(name),)) + name for name in (model, serial, firmware))
        self.cards = []  # card bytes of section 4, the next one first; 0: the reader cannot read it
        self.lid_open = False
        self.link = Link(SHOE, random32)
        self.power_up(0)

    def power_up(self, now):
        """Power-up: a new boot, draw_no 0, permit 0. Events that were not taken are lost: the new boot shows it."""
        self.boot = self.random32()
        self.draw_no = self.permit = self.event_no = 0
        self.booted_at = self.link.now = now
        self.link.outbox = []
        self.link.power_up()
        return self.link.tick()

    def receive(self, data, now):
        self.link.now = now
        for message in self.link.receive(data):
            self.message(message)
        return self.link.tick()

    def tick(self, now):
        self.link.now = now
        return self.link.tick()

    # Section 3: messages of the controller. Another kind, or another length, is acknowledged and ignored.

    def message(self, message):
        if message == b"\x01":  # Identify
            self.link.send(b"\x81" + struct.pack(">I", self.boot) + self.names, False)
        elif message == b"\x02":  # StatusRequest
            status = struct.pack(">IIIBH", self.boot, self.draw_no, self.permit, self.lid_open, len(self.cards))
            self.link.send(b"\x82" + status, False)
        elif message[0] == 0x10 and len(message) == 9:  # Permit
            boot, up_to = struct.unpack(">II", message[1:])
            if boot == self.boot:
                self.permit = up_to  # the newest counts, also when it is lower
            self.link.send(b"\x90" + struct.pack(">III", self.boot, self.draw_no, self.permit), False)

    # Section 1: what happens at the shoe

    def event(self, kind, fields):
        if len(self.link.outbox) < MOST_EVENTS + RESERVE:
            self.event_no += 1
            head = struct.pack(">BIIII", kind, self.boot, self.event_no, 0, self.link.now - self.booted_at)
            self.link.send(head + fields, True)

    @property
    def is_locked(self):
        return self.draw_no >= self.permit or self.lid_open or len(self.link.outbox) >= MOST_EVENTS

    def load(self, decks, cards):
        self.cards = list(cards)
        self.event(0x44, struct.pack(">BH", decks, len(self.cards)))

    def lid(self, is_open):
        self.lid_open = is_open
        self.event(0x46, bytes((is_open,)))

    def draw(self, force=False):
        """A card leaves: permitted, or torn out of the locked mouth. Without force a locked mouth holds it."""
        if not self.cards or (self.is_locked and not force):
            return
        kind = 0x41 if self.is_locked else 0x40  # Overdraw, CardDrawn
        card = self.cards.pop(0)
        self.draw_no += 1
        why = 0 if card else 1  # 1: not seen
        self.event(kind, struct.pack(">IBBB", self.draw_no, card, card ^ 0xFF, why))
        if not self.cards:
            self.event(0x45, struct.pack(">I", self.draw_no))
        self.last = card

    def push_back(self):
        self.cards.insert(0, self.last)
        self.event(0x42, struct.pack(">I", self.draw_no))

    def cut_card(self):
        """The cut card passes, which it does only while the mouth is open; it is no draw."""
        if not self.is_locked:
            self.event(0x43, struct.pack(">I", self.draw_no))
