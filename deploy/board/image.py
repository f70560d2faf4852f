"""Builds the board's image: `make image`, or `python deploy/board/image.py [--version V] [--out DIR]`.
docs/operations/board.md says what is in it and why.

    mmdebstrap    a root of Debian 13 with what a board needs, once; kept
    dpkg          the package (deploy/debian/build.py) goes into a copy of it, and the files of root/
    mksquashfs    which becomes one compressed, read-only file
    veritysetup   with a tree of hashes behind it; the hash at its top is what the system is started with
    genimage      boot partition, two slots, data: an image to flash

Nothing is mounted but in namespaces of its own, and no loop device is used. The tools are those of Debian 13, in a root
of their own, so the machine needs mmdebstrap alone. Roots are kept in /var/cache/cutcard-board.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import sys
import tempfile
import uuid
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from msgspec import Struct

from deploy.debian.build import BUILD, build, last_commit_time
from deploy.debian.commands import CannotBuild, folder, run
from deploy.debian.makers import maker
from deploy.debian.roots import KEPT, alone, entered, make_root

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SUITE = "trixie"

PACKAGES = (
    *(
        "systemd",
        "systemd-sysv",
        "systemd-cryptsetup",
        "systemd-repart",
        "systemd-timesyncd",
        "systemd-resolved",
        "udev",
        "dbus",
        "kmod",
    ),
    *("dracut", "e2fsprogs", "dosfstools", "nftables", "openssh-server", "iproute2", "rauc-service", "grub-common"),
    *("adduser", "libusb-1.0-0", "python3", "tzdata", "ca-certificates", "login", "passwd"),
)
KERNELS = {"amd64": "linux-image-amd64"}
GRUB = {"amd64": ("grub-efi-amd64-bin", "x86_64-efi", "BOOTX64.EFI")}
CONSOLES = {"amd64": "ttyS0,115200"}
MODULES_OF_GRUB = (
    *("part_gpt", "fat", "ext2", "normal", "configfile", "linux", "loadenv", "test", "echo", "regexp", "sleep"),
    *("reboot", "serial", "terminal", "search"),
)
TOOLS = (
    *("squashfs-tools", "cryptsetup-bin", "genimage", "mtools", "dosfstools", "e2fsprogs", "rauc", "openssl"),
    *("grub-common", *(packages[0] for packages in GRUB.values())),
)
LEFT_OUT = (
    # What no table needs, of the kernel's drivers: a board has a cable, and nothing that films or plays music.
    *("usr/lib/modules/*/kernel/drivers/net/wireless", "usr/lib/modules/*/kernel/drivers/infiniband"),
    *(
        "usr/lib/modules/*/kernel/drivers/media",
        "usr/lib/modules/*/kernel/sound",
        "usr/lib/modules/*/kernel/drivers/gpu",
    ),
    *("usr/lib/modules/*/kernel/drivers/staging", "usr/lib/modules/*/kernel/drivers/isdn"),
    *("usr/share/man", "usr/share/locale", "usr/share/info", "var/lib/apt/lists", "var/cache/apt", "boot", "vmlinuz*"),
    *(
        "initrd.img*",
        "etc/machine-id",
        "var/lib/dbus/machine-id",
        "etc/ssh/ssh_host_*",
        "etc/hostname",
        "etc/.pwd.lock",
    ),
)
ENABLED = (
    *("cutcard-board", "cutcard-setup", "cutcard-started", "nftables", "ssh", "rauc"),
    *("systemd-networkd", "systemd-resolved", "systemd-timesyncd"),
)
MASKED = ("apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "e2scrub_all.timer")
"""What works for a system that is installed, not flashed."""
SECTOR = 4096
MIB = 1 << 20


class Image(Struct, frozen=True):
    """What came of it."""

    file: Path
    """To flash."""
    root_hash: str


def image(architecture: str, version: str | None, out: Path) -> Image:
    """The image of this tree. One at a time for an architecture: others wait."""
    deb = build(version, BUILD / SUITE, by=maker(SUITE, architecture))
    base, tools = base_root(architecture), tools_root()
    with tempfile.TemporaryDirectory(prefix="image-", dir=folder(KEPT)) as name:
        work = Path(name)
        root = work / "root"
        _lay_root(base, root, deb)
        _lay_boot(root, folder(work / "boot"))
        _strip(root)
        root_hash = _seal(tools, work)
        _lay_start(tools, work, architecture, root_hash)
        _lay_data(tools, work, root)
        _pack(tools, work)
        found = Image(folder(out) / f"cutcard-{architecture}.img", root_hash)
        run("cp", "--sparse=always", str(work / "cutcard.img"), str(found.file))
    return found


# The roots


def base_root(architecture: str) -> Path:
    """Debian with what a board needs, and nothing of ours but how its first file system is made."""
    wanted = (*PACKAGES, KERNELS[architecture])
    recipe = hashlib.sha256("\n".join([*wanted, (HERE / "dracut.conf").read_text()]).encode()).hexdigest()
    base = KEPT / f"board-{SUITE}-{architecture}-{recipe[:12]}"
    with alone(base):
        if not base.is_dir():
            print(f"Making {base}, once: Debian for a board …", file=sys.stderr)
            settings = f'mkdir -p "$1/etc/dracut.conf.d" && cp "{HERE}/dracut.conf" "$1/etc/dracut.conf.d/board.conf"'
            make_root(base, SUITE, wanted, (architecture,), (f"--setup-hook={settings}",))
    return base


def tools_root() -> Path:
    """Debian's own programs for file systems and images."""
    tools = KEPT / f"tools-{SUITE}-{hashlib.sha256(' '.join(TOOLS).encode()).hexdigest()[:12]}"
    with alone(tools):
        if not tools.is_dir():
            print(f"Making {tools}, once: the tools …", file=sys.stderr)
            make_root(tools, SUITE, TOOLS)
        (tools / "made").mkdir(exist_ok=True)
    return tools


