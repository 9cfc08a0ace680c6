# `make check` runs all that CI runs, the long tests, and compares what every board writes on every kind of processor that this one can be.
PYTHON ?= python3
BIN = .venv/bin

.PHONY: check test lint docs pages laws fuzz proof mutants bench corpus large-mutants clean

check:
	bash .ci/run
	$(BIN)/python -m pytest -q -n 2 -m long
	$(BIN)/python tests/output_digest.py
	PCBRULES_ALL_BOARDS=1 $(BIN)/python -m pytest -q tests/test_determinism.py -m "long or not long"

$(BIN)/.ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

test: $(BIN)/.ready
	$(BIN)/python -m pytest -q -n 2

lint: $(BIN)/.ready
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(BIN)/.ready
	$(BIN)/sphinx-build -W --keep-going -q -d build/doctrees docs build/docs
	@echo "open build/docs/index.html"

# What is made of the program: the README's table of rules, the picture of the console, what commands print on pages.
pages: $(BIN)/.ready
	$(BIN)/python docs/make_rules_table.py
	$(BIN)/python tests/rules/rule_examples.py
	$(BIN)/python docs/make_report_svg.py
	$(BIN)/python tests/doc_pages.py

# Every law on all of its examples, new ones at each run.
laws: $(BIN)/.ready
	PCBRULES_LAWS=all $(BIN)/python -m pytest -q -n 2

fuzz: $(BIN)/.ready
	$(BIN)/python tests/fuzz_boards.py --cases 20000
	$(BIN)/python tests/fuzz_files.py --cases 20000

proof: $(BIN)/.ready
	$(BIN)/python tests/proof/run.py --cases 200 --write

mutants: $(BIN)/.ready
	$(BIN)/python tests/mutation/mutate.py --count 400

bench: $(BIN)/.ready
	$(BIN)/python -m pytest tests/benchmarks -q --benchmark-only -s -o addopts=

# Every layout of a folder: `make corpus DIR=folder`.
corpus: $(BIN)/.ready
	$(BIN)/python tests/corpus.py "$(DIR)"

# 20 mutants of every layout of 1 MB and more of a folder: `make large-mutants DIR=folder`.
large-mutants: $(BIN)/.ready
	find "$(DIR)" -type f -size +999999c \( -name '*.kicad_pcb' -o -name '*.xml' -o -name '*.tgz' \) -print0 | \
		PYTHONPATH=tests xargs -0 $(BIN)/python tests/mutated_large.py 20

clean:
	rm -rf .venv dist build .pytest_cache .mypy_cache .ruff_cache
