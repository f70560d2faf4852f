"""Answers to requests that wait until the broker has room for them.

Their number is bounded, however many requests are refused while the broker is slow: beyond it, the requests of a topic
are counted, and one answer states how many got none of their own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from controller.contract.messages import encode
from controller.contract.requests import Reply
from controller.contract.why import Why

MOST_WAITING = 512
MOST_TOPICS = 256
"""That get a count."""


class Answer:
    """What one request is answered: a message, or a whole replay of them, on one topic."""

    __slots__ = ("correlation", "payloads", "topic")

    def __init__(self, topic: str, payloads: Iterator[bytes], correlation: bytes | None) -> None:
        self.topic, self.payloads, self.correlation = topic, payloads, correlation


class WaitingAnswers:
    """The answers of one connection, in order."""

    def __init__(self) -> None:
        self._answers: deque[Answer] = deque()
        self._without_answer: dict[str, int] = {}
        """By topic: requests since its last count was sent."""

    def __len__(self) -> int:
        return len(self._answers)

    def add(self, answer: Answer) -> None:
        topic = answer.topic
        if topic in self._without_answer:
            self._without_answer[topic] += 1
        elif len(self._answers) < MOST_WAITING:
            self._answers.append(answer)
        elif len(self._without_answer) < MOST_TOPICS:
            self._without_answer[topic] = 1
            self._answers.append(Answer(topic, self._count(topic), None))

    def first(self) -> Answer | None:
        return self._answers[0] if self._answers else None

    def drop_first(self) -> None:
        self._answers.popleft()

    def clear(self) -> None:
        self._answers.clear()
        self._without_answer.clear()

    def _count(self, topic: str) -> Iterator[bytes]:
        count = self._without_answer.pop(topic)
        text = f"{count} requests got no answer of their own: too many answers were waiting for the broker; send slower"
        yield encode(Reply(id="", ok=False, why=Why.TOO_MANY, text=text))
