# Rollick: `make demo` and `make test` do everything from a bare clone; Python 3.11 or newer is all they need.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2
ONLY ?=

.PHONY: help demo test test-all test-cuda check bench performance errata figures docs docs-check warm dist release clean

help:
	@echo "make demo      simulate the rattleback, write a plot, a 3-D page and a netCDF file to out/"
	@echo "make test      run the tests; make test ONLY=motion those of a room, ONLY='motion analysis' of two"
	@echo "make test-all  run the tests, the slow ones too"
	@echo "make test-cuda run the kernels of GPUs in Numba's simulator"
	@echo "make check     ruff and mypy"
	@echo "make bench     speed, in ratios to SciPy and heyoka"
	@echo "make performance  write docs/performance.md and docs/reliability.md from benchmarks/results/"
	@echo "make errata    write docs/errata.md and docs/errata.pdf from src/rollick/errata/"
	@echo "make figures   recompute the published numbers and redraw the figures into out/figures/"
	@echo "make docs      the documentation as pages, build/docs/index.html; no network is needed to read them"
	@echo "make docs-check  run every example of every page, and compare what it prints with what the page says"
	@echo "make warm      compile the common set ahead of time"
	@echo "make dist      build wheel and source distribution into dist/, and check them"
	@echo "make release   check that a version can be released, build it, and say what to do next; nothing is uploaded"

$(VENV)/base: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Rollick needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Try make PYTHON=python3.12 ...") if sys.version_info < (3, 11) else None'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/dev: pyproject.toml $(VENV)/base
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

demo: $(VENV)/base
	@mkdir -p out
	@$(BIN)/rollick simulate rattleback --out out/rattleback.nc --plot out/rattleback.png --view out/rattleback.html

# Bytecode is kept (processes that tests start would make it anew), and each of the processes compiles by itself.
TESTING := PYTHONDONTWRITEBYTECODE= ROLLICK_COMPILERS=1

test: $(VENV)/dev
	$(TESTING) $(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m "not slow" $(addprefix tests/,$(ONLY))

test-all: $(VENV)/dev
	$(TESTING) $(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(addprefix tests/,$(ONLY))

test-cuda: $(VENV)/dev
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal tests/kernel/test_cuda.py tests/ensemble/test_on_cuda.py

check: $(VENV)/dev
	$(BIN)/ruff check src tests benchmarks examples
	$(BIN)/ruff format --check src tests benchmarks examples
	$(BIN)/mypy

bench: $(VENV)/dev
	$(BIN)/python benchmarks/start.py
	$(BIN)/python benchmarks/rattleback.py
	$(BIN)/python benchmarks/rolling.py
	$(BIN)/python benchmarks/stepping.py
	$(BIN)/python benchmarks/collisions.py
	$(BIN)/python benchmarks/drop.py
	$(BIN)/python benchmarks/contact.py
	$(BIN)/python benchmarks/modes.py
	$(BIN)/python benchmarks/machines.py
	$(BIN)/python benchmarks/equilibria.py
	$(BIN)/python benchmarks/orbits.py
	$(BIN)/python benchmarks/tippedisk.py
	$(BIN)/python benchmarks/identify.py
	$(BIN)/python benchmarks/ensembles.py

errata: $(VENV)/base
	$(BIN)/python -m pip install --quiet --disable-pip-version-check typst pypandoc_binary
	$(BIN)/python -m rollick.errata.write --pdf

performance: $(VENV)/base
	$(BIN)/python benchmarks/page.py

figures: $(VENV)/base
	@mkdir -p out
	$(BIN)/rollick reproduce --figures out/figures

$(VENV)/docs: pyproject.toml $(VENV)/base
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	@touch $@

docs: $(VENV)/docs
	$(BIN)/python -m sphinx -W --keep-going -q -j $(JOBS) -b html docs build/docs
	$(BIN)/python docs/_make/links.py build/docs
	@echo "build/docs/index.html"

docs-check: $(VENV)/dev
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal tests/test_documented_pages.py tests/test_documents.py tests/test_site.py

warm: $(VENV)/base
	$(BIN)/rollick warm

$(VENV)/release: pyproject.toml $(VENV)/base
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[release]'
	@touch $@

dist: $(VENV)/release
	$(BIN)/python .ci/release.py --only-build

release: $(VENV)/release
	$(BIN)/python .ci/release.py

clean:
	rm -rf out build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