def inside(root: Path, *command: str, mounts: Mapping[Path, str] | None = None) -> str:
    """A command in a root, with nothing of this machine's environment."""
    clean = (
        "env",
        "-i",
        "PATH=/usr/sbin:/usr/bin",
        "HOME=/root",
        "LC_ALL=C.UTF-8",
        f"SOURCE_DATE_EPOCH={last_commit_time()}",
    )
    return run(*entered(root, *clean, *command, mounts=mounts))


# The system


def _lay_root(base: Path, root: Path, deb: Path) -> None:
    architecture = deb.stem.rpartition("_")[2]
    run("cp", "-a", str(base), str(root))
    (root / "package").mkdir()
    inside(root, "dpkg", "--install", f"/package/{deb.name}", mounts={deb.parent: "package"})
    (root / "package").rmdir()
    run("cp", "-rT", "--no-preserve=ownership", str(HERE / "root"), str(root))
    for place in ("site", "data", "var/log/journal", "var/lib/systemd/timesync"):
        folder(root / place)
    inside(root, "systemctl", "enable", *(f"{name}.service" for name in ENABLED))
    inside(root, "systemctl", "mask", *MASKED)
    settings = _filled((HERE / "rauc.conf.in").read_text(), {"ARCHITECTURE": architecture})
    folder(root / "etc/rauc").joinpath("system.conf").write_text(settings)
    # Nobody can log in but by what the site puts on the boot partition.
    inside(root, "passwd", "--lock", "root")


def _lay_boot(root: Path, boot: Path) -> None:
    """Kernel and first file system, as Debian's package made them, under names that do not change."""
    for name, to in (("vmlinuz-*", "vmlinuz"), ("initrd.img-*", "initrd")):
        found = sorted((root / "boot").glob(name))
        if len(found) != 1:
            raise CannotBuild(f"The root should have one boot/{name}, and has {len(found)}.")
        shutil.copyfile(found[0], boot / to)


def _strip(root: Path) -> None:
    for pattern in LEFT_OUT:
        for path in root.glob(pattern):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
    for modules in (root / "usr/lib/modules").iterdir():
        inside(root, "depmod", modules.name)
    # Empty, as systemd wants it: each board makes its own, and keeps it (controller/board/settings.py).
    (root / "etc/machine-id").touch()
    for place in ("boot", "var/cache/apt/archives/partial", "var/lib/apt/lists/partial"):
        folder(root / place)


