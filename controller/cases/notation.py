"""How cases write things, where the engine writes them otherwise: tiles, options, seats, acts, amounts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from controller.engine.bets.wagers import DEALER_TIP
from controller.engine.expect.choices import Choice
from controller.engine.expect.wants import AnyWant, WantWagers
from controller.engine.inputs import Act, AnyBody, FloorAct, WagerPlaced, place_of
from controller.rules import RulesError, Ruleset

Case = Mapping[str, Any]
CARD_KEYS = {"card", "cards", "front"}
FLOOR_WORDS = {"correct": "resume", "continue": "resume"}
"""What a sheet calls a floor's act, as an input of the engine: what was wrong is put right, or counts, and the round
goes on."""
DECLARES_SPLIT = ("split", "splitting", "declares_split", "declared_split", "split_openers", "split_declared")
"""How a discard is written with which the opener declares that he splits his openers."""
LIMIT_KEYS = ("table_min", "min_wager", "min"), ("table_max", "max_wager", "max")
LIMITS = {key for keys in LIMIT_KEYS for key in keys}
ASKS_ABOUT_HANDS = {"house_way", "ranking"}
OF_EACH_HAND = {"hands", "ranks", "front", "house_way_row", "fortune_hand", "rows", "pays_to_1"}
"""What the answer to such a question has of each of its hands."""
POSTED = {
    "rate": "rate",
    "interval_minutes": "minutes",
    "jackpot_minimum_hands": "jackpot_minimum_hands",
    "position_limit": "position_limit",
}
"""What the house posts beside a schedule, by its word among the options of fee cases (`House`)."""


def with_tiles(case: Case) -> Case:
    """A case that writes tiles without a dash, in the engine's notation: "36" is 3-6."""
    expect = {**case["expect"], "hands": _dashed(case["expect"].get("hands") or {})}
    acts = [{k: _dashed(v) if k in CARD_KEYS else v for k, v in act.items()} for act in case.get("acts") or ()]
    return {**case, "cards": _dashed(case.get("cards") or []), "acts": acts, "expect": expect}


def _dashed(value: Any) -> Any:
    match value:
        case str() if len(value) == len("36") and value.isdigit():
            return f"{value[0]}-{value[1]}"
        case int() if not isinstance(value, bool) and 11 <= value <= 66:
            return _dashed(str(value))
        case list():
            return [_dashed(item) for item in value]
        case dict():
            return {key: _dashed(item) for key, item in value.items()}
    return value


def with_first_spots(value: Any) -> Any:
    """A case, or a part of it, with the first spot of a seat as the table writes it, "5.1" as 5, wherever there is one.

    >>> with_first_spots({"acts": [{"seat": "5.1"}], "expect": {"net": {"5.1": 1, "5.2": 2}, "order": ["5.1.ante"]}})
    {'acts': [{'seat': 5}], 'expect': {'net': {5: 1, '5.2': 2}, 'order': ['5.ante']}}
    """
    if isinstance(value, list):
        return [with_first_spots(item) for item in value]
    if not isinstance(value, Mapping):
        return value
    rewritten: dict[Any, Any] = {}
    for key, item in value.items():
        if key == "seat":
            rewritten[key] = _first_spot(item)
        elif key == "order" and isinstance(item, list):
            rewritten[key] = [re.sub(r"^(\d+)\.1(?=\.|$)", r"\1", one) if isinstance(one, str) else one for one in item]
        else:
            rewritten[_first_spot(key)] = with_first_spots(item)
    return rewritten


TIPS = ("tip", "dealer_tip_wager")
"""Other words for a wager that is a dealer's tip."""


def with_tips(case: Case) -> Case:
    """A case with a dealer's tip under the table's name for it, among the wagers, acts and results."""

    def named(wager: Any) -> Any:
        return DEALER_TIP if wager in TIPS else wager

    def by_place(placed: Any) -> Any:
        if not isinstance(placed, Mapping):
            return placed
        rows = {place: row for place, row in placed.items() if isinstance(row, Mapping)}
        return {**placed, **{place: {named(k): v for k, v in row.items()} for place, row in rows.items()}}

    expect = {key: by_place(value) if key in ("net", "uncovered") else value for key, value in case["expect"].items()}
    acts = [{**act, "wager": named(act["wager"])} if "wager" in act else act for act in case.get("acts") or ()]
    renamed = {"wagers": by_place(case["wagers"])} if "wagers" in case else {}
    return {**case, **renamed, "acts": acts, "expect": expect}


def _first_spot(place: Any) -> Any:
    seat, _, spot = str(place).partition(".")
    return int(seat) if spot == "1" and seat.isdigit() else place


