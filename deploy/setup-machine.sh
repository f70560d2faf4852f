#!/bin/sh
# What the project needs of the machine beside Python packages.
#   setup-machine.sh venv    the venv module of python3
#   setup-machine.sh board   for packages of another architecture, the board's image and its tests: mmdebstrap, QEMU with the
#                            firmware of EFI machines, and qemu-user, by which arm64 programs run here
#   setup-machine.sh tests   for the tests: a real broker, two real browsers, PostgreSQL, a Chinese font, Wireshark's command line, a Debian root to
#                            boot, a C compiler for the engine that the package has, a TPM in software, Prometheus, Node with the tools
#                            that judge the MQTT contract (build/judges)
# Installs where it is root and apt is there; otherwise prints the one command that would. Never fails the tests for it:
# the test run lists what it could not run.
set -u

# The packages of tests/contract/judges, each with the hash that package-lock.json has for it; no script of theirs runs.
judges() {
  [ "${1:-tests}" = tests ] || return 0
  lock=tests/contract/judges/package-lock.json
  [ -f "$lock" ] && command -v npm >/dev/null 2>&1 || return 0
  cmp -s "$lock" build/judges/installed && return 0
  echo "installing: the tools of tests/contract/judges, into build/judges"
  mkdir -p build/judges
  cp "$lock" tests/contract/judges/package.json build/judges/
  log=$(mktemp)
  if (cd build/judges && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) >"$log" 2>&1; then
    cp "$lock" build/judges/installed
  else
    echo "could not install them; the end of what npm said:"
    tail -5 "$log"
  fi
  rm -f "$log"
}

# The libraries of tests/sparkplug/judges, by their hashes; each in a folder of its own, for each needs an old paho-mqtt.
sparkplug_judges() {
  [ "${1:-tests}" = tests ] && [ -x .venv/bin/python ] || return 0
  for list in tests/sparkplug/judges/*.txt; do
    [ -f "$list" ] || continue
    place=build/sparkplug/$(basename "$list" .txt)
    cmp -s "$list" "$place/installed" && continue
    echo "installing: the library of $list, into $place"
    rm -rf "$place"
    mkdir -p "$place"
    log=$(mktemp)
    if .venv/bin/python -m pip --disable-pip-version-check install --quiet --require-hashes --no-deps --no-build-isolation \
         --use-pep517 --target "$place" --requirement "$list" >"$log" 2>&1; then
      cp "$list" "$place/installed"
    else
      echo "could not install it; the end of what pip said:"
      tail -5 "$log"
    fi
    rm -f "$log"
  done
}

# The kernel hands arm64 programs to qemu-user; systemd does this at a start, a container or a small machine does not.
emulation() {
  [ "${1:-tests}" = board ] && [ "$(id -u)" = 0 ] && command -v update-binfmts >/dev/null 2>&1 || return 0
  [ -e /proc/sys/fs/binfmt_misc/register ] || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc 2>/dev/null || return 0
  [ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ] || update-binfmts --enable qemu-aarch64 || true
}

case "${1:-tests}" in
  venv)  want="python3-venv" ;;
  board) want=""
         command -v mmdebstrap >/dev/null 2>&1 || want="$want mmdebstrap"
         command -v qemu-system-x86_64 >/dev/null 2>&1 || want="$want qemu-system-x86"
         command -v qemu-img >/dev/null 2>&1 || want="$want qemu-utils"
         [ -e /usr/share/OVMF/OVMF_CODE.fd ] || [ -e /usr/share/OVMF/OVMF_CODE_4M.fd ] || want="$want ovmf"
         command -v arch-test >/dev/null 2>&1 || want="$want arch-test"
         command -v mcopy >/dev/null 2>&1 || want="$want mtools"
         command -v qemu-aarch64-static >/dev/null 2>&1 || want="$want qemu-user-static"
         command -v update-binfmts >/dev/null 2>&1 || want="$want binfmt-support" ;;
  tests) want=""
         PATH="$PATH:/usr/sbin:/usr/local/sbin"
         command -v mosquitto >/dev/null 2>&1 || want="$want mosquitto"
         # The floor's store, as a private cluster of the tests.
         ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || want="$want postgresql"
         command -v tshark >/dev/null 2>&1 || want="$want tshark"
         # The USB card reader's driver looks for it.
         ldconfig -p 2>/dev/null | grep -q 'libusb-1\.0\.so\.0' || want="$want libusb-1.0-0"
         # The journal's counter: a TPM in software, and Debian's tools for it.
         command -v swtpm >/dev/null 2>&1 || want="$want swtpm"
         command -v tpm2_nvread >/dev/null 2>&1 || want="$want tpm2-tools"
         # The judge of the alerts, and a Prometheus that scrapes a table.
         command -v promtool >/dev/null 2>&1 || want="$want prometheus"
         command -v prometheus-alertmanager >/dev/null 2>&1 || want="$want prometheus-alertmanager"
         command -v strace >/dev/null 2>&1 || want="$want strace"
         # The package's test: a Debian root, booted; the udev rules' and the scripts' own judges.
         command -v debootstrap >/dev/null 2>&1 || want="$want debootstrap"
         command -v systemd-nspawn >/dev/null 2>&1 || want="$want systemd-container"
         command -v udevadm >/dev/null 2>&1 || want="$want udev"
         command -v shellcheck >/dev/null 2>&1 || want="$want shellcheck"
         command -v node >/dev/null 2>&1 || want="$want nodejs"
         command -v npm >/dev/null 2>&1 || want="$want npm"
         command -v cc >/dev/null 2>&1 || want="$want gcc libc6-dev"
         [ ! -x .venv/bin/python ] || .venv/bin/python -c 'import os, sys, sysconfig
sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))' || want="$want python3-dev"
         # The screens in Chinese.
         ls /usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc >/dev/null 2>&1 || want="$want fonts-noto-cjk"
         command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 \
           || command -v google-chrome >/dev/null 2>&1 || want="$want chromium"
         # The pages in a second browser, which speaks WebDriver BiDi itself.
         command -v firefox-esr >/dev/null 2>&1 || command -v firefox >/dev/null 2>&1 || want="$want firefox-esr" ;;
  *)     echo "usage: $0 venv|tests|board" >&2; exit 2 ;;
esac
[ -n "$want" ] || { emulation "$@"; judges "$@"; sparkplug_judges "$@"; exit 0; }
command="apt-get update && apt-get install -y --no-install-recommends$(printf ' %s' $want)"
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "installing:$(printf ' %s' $want)"
  log=$(mktemp)
  if ! { DEBIAN_FRONTEND=noninteractive apt-get update \
         && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $want; } >"$log" 2>&1; then
    echo "could not install:$(printf ' %s' $want); the end of what apt said:"
    tail -5 "$log"
    rm -f "$log"
    [ "$1" = venv ] && exit 2
    judges "$@"
    sparkplug_judges "$@"
    exit 0
  fi
  rm -f "$log"
  emulation "$@"
else
  echo "missing:$(printf ' %s' $want). To install: sudo sh -c '$command'"
  [ "$1" = venv ] && exit 2
fi
judges "$@"
sparkplug_judges "$@"
exit 0
