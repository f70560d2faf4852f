"""Collections: what is due from whom, and which schedules may not be posted."""

from __future__ import annotations

import pytest

from controller.engine import events as ev
from controller.engine.expect.expectation import cards_allowed
from controller.engine.fees.banked import Due, Stake, assess
from controller.engine.fees.schedule import NoRate, Schedule
from controller.engine.inputs import AnyBody, BetsClosed, Input, Place, ShoeStarted, WagerPlaced
from controller.engine.round.felt import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.rules import RulesError, load
from controller.rules.schedules import all_schedules, find, read_schedules
from tests.support.games import fee_lines


def posted(name: str) -> Schedule:
    return all_schedules()[name].schedule


def due(name: str, *stakes: tuple[Place, str, int], bonus: tuple[str, ...] = ()) -> Due:
    """Each stake: bettor, wager, cents."""
    made = [Stake(bettor, wager, "bonus" if wager in bonus else "base", cents) for bettor, wager, cents in stakes]
    return assess(posted(name), made)


def test_every_base_wager_pays_for_itself_and_bonus_bets_are_left_out() -> None:
    # bankers-collections-s01: seat 4 plays two spots and pays twice.
    came = due(
        "ca-1/pure-21-5/1", (2, "main", 2500), (2, "luck", 1000), (4, "main", 5000), (4, "main", 2500), bonus=("luck",)
    )
    assert (came.action, came.player_dealer, came.players) == (10000, 100, {2: 100, 4: 200})
    assert came.by_wager == [100, 0, 100, 100]
    assert came.document() == {"player_dealer": 100, "players": {2: 100, 4: 200}, "boxes": {"collection": 400}}


def test_the_other_printing_counts_bonus_bets_into_the_action() -> None:
    came = due("ca-2/pure-21-5/3", (1, "main", 20000), (2, "main", 10000), (2, "luck", 500), bonus=("luck",))
    assert (came.action, came.player_dealer, came.players) == (30500, 400, {})


def test_a_band_that_ends_where_the_next_begins_keeps_the_amount() -> None:
    assert due("ca-1/pure-21-5/2", (1, "main", 50000), (5, "main", 30000)).player_dealer == 600


def test_lines_and_side_bets_of_baccarat_all_count() -> None:
    came = due(
        "ca-2/ez-baccarat/5",
        *((1, "player_line", 25000), (1, "panda_8", 1000), (2, "banker_line", 20000), (2, "dragon_7", 1500)),
        (3, "tie", 2600),
        bonus=("panda_8", "dragon_7", "tie"),
    )
    assert (came.action, came.player_dealer, came.players) == (50100, 700, {})


def test_a_player_of_ultimate_pays_once_by_the_total_of_his_wagers() -> None:
    # The printed hole $201-$300 of option 3 is the $2 row (R4); a total above the last player band pays it (R5).
    came = due(
        "ca-2/ultimate-texas-holdem/3",
        *((2, "ante", 5000), (2, "blind", 5000), (2, "trips", 2000), (3, "ante", 5000), (3, "blind", 5000)),
        *((4, "ante", 1000), (4, "blind", 1000), (4, "trips", 1000), (2, "play", 20000)),
        bonus=("trips",),
    )
    assert came.action == 25000
    assert came.player_dealer == 200
    assert came.players == {2: 200, 3: 100, 4: 100}
    assert due("ca-2/ultimate-texas-holdem/3", (2, "ante", 15000), (2, "blind", 15000)).players == {2: 200}


def test_a_flat_fee_is_paid_once_by_every_bettor() -> None:
    came = due("paigow-2016-2", (1, "pai_gow", 20000), (2, "pai_gow", 5000), (5, "pai_gow", 30000))
    assert (came.player_dealer, came.players) == (200, {1: 500, 2: 500, 5: 500})


def test_option_four_charges_every_player_by_the_action_of_the_whole_table() -> None:
    stakes = ((1, "pai_gow", 10000), (3, "pai_gow", 10000), (3, "fortune", 1000), (6, "pai_gow", 4000))
    came = due("paigow-2016-4", *stakes, bonus=("fortune",))
    assert (came.action, came.player_dealer, came.players) == (25000, 0, {1: 300, 3: 300, 6: 300})


def test_a_flat_fee_of_the_player_dealer_and_a_fee_for_each_circle() -> None:
    came = due("rules-early/pure-21-5/1", (2, "main", 2500), ("2.2", "main", 200))
    assert (came.player_dealer, came.players) == (50, {2: 25, "2.2": 25})