def by_number(case: Case) -> Case:
    """A question about one hand, or about some in a row, as one about hands by number."""
    cards, expect = case.get("cards"), case["expect"]
    if case.get("kind") not in ASKS_ABOUT_HANDS or not isinstance(cards, list) or not cards:
        return case
    hands = cards if isinstance(cards[0], list) else [cards]
    if any(isinstance(card, Mapping) for hand in hands for card in hand):
        return case

    def numbered(value: Any) -> Any:
        if isinstance(value, Mapping):
            return value
        values = value if hands is cards else [value]
        return dict(enumerate(values, start=1)) if isinstance(values, list) else value

    more = {key: numbered(value) if key in OF_EACH_HAND else value for key, value in (expect.get("more") or {}).items()}
    asked = {key: numbered(value) if key in OF_EACH_HAND else value for key, value in expect.items()}
    return {**case, "cards": dict(enumerate(hands, start=1)), "expect": {**asked, "more": more}}


def case_options(ruleset: Ruleset, case: Case) -> Struct:
    """The options of a case; a value of several words may be written with spaces, as some sheets do, a number that is
    switched off or on as `off`, `on`, and one that is not set, or a list of nothing, as `none`."""
    written = _with_back_line(ruleset, case.get("options") or {})
    chosen = _with_spot_limits(ruleset, _with_schedule(ruleset, written), case.get("table") or {})
    try:
        return ruleset.options(chosen)
    except RulesError:
        plain = {
            key: value if _is_taken(ruleset, key, value) else _plain(ruleset, key, value)
            for key, value in chosen.items()
        }
        if repr(plain) == repr(chosen):
            raise
        return ruleset.options(plain)


BACK_LINE = {
    "backline": "back_line_wagers",
    "back_line": "back_line_wagers",
    "backline_decides": "back_line_play",
    "back_line_decides": "back_line_play",
}
"""Words of sheets for the back line, as options of a ruleset."""
YES, NO = (True, "yes", "allowed", "permitted"), (False, "no", "refused", "not_allowed")


