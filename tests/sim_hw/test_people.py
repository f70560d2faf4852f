"""Simulated people play every ruleset from the public state document alone, without a device on the table."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.config import Config
from controller.demo.needs import PLAYER_DEALER, SEATS, needs_of, stakes_of
from controller.engine import events as ev
from controller.engine.inputs import Input, PackReported, ShoeStarted, decode_body
from controller.engine.round.felt import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.outputs.state import encode_state, state
from controller.rules import all_rulesets, load
from sim_hw.devices.shoe import SimulatedShoe
from sim_hw.people.baccarat import TableSaidNo
from sim_hw.people.choices import between, decide, wagers
from sim_hw.people.crew import Crew, Habits, Reach, Stakes, Stuck
from sim_hw.people.felt import Felt
from sim_hw.people.mistakes import Clumsiness, Mistakes
from sim_hw.people.sight import Card, Choice, Decision, Floor, Rule, Sight, Strange, Wagers, look_at
from sim_hw.time.clock import SimClock
from sim_hw.wire.local_port import LocalPort
from tests.engine.test_bot import is_dealt


class BareTable:
    """A console with nothing behind it but the engine: what people see and may say, and no device at all."""

    def __init__(self, slug: str, options: dict[str, Any] | None = None) -> None:
        ruleset = load(slug)
        self.needs = needs_of(slug)
        self.config = msgspec.convert({"site": "test", "table": "t-1", "rules": {"ruleset": slug}}, Config)
        setup = Setup(SEATS, None if self.needs.pots else PLAYER_DEALER)
        self.engine: TableEngine[Any] = TableEngine(
            ruleset.game, ruleset.options(options or {}), TableState(setup), slug
        )
        self.refused: list[str] = []
        self.codes: list[str] = []
        self.inputs = 0
        self.said: list[dict[str, Any]] = []
        self.events: list[ev.Event] = []

    async def state(self) -> bytes:
        return encode_state(state(self.engine, self.config, "0" * 32, self.inputs))

    async def act(self, body: dict[str, Any], by: str = "dealer") -> dict[str, Any]:
        self.inputs += 1
        self.said.append(body)
        assert self.inputs < 5000, "goes in circles"
        events = self.engine.apply(Input(self.inputs, by, decode_body(body)))
        self.events += events
        self.codes += [event.code for event in events if isinstance(event, ev.Irregularity)]
        for event in events:
            if isinstance(event, ev.Refused):
                self.refused.append(event.why)
                raise TableSaidNo(f"{body}: {event.why}: {event.text}")
        return {"ok": True}

    async def round(self, by: str = "floor") -> dict[str, Any]:
        raise AssertionError("nothing is misread where nothing is read")

    def crew(self, seed: int, mistakes: Mistakes | None = None, reach: Reach | None = None) -> Crew:
        stakes = Stakes(**msgspec.structs.asdict(stakes_of(self.engine.ruleset, {})))
        habits = Habits(self.needs.deck, lasts=self.needs.lasts, seats=SEATS, stakes=stakes, pace=0)
        console: Any = self
        return Crew(console, reach or Reach(), SimClock.at("max"), habits, seed=seed, mistakes=mistakes)


@pytest.mark.parametrize("slug", [slug for slug, rules in all_rulesets().items() if is_dealt(rules)])
async def test_people_play_every_ruleset_from_what_everybody_sees(slug: str) -> None:
    table = BareTable(slug)
    crew = table.crew(seed=5)
    assert await crew.play(rounds=2) == 2
    assert "engine_fault" not in table.codes
    assert crew.rounds == 2, "a round was void"


async def test_a_void_round_is_not_counted_among_those_that_were_asked_for() -> None:
    table = BareTable("bankers-ez-baccarat-panda-8")
    crew = table.crew(seed=3)
    while (await crew.look()).phase != "dealing":
        await crew.step()
    await crew.say({"kind": "floor", "do": "void", "reason": "a drink was spilt"}, by="floor")
    assert await crew.play(rounds=2) == 2
    assert crew.rounds == 3


@pytest.mark.parametrize("slug", ["calgrand-panguingue", "turlock-panguingue"])
@pytest.mark.parametrize("seed", range(4))
async def test_panguingue_is_played_until_somebody_goes_out(slug: str, seed: int) -> None:
    table = BareTable(slug)
    crew = table.crew(seed)
    assert await crew.play(rounds=2) == 2
    sight = await crew.look()
    assert list(sight.last["outcome"].values()).count("win") == 1
    assert "not_a_meld" not in table.refused


@pytest.mark.parametrize("slug", ["bankers-pure-21-5-blackjack", "village-21st-century-blackjack"])
async def test_a_shoe_that_is_dealt_by_hand_ends_with_its_cut_card(slug: str) -> None:
    table = BareTable(slug)
    crew = table.crew(seed=1)
    assert await crew.play(rounds=60) == 60
    assert crew.rounds == 60, "a round was void"
    assert not {"duplicate_card", "shoe_empty"} & set(table.codes)
    assert table.engine.state.shoe is not None and table.engine.state.shoe.number > 1
    assert not table.engine.state.alarms


async def test_nobody_deals_on_from_a_shoe_that_an_alarm_is_about() -> None:
    table = BareTable("bankers-ez-baccarat-panda-8")
    crew = table.crew(seed=1)
    await crew.play(rounds=1)
    for body in (ShoeStarted(8, 410), PackReported(cards=416)):
        table.engine.apply(Input(table.inputs, "device:shoe", body))
    assert list(table.engine.state.alarms) == ["shoe:card_count"]
    await crew.play(rounds=1)
    assert not table.engine.state.alarms


class Slot:
    """A drop box that counts, and reports to nobody."""

    def __init__(self) -> None:
        self.pieces = 0

    def drop(self, pieces: int) -> None:
        self.pieces += pieces


class DeadMachine:
    """A shuffler that takes decks and never gives a card."""

    phase, is_on, has_stack = "empty", True, False

    def __init__(self) -> None:
        self.backs: list[str] = []

    def load(self, back: str) -> None:
        self.backs.append(back)

    def take(self) -> list[str]:
        return []

    def move_door(self, *, is_open: bool) -> None:
        pass

    async def wait_taken(self) -> None:
        pass

    async def wait_phase(self, *phases: str) -> None:
        pass


async def test_two_decks_take_turns_and_a_void_round_was_no_turn() -> None:
    table = BareTable("bankers-three-card-poker")
    machine: Any = DeadMachine()
    crew = table.crew(seed=3, reach=Reach(shuffler=machine))
    await crew.play(rounds=2)
    while (await crew.look()).phase != "dealing":
        await crew.step()
    await crew.say({"kind": "floor", "do": "void", "reason": "a drink was spilt"}, by="floor")
    await crew.play(rounds=2)
    assert machine.backs == ["blue", "red", "blue", "blue", "red"]


@pytest.mark.parametrize("slug", [slug for slug, rules in all_rulesets().items() if is_dealt(rules)])
def test_people_load_as_many_decks_as_the_rules_say(slug: str) -> None:
    ruleset = load(slug)
    wanted = ruleset.game.decks(ruleset.options())
    assert wanted in (None, Habits(needs_of(slug).deck).decks)


def test_tiles_are_dealt_by_hand_and_bonus_cards_out_of_a_shoe() -> None:
    by_hand = {slug for slug, rules in all_rulesets().items() if is_dealt(rules) and needs_of(slug).by_hand}
    assert by_hand == {"bankers-pai-gow-tiles", "calgrand-pai-gow-tiles"}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("slug", ["village-deuce-seven-triple-draw", "calgrand-lowball-ace-to-five"])
async def test_discards_are_shuffled_and_dealt_once_more_where_the_deck_is_out(slug: str, seed: int) -> None:
    table = BareTable(slug)
    crew = table.crew(seed)
    assert await crew.play(rounds=4) == 4
    assert crew.rounds == 4
    assert "duplicate_card" not in table.refused


@pytest.mark.parametrize(
    ("slug", "antes", "blinds"),
    [
        ("bankers-seven-card-stud", True, False),
        ("calgrand-seven-card-stud", True, False),
        ("bankers-razz", True, False),
        ("turlock-mexican-poker", True, False),
        ("bankers-draw-jacks-or-better", True, False),
        ("calgrand-panguingue", True, False),
        ("bankers-mexican-poker-salinas", False, False),
        ("village-chinese-poker", False, False),
        ("bankers-texas-holdem", False, True),
        ("village-baduci", False, True),
    ],
)
async def test_the_floor_posts_what_the_game_is_played_for(slug: str, antes: bool, blinds: bool) -> None:
    table = BareTable(slug)
    crew = table.crew(seed=2)
    await crew.play(rounds=1)
    setup = table.engine.state.setup
    posted = setup.settings.get("antes") or {}
    assert (sorted(map(int, posted)) == list(setup.seats)) is antes
    assert bool(setup.settings.get("blinds")) is blinds


async def test_in_stud_the_floor_posts_the_forced_bet() -> None:
    table = BareTable("bankers-seven-card-stud")
    await table.crew(seed=2).play(rounds=1)
    structure = table.engine.state.setup.settings["structure"]
    assert 0 < structure["forced"] < structure["low"]


async def test_the_same_seed_plays_the_same_rounds() -> None:
    first, second = BareTable("bankers-texas-holdem"), BareTable("bankers-texas-holdem")
    for table in (first, second):
        await table.crew(seed=8).play(rounds=2)
    assert first.inputs == second.inputs
    assert first.engine.public_result == second.engine.public_result


async def test_people_who_are_asked_something_unknown_say_so() -> None:
    crew = BareTable("bankers-ez-baccarat-panda-8").crew(seed=1)
    sight = await crew.look()
    with pytest.raises(Stuck, match="knows what to do"):
        await crew.step(msgspec.structs.replace(sight, wants=(Strange("dance", {"want": "dance"}),), phase="dealing"))


async def test_a_want_that_people_do_not_know_is_named_in_the_error() -> None:
    document = msgspec.json.decode(await BareTable("bankers-ez-baccarat-panda-8").state())
    document["wants"] = [{"want": "dance", "steps": 3}]
    assert look_at(msgspec.json.encode(document)).wants == (Strange("dance", {"want": "dance", "steps": 3}),)


async def test_the_floor_names_the_seat_that_it_is_asked_for() -> None:
    table = BareTable("village-no-bust-blackjack-joker")
    crew = table.crew(seed=1)
    asked = Floor("action_button_open", "name the position of the action button", ("action_button",), seats=(3,))
    with pytest.raises(TableSaidNo, match="not_expected"):
        await crew.floor.decide(crew, asked, await crew.look())
    assert table.said[-1]["seat"] == 3


async def test_nobody_leaves_a_pot_that_is_carried_and_a_void_hand_keeps_its_button() -> None:
    table = BareTable("bankers-draw-jacks-or-better")
    crew = table.crew(seed=1)
    seen_carried = False
    for _ in range(30):
        await crew.play(rounds=1)
        setup, result = table.engine.state.setup, table.engine.public_result
        carried = bool(setup.settings.get("carried"))
        assert carried is ("carried" in result["outcome"].values())
        seen_carried = seen_carried or carried
        while (await crew.look()).phase != "dealing":
            await crew.step()
        dealt = table.engine.state.setup
        assert not carried or dealt.seats == setup.seats
        await crew.say({"kind": "floor", "do": "void", "reason": "a drink was spilt"}, by="floor")
        while (await crew.look()).phase != "dealing":
            await crew.step()
        assert (table.engine.state.setup.seats, table.engine.state.setup.button) == (dealt.seats, dealt.button)
    assert seen_carried


# A dead shoe


class Notes:
    """A console that takes everything and writes it down."""

    def __init__(self) -> None:
        self.said: list[dict[str, Any]] = []

    async def act(self, body: dict[str, Any], by: str = "dealer") -> dict[str, Any]:
        self.said.append(body)
        return {"ok": True}


async def test_cards_are_taken_by_hand_out_of_a_shoe_that_is_dead(tmp_path: Path) -> None:
    clock = SimClock.at("max")
    shoe = SimulatedShoe(LocalPort(tmp_path, "shoe"), clock, seed=1)
    shoe.load(cards=["9h", "Kd", "2c"], cut_card_at=1)
    notes: Any = Notes()
    crew = Crew(notes, Reach(shoe=shoe), clock, Habits(("9h", "Kd", "2c"), lasts=True, pace=0), seed=1)
    for nth in (1, 2, 3):
        await crew.dealer.deal(Card("player", nth, face_up=nth < 3), seen())
    assert notes.said == [
        {"kind": "card_out", "card": "9h"},
        {"kind": "cut_card"},
        {"kind": "card_out", "card": "Kd"},
        {"kind": "card_out", "card": None},
        {"kind": "happening", "code": "shoe_empty"},
    ]
    assert (shoe.cards_left, shoe.draw_no, shoe.lid_open) == (0, 0, True)


# What they choose


@pytest.mark.parametrize("seed", range(30))
def test_wagers_stay_within_what_is_offered(seed: int) -> None:
    rules = (
        Rule("ante", min=500, max=2500, step=500),
        Rule("blind", equals="ante", needs=("ante",)),
        Rule("trips", min=100, max=700, needs=("ante",)),
        Rule("straddle", min=300, max=300, seats=(2,)),
    )
    for act in wagers(Wagers(rules, (1, 2, 3), {}), random.Random(seed)):
        rule = next(rule for rule in rules if rule.id == act["wager"])
        assert max(rule.min, 1) <= act["cents"] <= (rule.max or 2500)
        assert act["cents"] % rule.step == 0
        assert rule.seats is None or int(str(act["place"]).partition(".")[0]) in rule.seats


@pytest.mark.parametrize("seed", range(30))
def test_decisions_stay_within_their_bounds(seed: int) -> None:
    choices = (
        Choice("double", min_cents=500, max_cents=1750),
        Choice("raise", to=(600, 2500)),
        Choice("call", to_one_of=(300, 275)),
        Choice("discard", count=(1, 3), cards=("As", "Kd", "9h")),
        Choice("take", piles=7),
    )
    act = decide(Decision(3, choices), random.Random(seed), None)
    assert act is not None
    match act["do"]:
        case "double":
            assert 500 <= act["cents"] <= 1750
        case "raise":
            assert 600 <= act["to"] <= 2500
        case "call":
            assert act["to"] in (300, 275)
        case "discard":
            assert 1 <= len(set(act["cards"])) == len(act["cards"]) <= 3
        case "take":
            assert 1 <= act["pile"] <= 7


def test_nobody_chooses_among_cards_that_he_does_not_see() -> None:
    blind = Decision(3, (Choice("discard", count=(1, 3)),))
    assert decide(blind, random.Random(1), None) is None
    assert decide(blind, random.Random(1), ["As", "Kd"]) is not None


def test_an_amount_keeps_to_its_step() -> None:
    assert all(between(random.Random(seed), 301, 1000, 200) in (400, 600, 800, 1000) for seed in range(50))


# Where the cards lie


def seen(**hands: tuple[str | None, ...]) -> Sight:
    return Sight("r", 1, 1, "dealing", "", (), dict(hands), {}, {}, {})


def test_a_card_lies_where_the_table_says_and_is_what_it_is() -> None:
    felt = Felt(("As", "Kd", "9h", "2c"))
    felt.out(["9h"])
    felt.follow(seen(player=("9d",)))
    assert felt.misread({"player": ("9d",)}) is not None
    assert felt.misread({"player": ("9h",)}) is None
    assert felt.named("player", (1,)) == ["9h"]


def test_a_stack_that_the_table_knows_before_it_is_taken_comes_to_its_hand() -> None:
    felt = Felt(("As", "Kd", "9h", "2c"), reported_ahead=True)
    felt.follow(seen(**{"1": (None, None)}))
    felt.out(["As", "Kd"])
    felt.follow(seen(**{"1": (None, None), "2": (None, None)}))
    felt.out(["9h", "2c"])
    assert (felt.of_seat(1), felt.of_seat(2)) == (["As", "Kd"], ["9h", "2c"])


def test_discards_are_shuffled_without_those_of_who_waits_and_without_strays() -> None:
    felt = Felt(("As", "Kd", "9h", "2c", "5s"))
    for code in ("As", "Kd", "9h"):
        felt.out([code])
    felt.follow(seen(**{"1": (None,), "2": (None,)}))
    felt.forget_strays()
    felt.throw(1, ["As"])
    felt.throw(2, ["Kd"])
    felt.follow(seen(**{"1": (), "2": ()}))
    assert felt.discards("1") == ["2c", "5s", "Kd"]
    assert felt.discards("2") == ["2c", "5s", "As"]


def test_the_discards_of_who_opened_the_pot_are_not_dealt_again() -> None:
    felt = Felt(("As", "Kd", "9h"))
    felt.out(["As", "Kd"])
    felt.follow(seen(**{"1": (None, None)}))
    felt.opener = "1"
    felt.throw(1, ["As"])
    felt.follow(seen(**{"1": (None,)}))
    assert felt.discards("2") == ["9h"]


async def test_the_fee_of_a_pot_is_in_its_box_before_the_next_hand() -> None:
    table = BareTable("bankers-texas-holdem", {"schedule": "poker-2/holdem-omaha/51"})
    boxes: Any = {"collection": Slot(), "jackpot": Slot()}
    crew = table.crew(seed=1, reach=Reach(boxes=boxes))
    owed = Counter[str]()
    for _ in range(20):
        await crew.play(rounds=1)
        owed.update(table.engine.public_result["fees"])
    assert owed["collection"]
    while (await crew.look()).phase != "dealing":
        await crew.step()
    assert {box: 100 * slot.pieces for box, slot in boxes.items() if slot.pieces} == dict(owed)


def test_mistakes_come_at_their_rate_and_never_at_none() -> None:
    never, often = Clumsiness(Mistakes(), random.Random(1)), Clumsiness(Mistakes.at(0.5), random.Random(1))
    assert not any(never.happens("wrong_box") for _ in range(1000))
    assert 400 < sum(often.happens("wrong_box") for _ in range(1000)) < 600
