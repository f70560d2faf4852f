"""Drivers: what stands between a device's bytes and the controller.

spec         what the config says about one device
driver       what a driver is to the supervisor, and how it fails
drivers      which driver attends which kind of device
reports      what drivers tell the controller, as values
transport    opening a port by its url, and one sentence for each way it fails
discovery    which serial ports there are, and which of them a USB identity means
port         an open port as its driver sees it: its share of the loop, and no more
tap          listening in on what passes at a port
connection   a device link over an open port: messages in, messages out
options      a device's own options, checked
link_driver  the conversation that every driver on the device link holds
chance       where numbers come from that nobody may know beforehand
companion    beside it: looking the device over (authentication) and giving it new firmware (firmware)
shoe         the card-reading shoe
shuffler     the shuffler: decks and stacks
reader_board  the LED reader board; inside it board_content, board_options, board_keeper and sign_memory
dice_cup     the dice cup
key_panel    the dealer's keys, lamps, text and PINs
drop_box     the drop-box sensors; inside it modbus_bus, rota (whose turn it is), drop_watch and sensor_reports
card_reader  the barcode card reader, with card_reader_options; usb finds and claims it, hid_port reads it in a thread
bench        a device on the link without a daemon; codecs has what it speaks
supervisor   one task per device: connect, run, report, back off, connect again; whose is its device's name in the log
"""