def _with_back_line(ruleset: Ruleset, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The options with the back line as the ruleset writes it; sheets write yes and no, under several names. What the
    approval prints is no option, and a case may state it all the same."""
    written: dict[str, Any] = {}
    for key, value in chosen.items():
        name = BACK_LINE.get(key, key.replace("backline_", "back_line_"))
        if not name.startswith("back_line_"):
            written[key] = value
            continue
        point = name.removeprefix("back_line_")
        option, printed = ruleset.data.options.get(name), ruleset.data.back_line.printed.get(point)
        meant = _back_line_point(point, value, printed if option is None else option.default)
        if meant != printed:
            written[name] = meant
    return written


def _back_line_point(point: str, value: Any, usual: Any) -> Any:
    """Yes and no as values of the point."""
    if value in YES:
        open_wagers = usual if usual not in (None, "none") else "all"
        return open_wagers if point == "wagers" else "own"
    if value in NO:
        return "none" if point == "wagers" else "joins" if point in ("double", "split") else "seat"
    return value


def _with_schedule(ruleset: Ruleset, chosen: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options with what the house posts beside the schedule in its place, where a case gives it as fee cases do."""
    house = {word: name for word, name in POSTED.items() if word in chosen and word not in ruleset.data.options}
    if not house or not chosen.get("schedule"):
        return chosen
    named = chosen["schedule"]
    posted = dict(named) if isinstance(named, Mapping) else {"id": named}
    rest = {key: value for key, value in chosen.items() if key not in house}
    return {**rest, "schedule": posted | {name: chosen[word] for word, name in house.items()}}


def _with_spot_limits(ruleset: Ruleset, chosen: Mapping[str, Any], table: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options with the limits of each betting space, where the game has such and a case gives them, as options or
    among the table's settings: {tie: [500, 10000]}, or each by its name."""
    limits = chosen.get("limits", table.get("limits"))
    if "limits" not in ruleset.data.options or not isinstance(limits, Mapping) or not LIMITS.isdisjoint(limits):
        return chosen
    spots = {
        wager: dict(zip(("min", "max"), limit, strict=False)) if isinstance(limit, list) else limit
        for wager, limit in limits.items()
    }
    return {**chosen, "limits": spots}


def _plain(ruleset: Ruleset, key: str, value: Any) -> Any:
    if value in ("none", None):
        return next((word for word in ("none", None, ()) if _is_taken(ruleset, key, word)), value)
    if isinstance(value, str):
        return value.replace(" ", "_")
    return int(value) if isinstance(value, bool) else value


def _is_taken(ruleset: Ruleset, key: str, value: Any) -> bool:
    """Whether the option has this value: `discard: none` is a word, `max_raises: none` is no number; `burn: false` is
    an answer, no number that is switched off."""
    try:
        ruleset.options({key: value})
    except RulesError:
        return False
    return True


def wager_limits(table: Mapping[str, Any]) -> tuple[int, int | None]:
    """The limits that the table posts, where a case gives them among its settings and not as options: each by its name,
    or both as `limits`."""
    both = table.get("limits")
    posted = {**dict(zip(("min", "max"), both, strict=False)), **table} if isinstance(both, list) else table
    if isinstance(both, Mapping):
        posted = {**both, **table}
    least, most = (next((posted[key] for key in keys if key in posted), None) for keys in LIMIT_KEYS)
    return least or 0, most


def at_its_place(act: Mapping[str, Any]) -> Mapping[str, Any]:
    """The act with its seat as the table writes it, however YAML read it: 2 for "2", "2.2" for 2.2."""
    seat = act.get("seat")
    if isinstance(seat, float):
        seat = str(seat)
    return {**act, "seat": int(seat) if isinstance(seat, str) and seat.isdigit() else seat} if "seat" in act else act


def body_of(act: Mapping[str, Any], wants: Sequence[AnyWant]) -> AnyBody:
    """What a person does, as an input of the engine; `wants`: what the table waits for."""
    rest = {key: value for key, value in act.items() if key != "after_cards"}
    if "floor" in rest:
        said = str(rest["floor"])
        return FloorAct(FLOOR_WORDS.get(said, said), str(rest.get("reason", "")), rest.get("seat"))
    if rest["do"] == "wager":
        return _wager(wants, rest["seat"], rest["wager"], rest["cents"])
    if rest["do"] == "withdraw" and "wager" in rest:
        return WagerPlaced(rest["seat"], rest["wager"], 0)
    for want in wants:
        for rule in want.rules if isinstance(want, WantWagers) else ():
            if rule.id == rest["do"]:
                # Poker's optional posts are written as acts where they are refused: `do: live_straddle, cents`.
                return WagerPlaced(rest["seat"], rule.id, rest.get("cents", rest.get("to", rule.min)))
    if "stack" in rest:
        rest["pile"] = rest.pop("stack")
    declared = [rest.pop(word, False) is True for word in DECLARES_SPLIT]
    if any(declared):
        rest["split"] = True
    known = {name: rest.pop(name, None) for name in ("seat", "do", "cents", "to", "pile", "by")}
    cards, front = rest.pop("cards", None), rest.pop("front", None)
    return Act(
        **known,
        cards=None if cards is None else tuple(map(str, cards)),
        front=None if front is None else tuple(map(str, front)),
        facts=rest,
    )


def _wager(wants: Sequence[AnyWant], place: int | str, wager: str, cents: int) -> AnyBody:
    """A wager that is placed while betting is open adds to what is there."""
    for want in wants:
        if isinstance(want, WantWagers):
            cents += want.book.get(place_of(place), {}).get(wager, 0)
    return WagerPlaced(place, wager, cents)


def amounts(choice: Choice) -> Any:
    """The amounts or counts that a choice may name, as the cases write them: one, some, or from and to."""
    if choice.to_one_of:
        return list(choice.to_one_of)
    for span in (choice.to, choice.count):
        if span is not None:
            return {"from": span[0], "to": span[1]}
    return None


def listed(choices: Iterable[str]) -> list[str]:
    """What a seat may do, as cases list it: where it may check, a call of nothing is the same."""
    offered = set(choices)
    return sorted(offered - {"call"} if "check" in offered else offered)


def described(choices: Iterable[Choice]) -> dict[str, Any]:
    """What a seat may do, in the form of `expect.legal`: every true description of a bet or raise.

    >>> described([Choice("fold"), Choice("call", to_one_of=(300,)), Choice("raise", to_one_of=(600,), reach=900)])
    {'check': False, 'call': 300, 'bet': False, 'raise': {'exactly_to': 600}, 'fold': True}
    """
    legal: dict[str, Any] = dict.fromkeys(("check", "call", "bet", "raise"), False)
    for choice in choices:
        legal[choice.do] = choice.to_one_of[0] if choice.do == "call" and choice.to_one_of else _range(choice)
    if legal["check"]:
        legal["call"] = False  # of nothing: another word for the check
    return legal


def _range(choice: Choice) -> dict[str, Any] | bool:
    if len(choice.to_one_of) > 1:
        return {"one_of": list(choice.to_one_of)}
    least, most = (choice.to_one_of[0], choice.to_one_of[0]) if choice.to_one_of else choice.to or (None, None)
    if least is None:
        return True
    span = {} if choice.to_one_of else {"min_to": least, "max_to": most}
    exact = {"exactly_to": most} if least == most else {}
    return {**span, **exact, **({"only_all_in_to": most} if least == most == choice.reach else {})}
