"""`cutcard enroll`: the board's own key, the table's key and certificate for the broker, the page's certificate, the
counter in the board's TPM, a person's key and certificate."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from controller.board_key import BoardKey
from controller.certificates.authority import Authority
from controller.certificates.page import install_page, page_files, request_page
from controller.certificates.person import (
    install_person,
    person_files,
    request_person,
    sign_person,
)
from controller.certificates.table import certificates_of, install, request
from controller.cli.arguments import AddParser, add_config, data_of
from controller.config import read_config
from controller.errors import UserError
from controller.operator.roles import Role
from controller.tpm import DEVICE, Tpm, TpmError


def add_command(add: AddParser) -> None:
    command = add("enroll", help="the board's key, and the table's key and certificate for the broker")
    add_config(command)
    command.add_argument("--install", type=Path, metavar="CERT", help="the certificate that the authority returned")
    command.add_argument(
        "--signed-by", type=Path, metavar="CA", help="the tables' authority, where it is not the broker's (tls.ca)"
    )
    command.add_argument("--broker", metavar="NAME", help="of two with files of their own; default: the first")
    command.add_argument("--renew", action="store_true", help="make a new key and a request, beside those in use")
    command.add_argument("--page", action="store_true", help="the certificate of the page (web.certificate) instead")
    command.add_argument("--tpm", action="store_true", help="make the counter in the board's TPM (journal.tpm) instead")
    command.set_defaults(command=_enroll)
    parts = command.add_subparsers(metavar="")
    sign = parts.add_parser("sign", help="sign requests of tables, where the key of the tables' authority is")
    sign.add_argument("requests", type=Path, nargs="+", metavar="REQUEST", help="TABLE.csr")
    sign.add_argument("--site", required=True, help="the cardroom; requests of no other are signed")
    sign.add_argument("--sign-with", type=Path, nargs=2, required=True, metavar=("CA", "KEY"), help="the authority")
    sign.add_argument("--to", type=Path, default=Path(), metavar="FOLDER", help="default: here")
    sign.add_argument("--days", type=int, default=365, help="how long they are good; default 365")
    sign.set_defaults(command=_enroll_sign)
    person = parts.add_parser("person", help="the key and certificate of a person or program")
    person.add_argument("name", help="as in ann, or surveillance")
    person.add_argument("--role", required=True, type=Role, choices=list(Role), metavar="ROLE", help=", ".join(Role))
    person.add_argument("--site", required=True, help="the cardroom whose tables may be commanded")
    person.add_argument("--to", type=Path, default=Path(), metavar="FOLDER", help="default: here")
    person.add_argument("--renew", action="store_true", help="make a new key and a request, beside those in use")
    answer = person.add_mutually_exclusive_group()
    answer.add_argument("--install", type=Path, metavar="CERT", help="the certificate that the authority returned")
    answer.add_argument(
        "--sign-with",
        type=Path,
        nargs=2,
        metavar=("CA", "KEY"),
        help="the people's authority, where its key is on this machine: sign at once",
    )
    person.add_argument("--signed-by", type=Path, metavar="CA", help="with --install: the authority it must be from")
    person.add_argument("--days", type=int, default=365, help="with --sign-with: how long it is good; default 365")
    person.set_defaults(command=_enroll_person)


def _enroll(chosen: argparse.Namespace) -> int:
    if chosen.page:
        return _enroll_page(chosen)
    if chosen.tpm:
        return _enroll_tpm(chosen)
    files = certificates_of(read_config(chosen.config), chosen.config.resolve().parent, chosen.broker)
    if chosen.install is None:
        made = request(files, renew=chosen.renew)
        board = BoardKey.load_or_create(data_of(chosen.config))
        print(f"The board's key, which signs its backups and checkpoints, is {board.public}.")
        print("Keep these digits with the table's papers: a new board asks for them to restore this one's backup.")
        print(f"The signing request of {files.identity} is in {made}; its key stays on this board.")
        print("Have the tables' authority sign it, for client authentication, and put the answer in place with")
        print("  cutcard enroll --install CERT")
        return 0
    certificate = install(files, chosen.install, chosen.signed_by)
    print(f"{files.identity} has its certificate, good until {certificate.not_valid_after_utc:%Y-%m-%d %H:%M} UTC.")
    print("A running daemon shows it at its next connection to the broker.")
    return 0


def _enroll_person(chosen: argparse.Namespace) -> int:
    files = person_files(chosen.name, chosen.role, chosen.site, chosen.to)
    if chosen.install is not None:
        certificate = install_person(files, chosen.install, chosen.signed_by)
    elif chosen.sign_with is not None:
        certificate = sign_person(files, Authority.read(*chosen.sign_with), chosen.days, renew=chosen.renew)
    else:
        made = request_person(files, renew=chosen.renew)
        print(f"The signing request of {files.identity} is in {made}; the key is beside it.")
        print("Have the people's authority sign it, for client authentication (docs/operations/security.md), then")
        print(f"  {files.command} --install CERT")
        return 0
    print(f"{files.identity} has its certificate, good until {certificate.not_valid_after_utc:%Y-%m-%d %H:%M} UTC.")
    print(f"It is {files.certificate}, its key {files.key}. Before that date: {files.command} --renew")
    return 0


def _enroll_sign(chosen: argparse.Namespace) -> int:
    signed = Authority.read(*chosen.sign_with).sign_tables(chosen.site, chosen.requests, chosen.days, chosen.to)
    print(f"{len(signed)} certificates are in {chosen.to.resolve()}, good for {chosen.days} days.")
    print("Hand them back over the floor (docs/operations/renewal.md), or at each board: cutcard enroll --install CERT")
    return 0


def _enroll_page(chosen: argparse.Namespace) -> int:
    files = page_files(read_config(chosen.config), chosen.config.resolve().parent)
    if chosen.install is None:
        made = request_page(files, renew=chosen.renew)
        print(f"The signing request of the page is in {made}; its key stays on this board.")
        print(f"It is for {', '.join(files.names)}.")
        print("Have the authority that your tablets trust sign it, for a TLS server, and put the answer in place with")
        print("  cutcard enroll --page --install CERT")
        return 0
    certificate = install_page(files, chosen.install)
    print(f"The page has its certificate, good until {certificate.not_valid_after_utc:%Y-%m-%d %H:%M} UTC.")
    print("A running daemon uses it within a minute.")
    return 0


def _enroll_tpm(chosen: argparse.Namespace) -> int:
    tcti = read_config(chosen.config).journal.tpm
    if not tcti:
        raise UserError(f'{chosen.config} names no TPM. Set tpm = "{DEVICE}" under [journal], then do this again.')
    try:
        is_new = asyncio.run(Tpm(tcti).define())
    except TpmError as error:
        raise UserError(f"The counter cannot be made: {error}. {' '.join(error.details.split())}".rstrip()) from None
    if not is_new:
        print("The TPM has the counter already; nothing was changed.")
        return 0
    print("The TPM has a counter now. The daemon counts with it from its next start: systemctl restart cutcard")
    print("Then give the TPM an owner's password, so that nobody can remove the counter:")
    print("  tpm2_changeauth -c owner PASSWORD")
    return 0
