"""What came of a device, for people (text, HTML) and for a test server (JUnit XML)."""

from __future__ import annotations

import html
from xml.etree import ElementTree

from sim_hw.conform.play import Outcome, Result

_MARKS = {"passed": "ok", "failed": "FAILED", "not played": "not played", "inspect": "look"}


def line(result: Result) -> str:
    """One line for one requirement, and what was wrong."""
    requirement = result.requirement
    text = f"{_MARKS[result.state]:11}{requirement.id:9}{requirement.text}  ({requirement.place})"
    if result.detail and result.state != "inspect":
        text += f"\n           {result.detail}"
    return text


def summary(outcome: Outcome) -> str:
    """The last line."""
    counts = [
        f"{len(outcome.of('passed'))} passed",
        f"{len(outcome.of('failed'))} failed",
        f"{len(outcome.of('not played'))} not played",
        f"{len(outcome.of('inspect'))} to be looked at in the firmware",
    ]
    return f"{outcome.device}: {', '.join(counts)}"


def as_text(outcome: Outcome) -> str:
    """Every requirement, then the frames of each that failed, in hex and decoded."""
    parts = [line(result) for result in outcome.results]
    for result in outcome.of("failed"):
        parts += ["", f"{result.requirement.id}: what passed on the port", *(f"  {text}" for text in result.trace)]
    return "\n".join([*parts, "", summary(outcome), ""])


def as_junit(outcome: Outcome) -> str:
    """One test case for each requirement; what is only to be looked at is skipped."""
    suite = ElementTree.Element(
        "testsuite",
        name=f"conformance of {outcome.device}",
        tests=str(len(outcome.results)),
        failures=str(len(outcome.failed)),
        errors="0",
        skipped=str(len(outcome.of("not played")) + len(outcome.of("inspect"))),
    )
    for result in outcome.results:
        requirement = result.requirement
        case = ElementTree.SubElement(
            suite,
            "testcase",
            classname=f"{requirement.page}.{requirement.section}",
            name=f"{requirement.id} {requirement.text}",
            time=f"{result.seconds:.3f}",
        )
        if result.state == "failed":
            failure = ElementTree.SubElement(case, "failure", message=result.detail)
            failure.text = "\n".join(result.trace)
        elif result.state != "passed":
            ElementTree.SubElement(case, "skipped", message=result.detail)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>
body {{ font: 15px/1.4 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; }}
table {{ border-collapse: collapse; width: 100%; }}
td, th {{ border-bottom: 1px solid #ccc; padding: .35em .6em; text-align: left; vertical-align: top; }}
pre {{ background: #f4f4f4; overflow-x: auto; padding: .8em; }}
.failed {{ background: #fdd; }} .passed td:first-child {{ color: #060; }}
</style></head><body><h1>{title}</h1><p>{summary}</p>
<table><tr><th>result</th><th>id</th><th>requirement</th><th>page</th></tr>
"""


def as_html(outcome: Outcome) -> str:
    """One page that needs no other file."""
    parts = [_HEAD.format(title=html.escape(f"Conformance of {outcome.device}"), summary=html.escape(summary(outcome)))]
    for result in outcome.results:
        requirement = result.requirement
        detail = f"<br><b>{html.escape(result.detail)}</b>" if result.detail else ""
        if result.trace:
            trace = html.escape("\n".join(result.trace))
            detail += f"<details open><summary>what passed on the port</summary><pre>{trace}</pre></details>"
        parts.append(
            f'<tr class="{result.state.replace(" ", "-")}"><td>{_MARKS[result.state]}</td><td>{requirement.id}</td>'
            f"<td>{html.escape(requirement.text)}{detail}</td><td>{html.escape(requirement.place)}</td></tr>\n"
        )
    return "".join([*parts, "</table></body></html>\n"])
