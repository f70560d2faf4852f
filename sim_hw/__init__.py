"""The simulated table: devices that a driver cannot tell from real ones.

clock        simulated time, at any speed
noise        a lossy wire, from a seed
line         a device's wire: its port, and what becomes of bytes on the way
pty          a serial port with a stable name; tcp a network socket, local_port one in the file system
link_peer    the device's end of the link, on such a port
link_device  what every simulated device on the link does; bootloader (on its flash) and keyholder are part of it
shoe         the card-reading shoe
shuffler     the shuffler; inside it shuffler_machine (motor and sensors) and shuffler_deck (its cards)
reader_board  LED signs on one line; alpha_sign is one of them, led_matrix and led_font draw it
dice_cup     the dice cup
key_panel    the dealer's key panel
drop_box     a drop box and its sensor; modbus_bus has several on one port
card_reader  the barcode card reader; usb_backend is the bus it is on, usb_device what it is made of, usb_server the bus
             for another process
playback     a recorded device, played back
people       a dealer and players at baccarat, who see only what a table shows; people_table plays any game so: what it
             sees is people_sight, what it chooses people_choices, where the cards lie people_felt, what it does wrong
             people_mistakes, who puts it right people_floor, as a process for the demo people_demo
sim_loop     an event loop in simulated time, for a table and its daemon in one process: docs/soak.md

The rig on top of them, docs/rig.md:

models       from a plan's words to a device; hands what people do with it by name; faults what goes wrong by name
rig          the devices of a plan in one folder; story what was done with them; crew the people at it
board        broker and daemon beside the rig, as processes; watch what a cardroom hears of them
scenario     a story as a file; stage plays it, sights and matching judge it, recording writes it, toml is its hand
control      the socket of a running rig; rig_main the command; pytest_plugin the bench
dealing      a baccarat table with people, as the demo starts it
"""
