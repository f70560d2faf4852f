"""Everything that the engine reports about a table, as values.

An event's body is one of the types below; number (`seq`), time, round and hash are the journal's. Users write
`from controller.engine import events as ev` and then `ev.CardDealt`, whichever module defines the type:

round      how it began, what was bet and decided, how it ended
cards      cards, dice, shoes and packs
fees       what a hand owes the house
boxes      what fell into the drop boxes, against what was owed
procedures burns, absence, hands of one player, buy-ins, the cut
jackpots   meters, hits and payouts
table      rules, seats, who deals, commands over the network, records
devices    devices, their firmware, alarms
codec      all kinds by name, and as JSON

A subclass of `Event` in one of these modules is a kind of event: nothing else lists them
(docs/development/adding-an-event.md).
"""

from controller.engine.events.boxes import *  # noqa: F403
from controller.engine.events.cards import *  # noqa: F403
from controller.engine.events.codec import *  # noqa: F403
from controller.engine.events.devices import *  # noqa: F403
from controller.engine.events.event import *  # noqa: F403
from controller.engine.events.fees import *  # noqa: F403
from controller.engine.events.jackpots import *  # noqa: F403
from controller.engine.events.procedures import *  # noqa: F403
from controller.engine.events.round import *  # noqa: F403
from controller.engine.events.table import *  # noqa: F403
