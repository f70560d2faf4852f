# Every target uses .venv; `make venv` builds it. What a fresh machine needs beside python3 and make is installed here.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check install --quiet
CASES  ?= tests/cases
GAME   ?=

.PHONY: help venv demo floor test check lint types cases schemas vectors dissector glossary config-example bench compiled attacks conform floor-kills differential model traces mutants submission watch-curve machines soak whole soak-seeds soak-all deb image board-test system clean

help:           ## this list
	@grep -hE '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 16

venv: $(VENV)/.ready  ## build the virtual environment

$(VENV)/.ready: pyproject.toml requirements/package.txt requirements/floor.txt requirements/dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Cutcard needs Python 3.11 or newer; say PYTHON=/path/to/python3.11"; exit 2; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null \
	  || deploy/setup-machine.sh venv
	$(PYTHON) -m venv $(VENV)
	$(PIP) --require-hashes --only-binary :all: --requirement requirements/dev.txt
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

demo: venv      ## a table being dealt in the browser; Ctrl-C ends it: make demo [DEMO="--game bankers-razz"]
	@$(BIN)/cutcard demo $(DEMO)

floor: venv     ## a cardroom: twelve simulated tables, their broker, a collector, a store and the page: make floor [FLOOR="--tables 4"]
	@$(BIN)/cutcard floor demo $(FLOOR)

system:         ## broker and browser for the tests, where this machine lets us
	@deploy/setup-machine.sh tests

test: venv system  ## everything, with what could not run listed at the end: make test [TESTS=tests/web]
	@$(BIN)/python -m tests.run $(TESTS)

check: venv     ## lint, format, strict types, tests with coverage
	$(MAKE) --no-print-directory lint types
	@$(BIN)/python -m tests.run --coverage

lint: venv      ## ruff: rules and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: venv     ## mypy, strict
	$(BIN)/mypy

cases: venv     ## worked rounds: make cases CASES=dir [GAME=slug]
	@$(BIN)/python -m controller.cases $(CASES) $(if $(GAME),--game $(GAME))

schemas: venv   ## JSON Schema and AsyncAPI of the MQTT messages, into docs/mqtt
	@$(BIN)/python -m controller.contract.schema

vectors: venv   ## test vectors of the device protocols, from the pages, into docs/protocols/vectors
	@$(BIN)/python -m tests.support.wire.vectors.write_vectors

dissector: venv ## the Wireshark dissector of the device link, from the codecs
	@$(BIN)/python -m protocols.wireshark docs/protocols/wireshark/cutcard.lua

glossary: venv  ## docs/table/glossary.md, from the words of the screens
	@$(BIN)/python -m controller.web.glossary docs/table/glossary.md

config-example: venv  ## the example configuration and its reference, from the types
	@$(BIN)/python -m controller.config.example deploy/cutcard.example.toml docs/operations/configuration.md

compiled: venv  ## the engine as machine code, in build/compiled; a minute of gcc, kept until a source changes
	@$(BIN)/python deploy/compile.py
	@CUTCARD_WHOLE=1 $(BIN)/python -m pytest -q tests/operations/test_compiled.py

bench: venv system  ## the figures, as ratios measured in the same run
	@$(MAKE) --no-print-directory compiled || echo "make bench: without the compiled engine, see above"
	@$(BIN)/python -m tests.bench

soak: venv system  ## hours of it: all attacks, ten table days, fifty evenings of every ruleset
	@$(BIN)/python -m tests.long.attacks
	$(BIN)/cutcard soak --tables 10 --hours 24
	CUTCARD_EVENINGS=50 $(BIN)/python -m pytest -q --timeout 0 tests/engine/test_bot.py tests/evidence/test_rounds.py

attacks: venv system  ## kills, flipped bits, fuzzed frames and inputs, hostile requests, by the thousand: make attacks [SEED=1] [MINUTES=60] [PART=frames] [JOBS=2]
	@$(BIN)/python -m tests.long.attacks --seed $(or $(SEED),1) $(if $(MINUTES),--minutes $(MINUTES)) $(if $(PART),--part $(PART)) $(if $(JOBS),--jobs $(JOBS))

differential: venv  ## rounds settled twice, by the engine and by an independent oracle: make differential [FAMILY=baccarat] [ROUNDS=1000000] [MINUTES=60]
	@$(BIN)/python -m tests.long.differential $(if $(FAMILY),--family $(FAMILY)) --rounds $(or $(ROUNDS),1000000) $(if $(MINUTES),--minutes $(MINUTES))

