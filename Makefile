# Each target does its whole set-up, in .venv and in web/node_modules. Python 3.11 or newer must be there, and for
# lint, format and web also Node 20.19 or newer, with npm.

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check
# A dependency group of pyproject.toml, each package checked against its hash; then the project itself, as it
# stands here. Nothing of it can be hashed, so it is installed alone.
GROUP := $(PIP) --constraint constraints.txt --group
PROJECT := $(PIP) --no-deps --no-build-isolation --editable .
NEEDS := pyproject.toml constraints.txt
OPENENV := rm -rf $(VENV)/openenv && $(GROUP) openenv --no-deps --target $(VENV)/openenv
# What the adapters of the exhibition are checked with.
EXHIBITION := open-spiel==2.0.2 textarena==0.7.4 "pytest>=9"
PYTEST := $(BIN)/pytest
# npm writes this file last, so it is as old as what was installed.
NODE_MODULES := web/node_modules/.package-lock.json
# What `make run` gives to `thorp up`.
UP ?= --village

.PHONY: run test test-all test-long test-doors test-train exhibition lint format bench league docs web lock release clean

run: $(VENV)/run
	@exec $(BIN)/thorp up --end-with $$PPID $(UP)

test: $(VENV)/test
	$(PYTEST)

# On every Python from 3.11 on that this machine has, each with an environment of its own.
test-all:
	@for version in 3.11 3.12 3.13 3.14; do \
		if python$$version -c '' 2>/dev/null; then \
			echo "Python $$version"; \
			$(MAKE) --no-print-directory test VENV=.venv-$$version PYTHON=python$$version || exit 1; \
		fi; \
	done

test-long: $(VENV)/test
	$(PYTEST) --long

# The harnesses of others, each in an environment of its own beside this one: what they need cannot live together.
# The environment of trl takes 6 GB. `make test-doors DOORS="inspect verifiers"` tries only these.
DOORS ?= openenv inspect verifiers trl
DOOR_openenv := openenv==0.10.0
DOOR_inspect := inspect-ai==0.3.285
DOOR_verifiers := verifiers==0.4.0 uv
DOOR_trl := trl==1.16.0 transformers==5.23.0 torch==2.15.0 accelerate==1.15.0 datasets==5.2.0 jinja2

test-doors:
	@for door in $(DOORS); do $(MAKE) --no-print-directory test-door-$$door || exit 1; done

test-door-%: .venv-doors-%/thorp
	.venv-doors-$*/bin/python -m tests.doors.$*_door

.PRECIOUS: .venv-doors-%/thorp
.venv-doors-%/thorp: $(NEEDS)
	test -d .venv-doors-$* || $(PYTHON) -m venv .venv-doors-$*
	.venv-doors-$*/bin/pip install --quiet --disable-pip-version-check $(DOOR_$*) --editable .
	@touch $@
# The chain that teaches the embedded model, on a tiny random one. Its environment takes 6 GB.
test-train: .venv-train/thorp
	.venv-train/bin/python examples/train/check.py

.venv-train/thorp: $(NEEDS)
	test -d .venv-train || $(PYTHON) -m venv .venv-train
	.venv-train/bin/pip install --quiet --disable-pip-version-check torch transformers gguf tokenizers --editable .
	@touch $@

# The games of OpenSpiel and TextArena with the real packages, in an environment of their own.
exhibition: $(VENV)/exhibition/done
	$(VENV)/exhibition/bin/python -m pytest -q -p no:cacheprovider --noconftest -c /dev/null --rootdir . \
		tests/exhibition/check_*.py

lint: $(VENV)/lint $(NODE_MODULES)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	cd web && npm run --silent lint

format: $(VENV)/lint $(NODE_MODULES)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	cd web && npm run --silent format

