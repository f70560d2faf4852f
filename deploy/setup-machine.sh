#!/bin/sh
# What the project needs of the machine beside Python packages.
#   setup-machine.sh venv    the venv module of python3
#   setup-machine.sh tests   a real broker, a real browser and Wireshark's command line for the tests
# Installs where it is root and apt is there; otherwise prints the one command that would. Never fails the tests for it:
# the test run lists what it could not run.
set -u
case "${1:-tests}" in
  venv)  want="python3-venv" ;;
  tests) want=""
         PATH="$PATH:/usr/sbin:/usr/local/sbin"
         command -v mosquitto >/dev/null 2>&1 || want="$want mosquitto"
         command -v tshark >/dev/null 2>&1 || want="$want tshark"
         command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 \
           || command -v google-chrome >/dev/null 2>&1 || want="$want chromium" ;;
  *)     echo "usage: $0 venv|tests" >&2; exit 2 ;;
esac
[ -n "$want" ] || exit 0
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
    exit 0
  fi
  rm -f "$log"
else
  echo "missing:$(printf ' %s' $want). To install: sudo sh -c '$command'"
  [ "$1" = venv ] && exit 2
fi
exit 0
