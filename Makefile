# `make check` runs all that CI runs.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
WORKERS ?= 2

check: test check_rest

check_rest: lint wheel newcomer

.PHONY: check check_rest lint test wheel newcomer fuzz bench clean


$(BIN)/.ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

lint: $(BIN)/.ready
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: $(BIN)/.ready
	$(BIN)/python -m pytest -q -n $(WORKERS)

# The wheel, in a folder with a blank and an umlaut, without the checkout.
wheel: $(BIN)/.ready
	bash tests/wheel.sh $(BIN)/python

# A stranger's first hour, from the README.
newcomer: $(BIN)/.ready
	bash tests/newcomer.sh $(BIN)

fuzz: $(BIN)/.ready
	$(BIN)/python tests/fuzz_boards.py --cases 20000

bench: $(BIN)/.ready
	$(BIN)/python -m pytest tests/benchmarks -q --benchmark-only

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache
