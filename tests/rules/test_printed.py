"""Every line that a schedule cites is carried, so that a packet can print it beside the reading."""

from __future__ import annotations

from controller.rules.printed import cited, printed
from controller.rules.schedules import all_schedules


def test_every_schedule_has_its_printed_lines() -> None:
    """A new schedule needs `python deploy/printed_lines.py FOLDER`; a blank line of the text is not carried."""
    without = []
    for name, posted in all_schedules().items():
        source = cited(posted.schedule.source)
        lines = printed(posted.cardroom, source.text)
        if not source.lines or not any(number in lines for number in source.lines):
            without.append(name)
    assert without == []


def test_an_amount_of_a_schedule_is_in_the_lines_that_it_cites() -> None:
    """The first fee of each schedule, as dollars, where it is not a reading: the lines are those of this schedule."""
    wrong = []
    for name, posted in all_schedules().items():
        schedule = posted.schedule
        source = cited(schedule.source)
        lines = printed(posted.cardroom, source.text)
        text = " ".join(lines.get(number, "") for number in source.lines).replace("\\", "")
        row = next((row for row in schedule.fee if row.fee and not row.reading and not row.printed), None)
        if row is None or schedule.reading or row.fee is None:
            continue
        whole, rest = divmod(row.fee, 100)
        if not any(
            form in text for form in (f"${whole}", f"$ {whole}", f"{whole}.{rest:02}", f".{rest:02}", f"{rest}¢")
        ):
            wrong.append(name)
    assert wrong == []