def test_a_ladder_may_follow_the_player_dealers_own_wager() -> None:
    (made,) = read_schedules(FILE.replace('"total_table_action"', '"player_dealer_wager"'), "x.toml")
    stakes = [Stake(1, "base", "base", 1000)]
    assert assess(made.schedule, stakes, [6000, 3000]).player_dealer == 100
    assert assess(made.schedule, stakes, [6000, 4001]).player_dealer == 200


def test_nobody_pays_for_a_hand_without_a_wager() -> None:
    assert due("paigow-2016-2").total == 0


def test_an_amount_below_the_first_band_has_no_rate() -> None:
    with pytest.raises(NoRate, match="no fee is posted for 500 cents; the lowest band begins at 1000"):
        due("turlock-fortune-pai-gow-poker-in-game-rules/1", (1, "pai_gow", 500))


def test_a_room_may_read_the_cents_between_two_bands_into_the_lower_one() -> None:
    stakes = [Stake(1, "base", "base", 10050)]
    for between, fee in (("next", 200), ("lower", 100)):
        (made,) = read_schedules(FILE.replace('between_bands = "next"', f'between_bands = "{between}"'), "x.toml")
        assert assess(made.schedule, stakes).player_dealer == fee


FILE = """
between_bands = "next"
on_void = "kept"
[[schedule]]
id = "x/1"
games = ["x"]
collect_at = "before_deal"
table_min = 1000
table_max = 50000
fee = [
  { payer = "player_dealer", basis = "total_table_action", from = 1000, to = 10000, fee = 100 },
  { payer = "player_dealer", basis = "total_table_action", from = 10100, fee = 200 },
]
"""


@pytest.mark.parametrize(
    ("printed", "instead", "reason"),
    [
        ("from = 10100,", "from = 10200,", "gap between 10000 and 10200"),
        ("from = 10100,", "from = 10000,", "overlap at 10000: the band before it runs to 10000"),
        ("to = 10000, ", "", "overlap: the band from 1000 is open, yet one from 10100 follows"),
        ("from = 1000,", "from = 1500,", "gap below 1500: the table begins at 1000"),
        ("from = 10100,", "from = 10100, to = 20000,", "gap above 20000: the last band must be open"),
        ("from = 1000, to = 10000", "from = 1000, to = 900", "the band from 1000 ends at 900"),
        ("from = 10100, ", "", "every band needs from"),
        ("fee = 200 }", 'fee = "5%" }', "a percentage; a fee is a flat amount in cents"),
        ("fee = 200 }", "percent = 5 }", "a percentage; a fee is a flat amount in cents"),
        ("fee = 200 }", "fee_unknown = true }", "fee_unknown: the document does not print this amount"),
        ("fee = 200 }", "fee = 2.5 }", "expected a whole number or nothing (null), a number came"),
        ("fee = 200 }", "fee = -200 }", "an amount below zero"),
        (
            'collect_at = "before_deal"',
            'collect_at = "whenever"',
            "expected one of the words",
        ),
        ("table_min = 1000", "table_min = 60000", "are no limits"),
        ('games = ["x"]', 'games = ["x"]\nsurprise = 1', "there is no field surprise"),
    ],
)
def test_a_schedule_nobody_could_charge_by_is_refused_with_file_schedule_and_reason(
    printed: str, instead: str, reason: str
) -> None:
    assert printed in FILE
    with pytest.raises(RulesError) as refused:
        list(read_schedules(FILE.replace(printed, instead), "room/collections/x.toml"))
    assert str(refused.value).startswith("room/collections/x.toml: schedule x/1: ")
    assert reason in str(refused.value)


def test_a_hole_that_is_marked_as_a_reading_may_stand() -> None:
    marked = FILE.replace("from = 10100, fee = 200", 'from = 10200, fee = 200, reading = true, printed = "$102+"')
    assert len(list(read_schedules(marked, "x.toml"))) == 1


@pytest.mark.clause("CA-PC-337j")
def test_more_than_five_rates_are_refused() -> None:
    rows = "".join(
        f'  {{ payer = "player", basis = "player_wager", from = {i}00, to = {i}99, fee = {i} }},\n' for i in range(3, 9)
    )
    with pytest.raises(RulesError, match="8 different amounts; at most 5 rates"):
        list(read_schedules(FILE.replace("fee = [\n", "fee = [\n" + rows), "x.toml"))


