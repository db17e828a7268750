# make run · make test · make check · make bench · make soak · make e2e BASE_URL=… MODEL=… · make clean
# PYTHON=/path/to/python3.13 chooses an interpreter. ARGS="…" is passed on to the command.

PY := .venv/bin/python
export PYTHON

.PHONY: help run demo test check format coverage bench soak e2e set-up set-up-dev clean

help:
	@echo 'make run       the CLI; sets up .venv first where needed'
	@echo 'make demo      the demonstration, without a model'
	@echo 'make test      all tests'
	@echo 'make check     style, types, layers, dependencies'
	@echo 'make format    rewrites what ruff can put right'
	@echo 'make coverage  the tests with branch coverage'
	@echo 'make bench     the benchmarks'
	@echo 'make soak      the property tests with many more examples'
	@echo 'make e2e BASE_URL=http://127.0.0.1:8080/v1 MODEL=local   the tests that ask a real model'
	@echo 'make clean     removes .venv and what tools left behind'

run: set-up
	@$(PY) -m paicli $(ARGS)

demo: set-up
	@PAICLI_COMMAND='make run' $(PY) -m paicli demo $(ARGS)

test: set-up-dev
	@$(PY) -m pytest $(ARGS)

check: set-up-dev
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy
	@.venv/bin/lint-imports --no-cache
	@$(PY) -m deptry src

format: set-up-dev
	@$(PY) -m ruff check --fix .
	@$(PY) -m ruff format .

coverage: set-up-dev
	@$(PY) -m coverage erase
	@$(PY) -m coverage run -m pytest $(ARGS)
	@$(PY) -m coverage combine --quiet
	@$(PY) -m coverage report

bench: set-up-dev
	@$(PY) benchmarks/startup.py $(ARGS)
	@$(PY) benchmarks/compression.py
	@$(PY) benchmarks/prefix.py

soak: set-up-dev
	@$(PY) -m pytest tests/properties tests/contract --hypothesis-profile=soak --timeout=3600 $(ARGS)

e2e: set-up-dev
	@PAICLI_E2E_BASE_URL='$(BASE_URL)' PAICLI_E2E_MODEL='$(MODEL)' PAICLI_E2E_KEY='$(KEY)' \
		$(PY) -m pytest tests/e2e -m real_model -s -rs --timeout=3600 $(ARGS)

set-up:
	@sh scripts/set-up.sh run

set-up-dev:
	@sh scripts/set-up.sh dev

clean:
	rm -rf .venv .pytest_cache .ruff_cache .mypy_cache .import_linter_cache .hypothesis .coverage .coverage.* dist build
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
