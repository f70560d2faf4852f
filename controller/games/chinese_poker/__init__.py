"""Chinese Poker: thirteen cards in three hands, points between every two players.

hands   segments, their order, clean sweeps and bonuses
script  the round
"""

from controller.games.chinese_poker.script import ChinesePoker

__all__ = ["ChinesePoker"]
