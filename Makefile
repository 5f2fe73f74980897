# Plain `make` prints the verbs.  Everything happens in $(VENV), which `make` creates.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup demo demo-rag demo-bench demo-risk test test-long check bench docs pictures figures lessons report-assets clean

VENV ?= .venv
WORKERS ?= 2
BIN := $(VENV)/bin
# The first interpreter that runs at all and is new enough: a name on the PATH may be neither.
PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$name" && break; done)
BUILD_INPUTS := pyproject.toml setup.py $(wildcard src/veridical/kernels/compiled/*.pyx src/veridical/kernels/compiled/*.pxd)
# One thread each for numpy and friends: the workers already fill the cores.
PYTEST := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 PYTHONHASHSEED=0 $(BIN)/python -m pytest -q -n $(WORKERS) --dist loadgroup

define DEMO_WORDS
What one sees: logistic regression ranks the denials a little better than boosting (ROC-AUC 0.82
against 0.80), but on these 2,380 rows that difference may be chance, and so may the one in cost.
For Black applicants the probabilities of both models are further off than noise explains (ECE),
although race was not among the features: open the report, and move the threshold.
endef
export DEMO_WORDS

define DEMO_RAG_WORDS
What one sees: the pipeline finds 85% of the pages that it should (recall), and all that it says
stands on them (groundedness 1.00), for it only quotes. Yet it finds a quotation for 4 of the 10
questions that no page answers, refuses 7 of 40 that one does answer, and in 1 of 10 attacks it
passes on what the attacker wrote into a page. With so few cases the gate calls the last two
undecided. The judge compares words and is weak: the report shows for each claim what it went by.
endef
export DEMO_RAG_WORDS

define DEMO_BENCH_WORDS
What one sees: the reference agent, which applies every rule, is right wherever the files allow one
answer. Who only adds up what a statement shows (naive) is wrong on a third of the cases and says so
on none. Who copies the printed closing balance does better than that and still never warns, and who
flags everything recalls all problems and cries wolf in every clean case: no figure is read alone.
endef
export DEMO_BENCH_WORDS

define DEMO_RISK_WORDS
What one sees: neither model meets the metric standard, and the report says which of the rules that are
met could not fail. The year is simulated, with a drift from August on: the index passes 0.25, one
request to retrain goes out, and no month after it sends another. The three banks tell of no fewer
than ten rows of a class; what that leaves open of the pooled figures is in their certified bounds.
endef
export DEMO_RISK_WORDS

help: ## print these verbs
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' Makefile

setup: $(VENV)/dev.stamp ## create the environment with everything that developing needs

demo: $(VENV)/runtime.stamp ## evaluate real mortgage decisions and write out/report.html
	@mkdir -p out
	$(BIN)/veridical evaluate examples/credit/hmda_scores.csv --label denied \
	  --score p_logistic --score p_boosting --id application_id --group black \
	  --cost-fn 1000 --cost-fp 200 --cost-review 20 \
	  --policy metric-standard --report out/report.html
	@printf '\n%s\n' "$$DEMO_WORDS" "The report: $(CURDIR)/out/report.html"

demo-rag: $(VENV)/judge.stamp ## ask a small pipeline 60 questions, judge it, and write out/rag/report.html
	@rm -rf out/rag
	$(BIN)/veridical rag init out/rag
	@# The judge is on this machine, and goes when the recipe does, however that ends.
	@exec 3< <(exec $(BIN)/veridical rag serve-mock --port 0 2>/dev/null); trap "kill $$!" EXIT; \
	  read -r VERIDICAL_JUDGE_BASE_URL <&3; export VERIDICAL_JUDGE_BASE_URL VERIDICAL_JUDGE_MODEL=lexical; \
	  shown() { printf '\n$$ %s\n' "$$*" >&2; "$$@"; }; \
	  export PATH="$(abspath $(BIN)):$$PATH"; cd out/rag; \
	  shown veridical rag validate; \
	  shown veridical rag run --name demo; \
	  shown veridical rag report demo --report report.html >/dev/null; \
	  shown veridical rag gate demo || [ $$? = 1 ]
	@printf '\n%s\n' "$$DEMO_RAG_WORDS" "The report: $(CURDIR)/out/rag/report.html"

demo-bench: $(VENV)/runtime.stamp ## let four agents reconcile 60 sets of bank files, and write out/bench/report.html
	@rm -rf out/bench && mkdir -p out/bench
	@shown() { printf '\n$$ %s\n' "$$*" >&2; "$$@"; }; \
	  export PATH="$(abspath $(BIN)):$$PATH"; cd out/bench; \
	  for agent in reference naive gullible flag_all; do \
	    shown veridical bench run --agent $$agent --output $$agent.jsonl; done; \
	  shown veridical bench compare reference.jsonl naive.jsonl; \
	  shown veridical bench report ./*.jsonl --report report.html >report.txt; \
	  shown veridical bench score ./*.jsonl
	@printf '\n%s\n' "$$DEMO_BENCH_WORDS" "The report: $(CURDIR)/out/bench/report.html"

demo-risk: $(VENV)/runtime.stamp ## validate two credit models, watch one for a year, pool three banks: out/risk
	@rm -rf out/risk
	$(BIN)/python examples/model-risk/prepare.py out/risk
	@shown() { printf '\n$$ %s\n' "$$*" >&2; "$$@"; }; \
	  export PATH="$(abspath $(BIN)):$$PATH"; cd out/risk; \
	  for model in hmda loans; do shown veridical validate $$model.yaml --report $$model.html || [ $$? = 1 ]; done; \
	  shown veridical monitor start loans loans-development.csv --column p_logistic; \
	  for month in 01 02 03 04 05 06 07 08 09 10 11 12; do \
	    veridical monitor observe loans month-$$month.csv --period 2026-$$month >/dev/null; done; \
	  shown veridical monitor dispatch loans; \
	  shown veridical monitor report loans --report monitor.html; \
	  for bank in 1 2 3; do shown veridical summarise bank-$$bank.csv --label bad --score p_logistic \
	    --min-cell 10 -o bank-$$bank.summary; done; \
	  shown veridical merge bank-1.summary bank-2.summary bank-3.summary
	@printf '\n%s\n' "$$DEMO_RISK_WORDS" "The reports: $(CURDIR)/out/risk/hmda.html, loans.html and monitor.html"

test: $(VENV)/dev.stamp ## doctests and tests, without the long ones
	$(PYTEST)

test-long: $(VENV)/dev.stamp ## the long ones: coverage by simulation, large random campaigns
	HYPOTHESIS_PROFILE=long $(PYTEST) -m long

check: $(VENV)/dev.stamp ## format, lint, types, layers, and the data files that are shipped
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -q tests/architecture/test_shipped_files.py

bench: .bench/bench.stamp ## speed and memory beside other libraries, ten minutes (TORCH=1: torchmetrics too)
	@for script in benchmarks/*_bench.py; do echo "$$script"; .bench/bin/python "$$script"; done
	@.bench/bin/python benchmarks/write_results.py && echo benchmarks/RESULTS.md

docs: $(VENV)/dev.stamp ## build the documentation site, out/site (needs node and npm)
	$(BIN)/python tools/docs.py

pictures: $(VENV)/dev.stamp ## redraw the README's pictures from real output (needs chromium)
	$(BIN)/python tools/pictures.py

figures: $(VENV)/dev.stamp ## draw the figures of the lessons again, into docs/figures
	$(BIN)/python tools/figures.py

lessons: $(VENV)/runtime.stamp ## how you know whether a model is any good: a walk-through in the terminal
	$(BIN)/veridical learn metrics
	@$(BIN)/veridical learn

report-assets: ## rebuild the report's chart bundle (needs node and npm)
	cd frontend && npm ci && npm run build

clean: ## remove what was built, the environment included
	rm -rf $(VENV) .bench build dist out src/*.egg-info .pytest_cache .mypy_cache .ruff_cache \
	  .hypothesis .import_linter_cache src/veridical/kernels/compiled/*.so src/veridical/kernels/compiled/*.c
	find src tests benchmarks examples tools -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/python.stamp:
	@test -n "$(PYTHON)" || { echo "veridical needs Python 3.11 or newer; none was found." \
	  "Name one: make PYTHON=/path/to/python3" >&2; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { echo "$(PYTHON) has no venv module." \
	  "On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	"$(PYTHON)" -m venv $(VENV)
	@# 25.1 is the first pip that installs a dependency group.
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	@touch $@

$(VENV)/runtime.stamp: $(VENV)/python.stamp $(BUILD_INPUTS)
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/judge.stamp: $(VENV)/runtime.stamp
	$(BIN)/python -m pip install --quiet --editable '.[judge]'
	@touch $@

$(VENV)/dev.stamp: $(VENV)/runtime.stamp
	$(BIN)/python -m pip install --quiet --group dev
	@touch $@

.bench/bench.stamp: benchmarks/requirements.txt $(BUILD_INPUTS)
	@# An environment of its own: the peers are no dependencies, not even of the tests.
	"$(PYTHON)" -m venv .bench
	.bench/bin/python -m pip install --quiet --editable . --requirement benchmarks/requirements.txt \
	  $(if $(TORCH),--requirement benchmarks/requirements-torch.txt)
	@touch $@
