"""Chinese Poker (`legality`): events by their ruling."""

from __future__ import annotations

from controller.cases.answers.question import Answers, Document, Question
from controller.games.chinese_poker.options import ChineseOptions
from controller.games.chinese_poker.rulings import HAPPENINGS, ruling_on
from controller.games.chinese_poker.script import ChinesePoker


def chinese_poker(asked: Question[ChineseOptions]) -> Document:
    if asked.kind != "legality":
        raise asked.unanswered
    if any("event" not in act for act in asked.acts):
        raise LookupError("a legality case of Chinese Poker judges events, each by itself")
    ruled = [ruling_on(act["event"], act) if act["event"] in HAPPENINGS else None for act in asked.acts]
    return {"rulings": ruled}


ANSWERS: Answers = {ChinesePoker: chinese_poker}
