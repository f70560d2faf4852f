"""Which games are soaked where nobody names any. Light: the command line loads it."""

from __future__ import annotations

GAMES = (
    "bankers-ez-baccarat-panda-8",
    "bankers-pure-21-5-blackjack",
    "bankers-ultimate-texas-holdem",
    "turlock-fortune-pai-gow-poker",
    "bankers-texas-holdem",
)
ALL = "all"
"""In the place of rulesets: every one that can be dealt."""
