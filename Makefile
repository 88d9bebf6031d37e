# Everything runs in .venv, which is made on first use and again when pyproject.toml changes.

PYTHON ?= python3
PORT ?= 8000
HOST ?= 127.0.0.1
WORKERS ?= 1
VENV := .venv
BIN := $(VENV)/bin

# Nothing is made with an older one, which pip would refuse only after the directory is there.
define NEW_ENOUGH
import sys
if sys.version_info < (3, 11):
    sys.exit("plyhost needs Python 3.11 or later, not %d.%d: make serve PYTHON=python3.11" % sys.version_info[:2])
endef
export NEW_ENOUGH

.PHONY: serve test test-all lint bench clean

serve: $(VENV)/serve.stamp
	$(BIN)/plyhost serve --host $(HOST) --port $(PORT) --workers $(WORKERS)

# What a change is tried with again and again: all but the tests that are marked `long`.
test: $(VENV)/dev.stamp lint
	$(BIN)/pytest -n 2 --dist worksteal -m 'not long' $(ARGS)

# Everything, as CI runs it.
test-all: $(VENV)/dev.stamp lint
	$(BIN)/pytest -n 2 --dist worksteal $(ARGS)

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/dev.stamp
	$(BIN)/python -m bench $(ARGS)

$(BIN)/python:
	@$(PYTHON) -c "$$NEW_ENOUGH"
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

$(VENV)/serve.stamp: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/dev.stamp: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@ $(VENV)/serve.stamp

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