def test_a_flat_fee_has_no_bands() -> None:
    with pytest.raises(RulesError, match="a flat fee is one row without from and to"):
        list(read_schedules(FILE.replace("total_table_action", "per_hand"), "x.toml"))


def test_a_file_without_the_rooms_readings_is_refused() -> None:
    with pytest.raises(RulesError, match=r"x\.toml: the key on_void is missing"):
        list(read_schedules(FILE.replace('on_void = "kept"', ""), "x.toml"))


def test_a_table_may_only_post_a_schedule_of_its_room_and_game() -> None:
    assert find("paigow-2016-1", "turlock", "fortune-pai-gow-poker").cardroom == "turlock"
    for name, room, game in (
        ("paigow-2016-1", "bankers", "fortune-pai-gow-poker"),
        ("paigow-2016-1", "turlock", "ultimate-texas-holdem"),
        ("paigow-2016-9", "turlock", "fortune-pai-gow-poker"),
    ):
        with pytest.raises(RulesError, match=f"is no collection schedule of {game} at {room}"):
            find(name, room, game)
    with pytest.raises(RulesError, match="there is paigow-2016-1, paigow-2016-2, "):
        load("turlock-fortune-pai-gow-poker").options({"schedule": "ca-2/ez-baccarat/1"})


def test_the_digest_of_the_rules_in_force_covers_the_schedule() -> None:
    rules = load("turlock-fortune-pai-gow-poker")
    digests = {rules.digest_with({"schedule": name}) for name in ("", "paigow-2016-1", "paigow-2016-2")}
    assert len(digests) == 3
    assert posted("paigow-2016-1") != posted("paigow-2016-2")
    assert all_schedules()["paigow-2016-1"].digest != all_schedules()["paigow-2016-2"].digest


@pytest.mark.parametrize(
    ("ruleset", "schedule", "wagers", "fees"),
    [
        (
            "bankers-ez-baccarat-panda-8",
            "ca-2/ez-baccarat/1",
            {1: {"player_line": 10000, "tie": 10100}},
            [("player_dealer", None, 200)],
        ),
        (
            "bankers-pure-21-5-blackjack",
            "ca-1/pure-21-5/1",
            {1: {"base": 5000}, 2: {"base": 6000}},
            [("player_dealer", None, 200), ("player", 1, 100), ("player", 2, 100)],
        ),
        (
            "bankers-ultimate-texas-holdem",
            "ca-2/ultimate-texas-holdem/3",
            {2: {"ante": 5000, "blind": 5000, "trips": 1000}},
            [("player_dealer", None, 200), ("player", 2, 200)],
        ),
    ],
)
def test_a_table_with_a_schedule_takes_its_fees_before_the_first_card(
    ruleset: str, schedule: str, wagers: dict[int, dict[str, int]], fees: list[tuple[str, int | None, int]]
) -> None:
    rules = load(ruleset)
    setup = Setup(seats=(1, 2, 3), player_dealer=8, bank=(1_000_000,))
    table = TableEngine(rules.game, rules.options({"schedule": schedule}), TableState(setup), ruleset)
    bodies: list[AnyBody] = [ShoeStarted()] if rules.game.uses_shoe else []
    bodies += [WagerPlaced(seat, name, cents) for seat, placed in wagers.items() for name, cents in placed.items()]
    for body in bodies:
        assert not any(isinstance(event, ev.Refused | ev.FeeChanged) for event in table.apply(Input(0, "test", body)))
    events = table.apply(Input(0, "test", BetsClosed()))
    assert [(fee.payer, fee.place, fee.cents) for fee in fee_lines.due(events)] == fees
    assert cards_allowed(table.expectation)


def test_the_schedule_bounds_every_wager_below_and_above() -> None:
    rules = load("bankers-ez-baccarat-panda-8")
    options = rules.options({"schedule": "ca-2/ez-baccarat/1"})
    table = TableEngine(rules.game, options, TableState(Setup(seats=(1,), player_dealer=8)))
    table.apply(Input(0, "test", ShoeStarted()))
    refused = []
    for wager, cents in (("player_line", 900), ("player_line", 50100), ("tie", 500), ("tie", 50100)):
        refused += table.apply(Input(0, "test", WagerPlaced(1, wager, cents)))
    whys = [event.why for event in refused if isinstance(event, ev.Refused)]
    assert whys == ["below_table_min", "above_table_max", "below_table_min", "above_table_max"]
