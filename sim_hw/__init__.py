"""The simulated table: devices that a driver cannot tell from real ones.

clock        simulated time, at any speed
noise        a lossy wire, from a seed
pty          a serial port with a stable name
link_peer    the device's end of the link, on such a port
link_device  what every simulated device on the link does; bootloader (on its flash) and keyholder are part of it
shoe         the card-reading shoe
shuffler     the shuffler; inside it shuffler_machine (motor and sensors) and shuffler_deck (its cards)
reader_board  LED signs on one line; alpha_sign is one of them, led_matrix and led_font draw it
dice_cup     the dice cup
key_panel    the dealer's key panel
drop_box     a drop box and its sensor; modbus_bus has several on one port
card_reader  the barcode card reader; usb_backend is the bus it is on, usb_device what it is made of
playback     a recorded device, played back
people       a dealer and players, who see only what a table shows
rig          the simulated table as a process of its own
"""
