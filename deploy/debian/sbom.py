"""The package's bill of materials: what it is made of, as CycloneDX 1.6 in JSON.

One component for each Python package inside: name, version, licence, the SHA-256 of the file that was installed, and
what it needs of the others. Name, version and digest are pip's own report of the installation; licence and needs are
the packages' own metadata. The same package gives the same bytes.
"""

from __future__ import annotations

import datetime
import json
import re
import uuid
from email import message_from_string
from email.message import Message
from pathlib import Path
from typing import Any

FORMAT = "1.6"


def bill_of_materials(site: Path, digests: dict[str, str], version: str, needs: list[str], when: int) -> str:
    """Of the packages in this folder. `digests`: SHA-256 of each package's file, by its name; `needs`: what the program
    itself requires; `when`: seconds since the epoch."""
    found = [_read(about) for about in sorted(site.glob("*.dist-info/METADATA"))]
    packages = {name_of(str(about["Name"])): about for about in found if name_of(str(about["Name"])) != "cutcard"}
    if packages.keys() != digests.keys():
        odd = ", ".join(sorted(packages.keys() ^ digests.keys()))
        raise ValueError(f"pip's report and the installed packages differ: {odd}")
    program = {"type": "application", "bom-ref": "cutcard", "name": "cutcard", "version": version}
    bill: dict[str, Any] = {
        "bomFormat": "CycloneDX",
        "specVersion": FORMAT,
        "version": 1,
        "metadata": {
            "timestamp": f"{datetime.datetime.fromtimestamp(when, datetime.UTC):%Y-%m-%dT%H:%M:%SZ}",
            "component": {**program, "licenses": [{"license": {"id": "Apache-2.0"}}]},
        },
        "components": [_component(packages[name], digests[name]) for name in sorted(packages)],
        "dependencies": [{"ref": "cutcard", "dependsOn": _needed(needs, packages)}, *_graph(packages)],
    }
    number = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(bill, sort_keys=True))
    return json.dumps({**bill, "serialNumber": f"urn:uuid:{number}"}, indent=1, sort_keys=True) + "\n"


def _graph(packages: dict[str, Message]) -> list[dict[str, Any]]:
    return [
        {"ref": _reference(about), "dependsOn": _needed(_all(about, "Requires-Dist"), packages)}
        for _, about in sorted(packages.items())
    ]


def _component(about: Message, digest: str) -> dict[str, Any]:
    component: dict[str, Any] = {
        "type": "library",
        "bom-ref": _reference(about),
        "name": str(about["Name"]),
        "version": str(about["Version"]),
        "purl": _reference(about),
        "hashes": [{"alg": "SHA-256", "content": digest}],
    }
    licences = _licences(about)
    return {**component, "licenses": licences} if licences else component


def _licences(about: Message) -> list[dict[str, Any]]:
    """An SPDX expression where the package has one, else the name that it gives its licence."""
    if about["License-Expression"]:
        return [{"expression": str(about["License-Expression"])}]
    names = [name.rsplit(" :: ", 1)[-1] for name in _all(about, "Classifier") if name.startswith("License :: ")]
    if not names and about["License"]:
        names = [str(about["License"]).splitlines()[0]]
    return [{"license": {"name": name}} for name in names]


def _needed(requirements: list[str], packages: dict[str, Message]) -> list[str]:
    """Of these requirements, those that are in the package: others are for other machines, or options."""
    wanted = [text for text in requirements if "extra ==" not in text]
    names = {name_of(re.split(r"[^A-Za-z0-9._-]", text.strip(), maxsplit=1)[0]) for text in wanted}
    return sorted(_reference(packages[name]) for name in names & packages.keys())


def _reference(about: Message) -> str:
    """The package's name and version as a package URL, which names no host."""
    return f"pkg:pypi/{name_of(str(about['Name']))}@{about['Version']}"


def name_of(name: str) -> str:
    """A package's name as PyPA compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _all(about: Message, field: str) -> list[str]:
    return [str(value) for value in about.get_all(field, [])]


def _read(about: Path) -> Message:
    return message_from_string(about.read_text())
