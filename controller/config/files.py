"""The files that a configuration names: there, and where they hold a secret, for their owner alone.

Looked at by `cutcard config check` and before a running daemon takes a changed file. Not at every reading: `cutcard
enroll` makes the keys that the file already names, and a daemon whose certificate is away plays on and reports it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from controller.config.broker import CREDENTIAL, credential_file
from controller.config.fields import Config
from controller.config.positions import Place
from controller.config.problems import Problem
from controller.operator.staff import FILE as STAFF
from controller.private_files import NotPrivate, expect_private
from controller.web.words import Words

_ENROLL_PAGE = "`cutcard enroll --page` makes the key and the request for the page's certificate."
_ENROLL = "`cutcard enroll` makes the key and the request for its certificate."


def named_files(config: Config, folder: Path) -> Iterator[Problem]:
    """What is wrong with them; relative paths start at the folder of the file."""
    data = folder / config.data
    owner = data.stat().st_uid if data.is_dir() else None
    for index, broker in enumerate(config.mqtt.broker):
        place: Place = ("mqtt", "broker", index)
        advice = "Write the password into it and `chmod 600` it."
        yield from _secret((*place, "password_file"), broker.password_file, folder, owner, advice)
        if (tls := broker.tls) is not None:
            yield from _plain((*place, "tls", "ca"), tls.ca, folder, "Copy the authority's certificate there.")
            yield from _plain((*place, "tls", "cert"), tls.cert, folder, _ENROLL)
            yield from _secret((*place, "tls", "key"), tls.key, folder, owner, _ENROLL)
    yield from _plain(("web", "certificate"), config.web.certificate, folder, _ENROLL_PAGE)
    yield from _secret(("web", "key"), config.web.key, folder, owner, _ENROLL_PAGE)
    signer = config.certificates.authority
    yield from _plain(("certificates", "authority"), signer, folder, "Copy the authority's certificate there.")
    yield from _plain(("updates", "ca"), config.updates.ca, folder, "Copy the authority's certificate there.")
    yield from _languages(config, folder)
    if (data / STAFF).exists():
        yield from _secret(("data",), str(data / STAFF), folder, owner, "")


def _languages(config: Config, folder: Path) -> Iterator[Problem]:
    """A language that nobody has words of would leave the screens in English."""
    display = config.display
    words = Words(lambda: folder / display.words if display.words else None)
    named = [("language", display.language), *(("other_languages", tag) for tag in display.other_languages)]
    have = ", ".join(language.tag for language in words.languages())
    for key, tag in named:
        if words.texts(tag) is None:
            yield Problem(("display", key), f"there are no words of {tag!r}; there are {have}")


def _plain(place: Place, name: str | None, folder: Path, advice: str) -> Iterator[Problem]:
    if name is None:
        return
    try:
        (folder / name).stat()
    except OSError as error:
        yield _lacking(place, folder / name, error, advice)


def _secret(place: Place, name: str | None, folder: Path, owner: int | None, advice: str) -> Iterator[Problem]:
    if name is None:
        return
    if name.startswith(CREDENTIAL):
        path = credential_file(name)
        # Only the service itself sees its credentials; a check from a shell cannot.
        if path is not None and not path.exists():
            yield Problem(place, f"systemd hands no credential {path.name!r} over. Add LoadCredential= to the service.")
        return
    try:
        expect_private(folder / name, owner=owner)
    except NotPrivate as error:
        yield Problem(place, str(error))
    except OSError as error:
        yield _lacking(place, folder / name, error, advice)


def _lacking(place: Place, path: Path, error: OSError, advice: str) -> Problem:
    if isinstance(error, FileNotFoundError):
        return Problem(place, f"there is no file {path}. {advice}")
    return Problem(place, f"{path} cannot be looked at: {error.strerror}. Check as root or as the daemon's user.")
