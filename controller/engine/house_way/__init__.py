"""House ways: how a room sets seven cards into a front of two and a back of five.

rows      the ordered table as data, and what can be wrong with it
arranged  seven cards in two hands, and whether they may lie so
setter    finds the row that fits a hand, sets it, and says why

The table itself is in the ruleset; a room that prints another one writes other rows, not another setter.
"""

from controller.engine.house_way.arranged import Arranged, Seven
from controller.engine.house_way.rows import HouseWayData
from controller.engine.house_way.setter import HouseWay, NotSet, Setting

__all__ = [
    "Arranged",
    "HouseWay",
    "HouseWayData",
    "NotSet",
    "Setting",
    "Seven",
]
