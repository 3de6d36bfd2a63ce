# All targets use .venv. Requirements: Python 3.11 or newer and its package registry. With a C compiler the engine is
# compiled, else the same source runs interpreted. `play` installs only what playing needs, all other targets also the tools.
#
#   make play                          the page, open to the local network; make play ARGS=--local keeps it to this machine
#   make test | check | test-web | test-versions
#   make native                        the rules as machine code too, for many games at a time (where there is a C++ compiler)
#   make docs | check-docs             the documentation site, build/site; its links, search and blocks tried
#   make dist | try-dist | check-release   packages of a release; install and try them; what only the code host runs, linted
#   make static                        the whole game as one static page, dist/static (docs/guide/static.md)
#   make web | bench | bench-server | soak | soak-server | soak-web | install | clean
#   PYTHON=python3.12 make install     choose the interpreter
#   BLACKPOKER_PURE=1 make test        do not compile, run the interpreted engine

SHELL := /bin/sh
.DEFAULT_GOAL := install
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: install native play docs check-docs web static verifier dist try-dist check-release test test-web test-web-folder test-versions check bench bench-server soak soak-server soak-web clean help

VENV := .venv
BIN := $(VENV)/bin
ENV := $(VENV)/.installed
PLAYER := $(VENV)/.installed-to-play
EXT := $(VENV)/.compiled
LIST := build/compiled-sources
WORKERS ?= 2

# A stamp does not notice a removed source, so the list of sources is a file of its own.
ifneq ($(wildcard $(BIN)/python),)
SOURCES := $(shell mkdir -p build && new=$(LIST).$$$$ && $(BIN)/python setup.py --compiled-sources >$$new && \
	{ cmp -s $$new $(LIST) || cp $$new $(LIST); } && rm $$new && cat $(LIST))
endif

READY := $(ENV) $(if $(BLACKPOKER_PURE),,$(EXT))

install: $(READY)
	@:

# The empty environment.
$(BIN)/python:
	@python=; for name in "$(PYTHON)" python3 python3.14 python3.13 python3.12 python3.11 python; do \
		if [ -n "$$name" ] && "$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; \
		then python=$$name; break; fi; done; \
	if [ -z "$$python" ]; then \
		echo "BlackPoker needs Python 3.11 or newer, and found none. Install it, or name it: PYTHON=/path/to/python3 make" >&2; \
		exit 1; fi; \
	if ! "$$python" -c 'import venv, ensurepip' >/dev/null 2>&1; then \
		echo "$$python lacks the venv module; install it first (on Debian and Ubuntu the package is python3-venv)." >&2; \
		exit 1; fi; \
	echo "· creating $(VENV) with $$("$$python" --version)"; "$$python" -m venv --clear $(VENV) || { rm -rf $(VENV); exit 1; }

# The package, editable, with some extras; compiled modules are compiled again.
define into_venv
	@echo "· installing the package with [$(extras)]"
	@BLACKPOKER_PURE=1 $(BIN)/python -m pip install -qq --disable-pip-version-check $(locked) -e '.[$(extras)]'
	@rm -f $(EXT)
endef

$(ENV): extras := all,envs
$(ENV): locked := -r requirements-dev.txt
$(ENV): pyproject.toml setup.py requirements-dev.txt | $(BIN)/python
	$(into_venv)
	@touch $@ $(PLAYER)

$(PLAYER): extras := cli,server
$(PLAYER): pyproject.toml setup.py | $(BIN)/python
	$(into_venv)
	@touch $@

