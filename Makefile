# Bare `make` lists what there is to do. Each target sets up what it needs first.
PYTHON ?= $(firstword $(foreach name,python3 python3.14 python3.13 python3.12 python3.11 python,$(shell \
  $(name) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2> /dev/null && echo $(name))))
BIN := .venv/bin
ENV := .venv/ready
NOTEBOOKS := $(wildcard notebooks/*/*.ipynb)
PACKAGES := $(wildcard packages/*)
PROJECTS := pyproject.toml $(PACKAGES:%=%/pyproject.toml) teaching/pyproject.toml
# Where this is set, as in many images, each of some hundred processes would compile all it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help book slides pdf browser bundle test sweep test-teaching check chapter learn lab serve fmt outputs bench extrapolate real-model lock clean

help: ## list what there is to do
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-13s %s\n", $$1, $$2}' Makefile

book: browser ## build the site in _build/html (LIVE=0: without live cells and JupyterLite)
	@echo "Building the site; notebooks that changed are run ..."
	@$(BIN)/jupyter-book build . -W -n --keep-going
	@echo "The site is built: open _build/html/index.html, or run 'make serve'."

slides: book ## build the site and say where its slides are (LIVE=0 as in book)
	@echo "The slides are built: open _build/html/slides/index.html."

test: browser ## test what a change can break: units, notebooks, the site in a browser
	@echo "Running the tests: the site is built and looked at, which takes longest ..."
	@$(BIN)/python -m pytest -n auto

sweep: browser ## test the rest: more pages, Firefox, WebKit, the PDF, large tables
	@echo "Running the sweep: more pages, three browsers, the PDF ..."
	@$(BIN)/python -m pytest -n auto -m sweep

test-teaching: $(ENV) ## run all tests of assignments and grader, attacks included
	@$(BIN)/python -m pytest -n auto -m "" teaching/tests

check: $(ENV) ## lint, types, unit tests and the rules of chapters, in two minutes
	@$(BIN)/python -m pytest -q -n auto src/posenc packages/posenc-c* packages/posenc-figures tests/unit tests/checks tests/clinic tests/notebooks tests/tools/test_house.py

chapter: $(ENV) ## test what a chapter can break, spelling and edition included: NAME=encoding-class
	@$(BIN)/codespell notebooks/*/$(or $(NAME),*).ipynb
	@$(BIN)/python -m pytest -q -n auto notebooks/*/$(or $(NAME),*).ipynb tests/notebooks
	@$(BIN)/python -m pytest -q -m "" tests/tools/test_learn.py -k "$(or $(NAME),/)"

learn: $(ENV) ## put notebooks to work in, without solutions, into _build/learn
	@$(BIN)/python -m posenc_book.learn _build/learn
	@echo "The notebooks to work in are in _build/learn: 'make lab' opens them."

lab: $(if $(DIR),$(ENV),learn) ## open them in JupyterLab (DIR=notebooks opens the authors' ones)
	@$(BIN)/jupyter lab $(or $(DIR),_build/learn/index.ipynb)

pdf: book ## print the book as one PDF, _build/html/posenc-course.pdf, which the site then offers
	@echo "Printing the book; figures that changed are drawn ..."
	@$(BIN)/python -m posenc_book.paper

browser: $(ENV) ## say which browser draws, prints and tests; fetch one into .runtime if there is none
	@$(BIN)/python -m posenc_book.images.browser

bundle: pdf ## put the site, the slides and the PDF into one zip to take along, _build/posenc-site.zip
	@cd _build && ../$(BIN)/python -m zipfile -c posenc-site.zip html
	@echo "The course is bundled: _build/posenc-site.zip"

serve: book ## show the site on http://localhost:8000
	@$(BIN)/python -m http.server --directory _build/html --bind localhost 8000

fmt: $(ENV) ## format code, notebooks and their metadata
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix . && $(BIN)/python -m posenc_book.format_notebooks $(NOTEBOOKS)
	@$(BIN)/python -m posenc_book.images.look
	@$(BIN)/python -m posenc_book.biome check --write .

outputs: $(ENV) ## run the notebooks and store their outputs
	@$(BIN)/python -m posenc_book.format_notebooks --run $(NOTEBOOKS)

bench: $(ENV) ## measure speed and error of the table, as ratios, as a chapter draws them
	@$(BIN)/python benchmarks/encode.py

extrapolate: $(ENV) ## train the models again whose results chapters draw (an hour; needs PyTorch)
	@$(BIN)/python benchmarks/extrapolate.py notebooks/beyond/extrapolate.json
	@$(BIN)/python benchmarks/train_two_layers.py notebooks/beyond/nope-layers.json
	@$(BIN)/python benchmarks/extrapolate_text.py notebooks/beyond/extrapolate-text.json

real-model: $(ENV) ## measure a released model again whose results a chapter draws (an hour; 95 MB)
	@$(BIN)/python benchmarks/released_model.py notebooks/clinic/real-model.json

lock: $(ENV) ## resolve the dependencies of all projects anew
	@printf 'posenc\nposenc-clinic\n' > .venv/ours  # from their folders, never from an index
	@$(BIN)/uv pip compile --quiet --excludes .venv/ours --universal --python-version 3.11 --group test --generate-hashes \
	  --no-annotate --no-header --upgrade \
	  --output-file requirements.lock $(PROJECTS)

clean: ## remove what was built, but not the environment, nor your answers in _build/learn
	@if [ -d _build ]; then find _build -mindepth 1 -maxdepth 1 ! -name learn -exec rm -rf {} +; fi
	@rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@echo "Removed caches, and from _build everything but _build/learn, where your answers may be."

# The environment: exactly the lock, every file checked by its hash. uv comes first, by pip.
$(ENV): requirements.lock $(PROJECTS)
	@test -n "$(PYTHON)" || { echo "Python 3.11 or later is needed and was not found."; exit 1; }
	@echo "Setting up the environment in .venv ..."
	@$(PYTHON) -m venv .venv
	@awk '/^[a-z]/ {uv = /^uv==/} uv' requirements.lock > .venv/uv.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r .venv/uv.lock
	@$(BIN)/uv pip sync --python $(BIN)/python --require-hashes requirements.lock
	@$(BIN)/uv pip install --python $(BIN)/python --no-deps --no-build-isolation \
	  $(addprefix --editable ,. $(PACKAGES))
	@touch $@