def _seal(tools: Path, work: Path) -> str:
    """root.img: the compressed root, and behind it the tree of its hashes. Returns the hash at the top."""
    when = last_commit_time()
    # With the variable it would bring down the times that are later, and leave the others as they are here.
    squash = ("env", "-u", "SOURCE_DATE_EPOCH", "mksquashfs", "/made/root", "/made/root.img", "-noappend", "-quiet")
    how = ("-no-progress", "-comp", "zstd", "-Xcompression-level", "6", "-all-time", when, "-mkfs-time", when)
    inside(tools, *squash, *how, mounts={work: "made"})
    file = work / "root.img"
    size = -(-file.stat().st_size // SECTOR) * SECTOR
    os.truncate(file, size)
    with file.open("rb") as opened:
        digest = hashlib.file_digest(opened, "sha256").hexdigest()
    offset, blocks = ("--hash-offset", str(size)), ("--data-blocks", str(size // SECTOR))
    fixed = ("--salt", digest, "--uuid", str(uuid.uuid5(uuid.NAMESPACE_OID, digest)))
    said = inside(
        tools,
        "veritysetup",
        "format",
        *offset,
        *blocks,
        *fixed,
        "/made/root.img",
        "/made/root.img",
        mounts={work: "made"},
    )
    (work / "hash-offset").write_text(str(size))
    found = re.search(r"^Root hash:\s*([0-9a-f]{64})$", said, re.MULTILINE)
    if found is None:
        raise CannotBuild(f"veritysetup did not say the root hash: {said}")
    return found[1]


def _lay_start(tools: Path, work: Path, architecture: str, root_hash: str) -> None:
    """boot.ext2, of a slot, and site.vfat, the boot partition of the board."""
    values = {
        "ROOT_HASH": root_hash,
        "HASH_OFFSET": (work / "hash-offset").read_text(),
        "CONSOLE": CONSOLES[architecture],
    }
    (work / "boot" / "slot.cfg").write_text(_filled((HERE / "slot.cfg.in").read_text(), values))
    used = sum(-(-path.stat().st_size // MIB) for path in (work / "boot").iterdir())
    size = f"{(used + 16) // 8 * 8}M"
    ext2 = (
        "mke2fs",
        "-q",
        "-t",
        "ext2",
        "-b",
        "1024",
        "-U",
        _uuid(root_hash, "boot"),
        "-E",
        "root_owner=0:0",
        "-d",
        "/made/boot",
    )
    inside(tools, *ext2, "/made/boot.ext2", size, mounts={work: "made"})
    efi = folder(work / "site" / "EFI" / "BOOT")
    shutil.copyfile(HERE / "grub.cfg", efi / "grub.cfg")
    shutil.copyfile(HERE / "README.txt", work / "site" / "README.txt")
    _, platform, name = GRUB[architecture]
    grub = ("grub-mkimage", "-O", platform, "-o", f"/made/site/EFI/BOOT/{name}", "-p", "/EFI/BOOT", *MODULES_OF_GRUB)
    inside(tools, *grub, mounts={work: "made"})
    environment = ("grub-editenv", "/made/site/EFI/BOOT/grubenv")
    inside(tools, *environment, "create", mounts={work: "made"})
    inside(tools, *environment, "set", "ORDER=A B", "A_OK=1", "A_TRY=0", "B_OK=1", "B_TRY=0", mounts={work: "made"})


def _lay_data(tools: Path, work: Path, root: Path) -> None:
    """data.ext4: empty folders, each for whom it is; the first start lets it grow over the rest of the card."""
    ids = {line.split(":")[0]: line.split(":")[2:4] for line in (root / "etc/passwd").read_text().splitlines()}
    own, group = (int(number) for number in ids["cutcard"])
    keeper, keepers = (int(number) for number in ids["systemd-timesync"])
    owned: list[tuple[str, int, int, int]] = [
        ("etc", 0o750, 0, group),
        ("table", 0o700, own, group),
        ("log", 0o755, 0, 0),
        ("time", 0o755, keeper, keepers),
        ("ssh", 0o700, 0, 0),
        ("rauc", 0o700, 0, 0),
        ("updates", 0o700, 0, 0),
    ]
    for name, mode, user, members in owned:
        place = folder(work / "data" / name)
        os.chown(place, user, members)
        place.chmod(mode)
    ext4 = (
        "mke2fs",
        "-q",
        "-t",
        "ext4",
        "-L",
        "cutcard-data",
        "-m",
        "1",
        "-d",
        "/made/data",
        "/made/data.ext4",
        "256M",
    )
    inside(tools, *ext4, mounts={work: "made"})


def _pack(tools: Path, work: Path) -> None:
    root = (work / "root.img").stat().st_size
    values = {
        "DISK_UUID": str(uuid.uuid5(uuid.NAMESPACE_OID, "cutcard")),
        # Of half as much again: the next system may be larger.
        "ROOT_SIZE": f"{-(-root * 3 // 2 // (64 * MIB)) * 64}M",
        "BOOT_SIZE": f"{-(-(work / 'boot.ext2').stat().st_size * 3 // 2 // (32 * MIB)) * 32}M",
    }
    (work / "genimage.cfg").write_text(_filled((HERE / "genimage.cfg.in").read_text(), values))
    places = ("--inputpath", "/made", "--outputpath", "/made", "--rootpath", "/made/site", "--tmppath", "/tmp/genimage")
    inside(tools, "genimage", *places, "--config", "/made/genimage.cfg", mounts={work: "made"})


def _uuid(root_hash: str, what: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{root_hash} {what}"))


def _filled(text: str, values: Mapping[str, str]) -> str:
    return re.sub(r"@([A-Z_]+)@", lambda name: values[name[1]], text)


def main() -> int:
    parser = argparse.ArgumentParser(description="Build the board's image.")
    parser.add_argument("--arch", choices=KERNELS, default="amd64", help="default: %(default)s")
    parser.add_argument("--version", help="default: that of pyproject.toml")
    parser.add_argument("--out", type=Path, help="folder for the image (default: build/board/ARCH)")
    chosen = parser.parse_args()
    try:
        made = image(chosen.arch, chosen.version or None, chosen.out or BUILD / "board" / chosen.arch)
    except CannotBuild as error:
        print(f"make image: {error}", file=sys.stderr)
        return 2
    print(f"{made.file} ({made.file.stat().st_size / MIB:.0f} MB), root hash {made.root_hash}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
