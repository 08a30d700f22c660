# BridgeBuddy. `make run` to try it, `make test` to check it.
PORT ?= 8000
HOST ?= 0.0.0.0
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# linters for scripts and style sheets, and the oldest browsers they work in: .ci/package.json
NODE_BIN := .ci/node_modules/.bin
# WeasyPrint draws with Pango, names in Chinese, Japanese or Korean letters with a font that has them; browser tests drive
# Chromium, those of scripts run in Node; translations need gettext; systemd reads the units of deploy/.
# Other engines than Chromium (docs/dev/engines.md) have a list of their own; Chromium 92 comes from .ci/package.json.
# caddy, nginx and redis-server: what stands before and beside a server, started with the files of deploy/.
RUN_PACKAGES := python3-venv libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 fonts-droid-fallback
TEST_PACKAGES := caddy chromium gettext mdbtools nginx nodejs poppler-utils redis-server systemd
ENGINE_PACKAGES := cog firefox-esr python3-pyqt5.qtwebkit webkit2gtk-driver wpewebkit-driver xvfb

.PHONY: help run installed test test-fast engines engines-installed pictures docs minutes bench bench-federation faults mutants mutants-of-change sweep lint format messages clean lock licences update

help:
	@echo "make run     install everything into .venv and start the server on port $(PORT)"
	@echo "make test    install what tests need and run a sample of ten minutes; with CI=1 all of them"
	@echo "make test-fast  the tests of what has changed since main (or BASE=...), in a minute and a half"
	@echo "make installed  install, break and update BridgeBuddy in a Debian of its own, and write docs/dev/installed.md (root)"
	@echo "make engines test other browser engines alone, and write docs/dev/engines.md"
	@echo "make pictures take the pictures of the README and of the first page anew from the demo club"
	@echo "make docs    build the documentation site from docs/ into site/"
	@echo "make minutes run all tests and write down where the minutes go, in tests/minutes.md"
	@echo "make bench   print the benchmarks; or each line as a ratio to a commit (BEFORE=main)"
	@echo "make bench-federation  a big evening over all cores, PostgreSQL, Redis and a proxy (SIZE=\"20 29\")"
	@echo "make faults  make faults as a colleague would, report what no test notices (APPS=\"seasons jobs\")"
	@echo "make mutants break the code, report what no test notices (FILES=\"bridgebuddy/money\")"
	@echo "make mutants-of-change  the same with some lines of what has changed since the commit before (or BASE=...)"
	@echo "make sweep   ask the catalogue for everything: sizes, options, half tables (FAMILIES=\"web howell\"),"
	@echo "             and read what is announced in all of it"
	@echo "make lint    linters (scripts and styles too, for the oldest browsers), types and layers"
	@echo "make lock    write requirements.lock anew from requirements.txt, with the hashes of all there is"
	@echo "make update  say which pinned packages are outdated, and which have had no release for two years"

run: $(VENV)/.run
	@$(BIN)/python manage.py migrate --verbosity 0
	@$(BIN)/python manage.py compile_translations
	@$(BIN)/python manage.py demo --port $(PORT) || true
	@exec $(BIN)/python manage.py serve --host $(HOST) --port $(PORT)

test: $(VENV)/.test engines-installed
	@$(BIN)/python manage.py compile_translations
	$(BIN)/python -m tests.run

test-fast: $(VENV)/.test
	@$(BIN)/python manage.py compile_translations
	@BASE="$(BASE)" $(BIN)/python -m tests.touched

installed: $(VENV)/.test
	$(BIN)/python -m tests.operations.installed

engines: $(VENV)/.test engines-installed
	WRITE_ENGINES=1 $(BIN)/python -m pytest -q tests/browser/test_engines.py

pictures: $(VENV)/.test
	@$(BIN)/python manage.py compile_translations
	$(BIN)/python -m tests.demo.pictures

docs: $(VENV)/.docs
	$(BIN)/python docs/build.py

# what cannot be installed is named here, and by its test; the other tests run without it
engines-installed:
	@sh docs/admin/system-packages.sh $(ENGINE_PACKAGES) || echo "Without them their engines are not tested."
	@$(MAKE) --no-print-directory .ci/node_modules/.installed || echo "Without npm Chromium 92 is not tested."

minutes: $(VENV)/.test engines-installed
	@$(BIN)/python manage.py compile_translations
	$(BIN)/python -m tests.run --minutes

bench: $(VENV)/.test
	$(BIN)/python -m tests.benchmarks$(if $(BEFORE),.against $(BEFORE) $(LINES))

bench-federation: $(VENV)/.test
	@sh docs/admin/system-packages.sh caddy redis-server postgresql
	$(BIN)/python -m tests.benchmarks.federation $(SIZE)

faults: $(VENV)/.test
	@$(BIN)/python manage.py compile_translations
	@$(BIN)/python -m tests.faults $(APPS)

mutants: $(VENV)/.test
	@$(BIN)/python manage.py compile_translations
	@$(BIN)/python -m tests.mutants $(FILES)

mutants-of-change: $(VENV)/.test
	@$(BIN)/python manage.py compile_translations
	@BASE="$(BASE)" $(BIN)/python -m tests.mutants.of_change

sweep: $(VENV)/.test
	@$(BIN)/python -m tests.engine.sweep $(FAMILIES)
	@$(BIN)/python -m tests.movements.reading.everything $(FAMILIES)

lint: $(VENV)/.test .ci/node_modules/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/djade --check --target-version 5.2 $$(git ls-files 'templates/*.html')
	$(BIN)/python -m tests.lint_lines
	$(NODE_BIN)/eslint --config .ci/eslint.config.mjs static/js
	$(NODE_BIN)/stylelint --config .ci/stylelint.config.mjs "static/css/*.css"
	$(BIN)/mypy
	PYTHONPATH=. $(BIN)/lint-imports
	$(BIN)/python manage.py makemigrations --check --dry-run

format: $(VENV)/.test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/djade --target-version 5.2 $$(git ls-files 'templates/*.html')

lock: $(VENV)/.test
	$(BIN)/uv pip compile --quiet --generate-hashes --universal --python-version 3.11 --no-header \
		--output-file requirements.lock requirements.txt

licences: $(VENV)/.test
	$(BIN)/python -m tests.operations.licences > docs/admin/licences.md

update: $(VENV)/.test
	@$(BIN)/python -m tests.operations.outdated

messages: $(VENV)/.test
	$(BIN)/python manage.py check_translations --update

clean:
	rm -rf $(VENV) var staticfiles

.ci/node_modules/.installed: .ci/package-lock.json
	@command -v npm >/dev/null || sh docs/admin/system-packages.sh nodejs npm
	@cd .ci && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

$(VENV)/.run: requirements.lock
	@sh docs/admin/system-packages.sh $(RUN_PACKAGES)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

$(VENV)/.docs: requirements-docs.txt $(VENV)/.run
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-docs.txt
	@touch $@

$(VENV)/.test: requirements.txt requirements-dev.txt requirements-docs.txt $(VENV)/.run
	@sh docs/admin/system-packages.sh $(TEST_PACKAGES)
	@sh docs/admin/system-packages.sh chromium-headless-shell || echo "Without it browser tests take twice as long, with chromium."
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@
