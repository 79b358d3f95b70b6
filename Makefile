# Each target does its whole set-up in .venv; nothing needs to be installed first but Python 3.11 or newer.

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
BIN := .venv/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check
# A dependency group of pyproject.toml, each package checked against its hash; then the project itself, as it
# stands here. Nothing of it can be hashed, so it is installed alone.
GROUP := $(PIP) --constraint constraints.txt --group
PROJECT := $(PIP) --no-deps --no-build-isolation --editable .
NEEDS := pyproject.toml constraints.txt
OPENENV := rm -rf .venv/openenv && $(GROUP) openenv --no-deps --target .venv/openenv
PYTEST := $(BIN)/pytest
# What `make run` gives to `thorp up`.
UP ?= --village

.PHONY: run test test-long lint format bench docs web lock clean

run: .venv/run
	@exec $(BIN)/thorp up --end-with $$PPID $(UP)

test: .venv/test
	$(PYTEST)

test-long: .venv/test
	$(PYTEST) --long

lint: .venv/lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: .venv/lint
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: .venv/test
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

# The site in site/, with a reference made from the code, and llms.txt. `.venv/bin/zensical serve` shows it.
docs: .venv/docs
	$(BIN)/python scripts/reference.py pages docs/reference
	$(BIN)/zensical build --strict
	$(BIN)/python scripts/reference.py llms docs site

# The page at /, from web/; needs Node 20.19 or newer. What it builds is committed.
web:
	cd web && npm ci && npm run build

clean:
	rm -rf .venv dist site docs/reference web/node_modules

.venv/python:
	@test -n "$(PYTHON)" || { echo "thorp needs Python 3.11 or newer; install it, or say make PYTHON=…" >&2; exit 2; }
	$(PYTHON) -m venv .venv
	@# Dependency groups need pip 25.1.
	$(PIP) --upgrade "pip>=25.1"
	@touch $@

.venv/run: .venv/python $(NEEDS)
	$(GROUP) run
	$(PROJECT)
	@touch $@

.venv/test: .venv/python $(NEEDS)
	$(GROUP) test
	$(PROJECT)
	$(OPENENV)
	@touch $@ .venv/run

.venv/lint: .venv/python $(NEEDS)
	$(GROUP) lint
	$(PROJECT)
	$(OPENENV)
	@touch $@ .venv/run .venv/test

.venv/docs: .venv/python $(NEEDS)
	$(GROUP) docs
	$(PROJECT)
	@touch $@ .venv/run

# The newest versions that fit, with their hashes; `make lock UPGRADE=--upgrade` takes newer ones than those
# that are written down already.
lock:
	rm -rf .venv/lock && $(PYTHON) -m venv .venv/lock
	.venv/lock/bin/pip install --quiet --disable-pip-version-check uv
	.venv/lock/bin/python scripts/lock.py $(UPGRADE)