bench: $(VENV)/test
	$(BIN)/python bench/matches.py
	$(BIN)/python bench/verify.py
	$(BIN)/python bench/tournament.py
	$(BIN)/python bench/propose.py
	$(BIN)/python bench/handoffs.py
	$(BIN)/python bench/store.py
	$(BIN)/python bench/protocol.py
	$(BIN)/python bench/voxel_tick.py
	$(BIN)/python bench/voxel_terrain.py
	$(BIN)/python bench/voxel_cubes.py
	$(BIN)/python bench/voxel_paths.py
	$(BIN)/python bench/voxel_env.py
	$(BIN)/python bench/voxel_restart.py
	$(BIN)/python bench/voxel_live.py
	$(BIN)/python bench/voxel_society.py
	$(BIN)/python bench/voxel_season.py
	$(BIN)/python bench/chronicle.py
	$(BIN)/python bench/story.py
	$(BIN)/python bench/log.py
	$(BIN)/python bench/task_forks.py
	$(BIN)/python bench/league.py

# The reference table of all built-in agents, in league/: played, added, published in a signed log, audited. See
# docs/league.md. Interrupted, it goes on where it stopped.
league: $(VENV)/test
	$(BIN)/python scripts/league.py league

# The site in site/, with a reference made from the code, and llms.txt. `.venv/bin/zensical serve` shows it.
docs: $(VENV)/docs
	$(BIN)/python scripts/reference.py pages docs/reference
	$(BIN)/zensical build --strict
	$(BIN)/python scripts/reference.py llms docs site

# The page at /, from web/. What it builds is committed.
web: $(NODE_MODULES)
	cd web && npm run build

clean:
	rm -rf .venv .venv-* dist site docs/reference web/node_modules

$(NODE_MODULES): web/package.json web/package-lock.json
	@command -v npm >/dev/null || { echo "web/ needs Node 20.19 or newer, with npm; install them" >&2; exit 2; }
	cd web && npm ci --no-audit --no-fund
	@touch $@

$(VENV)/pip-25.1:
	@test -n "$(PYTHON)" || { echo "thorp needs Python 3.11 or newer; install it, or say make PYTHON=…" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	@# Dependency groups need pip 25.1, which an environment made by an older Makefile lacks.
	$(PIP) --upgrade "pip>=25.1"
	@touch $@

$(VENV)/run: $(VENV)/pip-25.1 $(NEEDS)
	$(GROUP) run
	$(PROJECT)
	@touch $@

$(VENV)/test: $(VENV)/pip-25.1 $(NEEDS)
	$(GROUP) test
	$(PROJECT)
	$(OPENENV)
	@touch $@ $(VENV)/run

$(VENV)/lint: $(VENV)/pip-25.1 $(NEEDS)
	$(GROUP) lint
	$(PROJECT)
	$(OPENENV)
	@touch $@ $(VENV)/run $(VENV)/test

# Their packages need some hundred others, which nobody should install to test the rest.
$(VENV)/exhibition/done: $(NEEDS)
	$(PYTHON) -m venv $(VENV)/exhibition
	$(VENV)/exhibition/bin/pip install --quiet --disable-pip-version-check --editable . $(EXHIBITION)
	@touch $@

$(VENV)/docs: $(VENV)/pip-25.1 $(NEEDS)
	$(GROUP) docs
	$(PROJECT)
	@touch $@ $(VENV)/run

# The newest versions that fit, with their hashes; `make lock UPGRADE=--upgrade` takes newer ones than those
# that are written down already.
lock:
	rm -rf $(VENV)/lock && $(PYTHON) -m venv $(VENV)/lock
	$(VENV)/lock/bin/pip install --quiet --disable-pip-version-check uv
	$(VENV)/lock/bin/python scripts/lock.py $(UPGRADE)

# The files of a release, in dist/: see docs/releasing.md. The tool that lists what is in them has an environment
# of its own.
release: $(VENV)/run
	rm -rf $(VENV)/release && $(PYTHON) -m venv $(VENV)/release
	$(VENV)/release/bin/pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(VENV)/release/bin/pip install --quiet --disable-pip-version-check --constraint constraints.txt --group release
	$(BIN)/python scripts/release.py --lister $(VENV)/release/bin/cyclonedx-py