# mypyc is one of the development tools; without them pip installs it temporarily for the build.
$(EXT): $(SOURCES) $(wildcard $(LIST))
	@echo "· compiling the engine (a minute or two; BLACKPOKER_PURE=1 does without)"
	@mkdir -p build && $(BIN)/python setup.py --compiled-sources >$(LIST) && touch $@.begun
	@if $(BIN)/python -c 'import mypyc, setuptools' >/dev/null 2>&1; \
	then $(BIN)/python setup.py -q build_ext --inplace --parallel $(WORKERS); \
	else $(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps -e .; fi
	@mv $@.begun $@  # timestamp of the start, so that a source saved in between is newer

# The same rules translated to C++ (docs/guide/native.md); the source is in build/native.
native: $(READY)
	@$(BIN)/python -m blackpoker.native.build --cpp build/native

# The documentation site, a folder that needs no server. Rulebook, rulings, reference and plots are generated.
SITE_TOOLS := $(VENV)/.installed-for-docs
$(SITE_TOOLS): docs/site/requirements.txt | $(READY)
	@echo "· installing what the site is built with"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check -r $<
	@touch $@

docs: $(READY) $(SITE_TOOLS)
	@$(BIN)/python -m blackpoker.cli.docs
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "· build/site/index.html"

check-docs: docs
	@BLACKPOKER_BROWSER=install $(BIN)/python -m pytest -q -rs tests/site tests/unit/test_doc_blocks.py

# The page, built with the system's Node or the one from the package registry.
PAGE := src/blackpoker/server/static/index.html
PAGE_SOURCES := $(wildcard web/*.json web/*.ts web/*.js web/*.html web/public/* $(shell find web/src -type f))

# Packages and page are built in parallel. The engine is compiled in the background of the first game, which runs interpreted.
play: | $(BIN)/python
	@$(MAKE) --no-print-directory web & page=$$!; $(MAKE) --no-print-directory $(PLAYER); packages=$$?; wait $$page && [ $$packages = 0 ]
	@if [ -z "$(BLACKPOKER_PURE)" ] && ! $(MAKE_COMMAND) -q $(EXT) >/dev/null 2>&1; then \
		echo "· this time the engine runs interpreted; it is compiled meanwhile (build/compile.log), for the next time"; mkdir -p build; \
		nice -n 10 $(MAKE_COMMAND) --no-print-directory $(EXT) >build/compile.log 2>&1 & BLACKPOKER_PURE=1 $(BIN)/blackpoker $(ARGS); \
	else $(BIN)/blackpoker $(ARGS); fi

web: $(PAGE)
	@:

$(PAGE): $(PAGE_SOURCES) | $(BIN)/python
	@$(BIN)/python web/build.py
	@touch $@

# The same page without a server: the engine runs in the browser.
static: $(READY)
	@$(BIN)/python web/static.py

# The verifier of games: in the server's page, and as one file to keep. Without it the page points to the command.
verifier: $(READY) $(PAGE)
	@$(BIN)/python web/static.py --verifier

# The packages of a release. try-dist installs them into an empty environment, outside of the source tree: the plain wheel, and the
# compiled one of this Python, or else what pip compiles from the sdist; the wheel for Pyodide in Node.
dist: $(READY) $(PAGE)
	@$(BIN)/python tools/dist.py $(ARGS)

try-dist:
	@python=$(or $(PYTHON),$(abspath $(BIN))/python); tag=$$($$python -c 'import sys; print("cp%d%d" % sys.version_info[:2])') && \
	compiled=$$(ls dist/blackpoker-*-$$tag-$$tag-*.whl 2>/dev/null || ls dist/blackpoker-*.tar.gz) && \
	for package in dist/blackpoker-*-none-any.whl $$compiled; do \
		case $$package in *-none-any.whl) build=--pure;; *) build=$(if $(BLACKPOKER_PURE),--pure,--compiled);; esac; \
		echo "· $$package, $$($$python --version)"; rm -rf build/tried && $$python -m venv build/tried && \
		build/tried/bin/python -m pip install -qq --disable-pip-version-check "$$package[cli,server]" && \
		(cd build && tried/bin/python ../tools/try_package.py $$build) || exit 1; done
	@for package in $(wildcard dist/blackpoker-*pyemscripten*.whl); do echo "· $$package"; node tools/try_pyodide.mjs $$package || exit 1; done

check-release: $(READY)
	@$(BIN)/python tools/workflows.py

# The page has a short browser test if a browser is installed (-rs lists skipped tests); test-web has the full ones.
test: $(READY)
	@$(MAKE) --no-print-directory web || echo "· the page could not be built: it is not tried in a browser"
	@$(BIN)/python -m pytest -q -rs -n $(WORKERS) --ignore=tests/web --ignore=tests/site

# Every screen, story, action, trump and decision in a real Chromium, which is installed if possible (as root, with
# Debian's packages); screenshots go to build/screens.
test-web: $(READY) $(PAGE) static verifier
	@BLACKPOKER_BROWSER=install $(BIN)/python -m pytest -v -rs tests/web

# The page in a folder of a host, behind nginx: its links, addresses and sockets.
test-web-folder: $(READY) $(PAGE)
	@BLACKPOKER_BROWSER=install BLACKPOKER_FOLDER=1 $(BIN)/python -m pytest -v -rs tests/smoke/test_folder.py tests/web/test_tournament.py tests/web/test_navigation.py

# test-web with every variant of every scenario in both languages and a match of two decks: about an hour.
soak-web: $(READY) $(PAGE) static verifier
	@BLACKPOKER_BROWSER=install BLACKPOKER_LONG=1 $(BIN)/python -m pytest -v -rs tests/web

# The tests with the lowest supported versions of the libraries, on every installed Python from 3.11 on.
test-versions: $(READY)
	@$(BIN)/python -m tests.python_versions

check: $(READY)
	@echo "· ruff"; $(BIN)/ruff check -q . && $(BIN)/ruff format -q --check --exclude '*.md' .
	@echo "· mypy --strict"; $(BIN)/mypy --strict
	@echo "· hot modules"; $(BIN)/python tools/hot.py
	@echo "· translation to C++"; $(BIN)/python -m blackpoker.native.build --check
	@$(BIN)/python -m tests.source_checks
	@echo "· the page"; $(BIN)/python web/build.py --gate
	@$(BIN)/python web/static.py --compiler
	@$(MAKE) --no-print-directory test

bench: $(READY)
	@$(BIN)/blackpoker bench
	@$(BIN)/python benchmarks/envs.py

# A few minutes on loopback: games, crowds, then the same games on PostgreSQL and on two processes, if installed.
bench-server: $(READY)
	@$(BIN)/python benchmarks/server.py games
	@$(BIN)/python benchmarks/server.py crowd
	@$(BIN)/python -m tests.long.scaling

soak: $(READY)
	@$(BIN)/python -m tests.long.soak --jobs $(WORKERS)
	@BLACKPOKER_LONG=1 $(BIN)/python -m pytest -q -n $(WORKERS) tests/properties/test_positions.py
	@$(BIN)/python -m tests.long.position_faults --jobs $(WORKERS)
	@$(BIN)/python -m tests.long.edition9_faults
	@BLACKPOKER_LONG=1 $(BIN)/python -m pytest -q -n $(WORKERS) tests/unit/test_game_value.py tests/properties/test_copies.py
	@BLACKPOKER_LONG=1 BLACKPOKER_PURE=1 $(BIN)/python -m pytest -q -n $(WORKERS) tests/unit/test_game_value.py tests/properties/test_copies.py
	@BLACKPOKER_LONG=1 $(BIN)/python -m pytest -q -n $(WORKERS) tests/unit/test_beginner_levels.py -k absurd
	@$(BIN)/python -m tests.long.native
	@$(BIN)/python -m tests.long.lab_calibration --jobs $(WORKERS)
	@$(BIN)/python -m tests.long.coach --jobs $(WORKERS)
	@$(BIN)/python -m tests.properties.forecasts
	@$(BIN)/python -m tests.long.walks --jobs $(WORKERS)
	@$(BIN)/python -m training.small

soak-server: $(READY)
	@$(BIN)/python -m tests.long.server
	@$(BIN)/python -m tests.long.kills --kills 1000
	@$(BIN)/python -m tests.long.kills --kills 1000 --postgresql
	@$(BIN)/python -m tests.long.search_queue
	@$(BIN)/python -m tests.long.honest_games
	@$(BIN)/python -m tests.long.handover
	@$(BIN)/python -m tests.long.hostile
	@$(BIN)/python -m tests.long.attacks
	@$(BIN)/python -m tests.long.flood
	@$(BIN)/python -m tests.long.outages
	@$(BIN)/python -m tests.long.quick_match --schedules 5000
	@$(BIN)/python -m tests.long.swiss
	@$(BIN)/python -m tests.long.tournaments --minutes 4
	@$(BIN)/python -m tests.long.tournaments --minutes 4 --postgresql
	@$(BIN)/python -m tests.server.on_postgresql
	@$(BIN)/python -m tests.long.timing_leaks --pairs 300
	@$(BIN)/python -m tests.long.metrics --games 1000
	@$(BIN)/python benchmarks/server.py crowd

clean:
	@rm -rf $(VENV) build dist src/*.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
	@find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
	@find src -name '*.so' -exec rm -f {} +

help:
	@sed -n 's/^#   //p' Makefile