model: venv     ## the model of the delivery (tests/model/delivery.tla), exhausted by TLC; needs Java
	@$(BIN)/python -m tests.model.tlc

traces: venv system  ## a day of every ruleset, each step of its delivery held against the model: make traces [SEED=1] [HOURS=2] [MINUTES=60]
	@$(BIN)/python -m tests.long.traces --seed $(or $(SEED),1) --hours $(or $(HOURS),2) $(if $(MINUTES),--minutes $(MINUTES))

mutants: venv system  ## small mistakes put into the program, each of which a test must notice: make mutants [PART=money] [SEED=1] [BUDGET=60]
	@$(BIN)/python -m tests.mutants.run --seed $(or $(SEED),1) --budget $(or $(BUDGET),60) $(if $(PART),--part $(PART))

submission: venv  ## the regulator's folder: docs/submission/README.md from its clauses and the marks in the tests
	@$(BIN)/python -m tests.support.submission

watch-curve: venv  ## how soon the watch on due less dropped finds a theft, from simulated shifts (docs/floor/books.md): make watch-curve [SEED=1]
	@$(BIN)/python -m tests.long.watch_curve --seed $(or $(SEED),1)

floor-kills: venv system  ## kills of brokers, collectors, databases and tables of the floor; goes on where it was: make floor-kills [KILLS=100] [HOURS=7] [TABLES=6] [DATABASE=postgresql] [SEED=1]
	@$(BIN)/python -m tests.long.floor_kills --seed $(or $(SEED),1) --kills $(or $(KILLS),100) --hours $(or $(HOURS),7) \
	  --tables $(or $(TABLES),6) $(if $(DATABASE),--database $(DATABASE))

soak-seeds: venv  ## one seed, one day: ten days twice, alone and disturbed: make soak-seeds [HOURS=2] [SEED=7]
	@$(BIN)/python -m tests.long.seeds --tables 10 --hours $(or $(HOURS),2) --seed $(or $(SEED),7)

soak-all: venv system  ## every ruleset for two hours, all promises checked; goes on where it was: make soak-all [SEED=2000]
	@$(MAKE) --no-print-directory whole
	@$(BIN)/python -m tests.long.soak_all --seed $(or $(SEED),2000) --hours $(or $(HOURS),2)

whole: venv system  ## the tests of which `make test` takes a part that changes with each commit, as a whole
	@CUTCARD_WHOLE=1 $(BIN)/python -m pytest -q -n 2 --timeout 0 $$(grep -rl "support.turns import" --include="test_*.py" tests)

conform: venv   ## every deliberately wrong device against `cutcard rig conform`: each fails at its own requirement alone
	@CUTCARD_WHOLE=1 $(BIN)/python -m pytest -q -n 2 --timeout 0 tests/rig/conform

machines: venv  ## demo and test on clean Debian 12 and 13, as root and as a user; goes on where it was: make machines [SUITES=trixie] [WITH="--minutes 60"]
	@$(BIN)/python -m tests.long.machines $(SUITES) $(WITH)

deb: venv       ## the Debian package, into build/: make deb [SUITE=trixie] [ARCH=arm64] [PACKAGE=cutcard-floor] [VERSION=0.2.0] [SIGN=release.key]
	@$(if $(SUITE)$(ARCH),deploy/setup-machine.sh board)
	@$(BIN)/python deploy/debian/build.py $(if $(PACKAGE),--package $(PACKAGE)) $(if $(VERSION),--version $(VERSION)) $(if $(SUITE),--suite $(SUITE)) $(if $(ARCH),--arch $(ARCH)) $(if $(SIGN),--sign $(SIGN))

image: venv     ## the image to flash, for a board with EFI, into build/board: make image [VERSION=0.2.0]
	@deploy/setup-machine.sh board
	@$(BIN)/python deploy/board/image.py $(if $(VERSION),--version $(VERSION))

board-test: venv  ## arm64 package, image and emulated board, as a whole; the first time it makes its roots: make board-test [TESTS=tests/board]
	@deploy/setup-machine.sh board
	@CUTCARD_BOARD=1 $(BIN)/python -m tests.run --must-run --timeout 0 -n 1 $(or $(TESTS),tests/board)

clean:          ## forget the virtual environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis build *.egg-info
