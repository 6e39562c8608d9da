# Everything a person needs is one word. `make help` lists them.
#
# The recipes quote every path: the clone, PREFIX and DESTDIR may hold spaces.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:

PREFIX ?= /usr/local
DESTDIR ?=

SWIFT ?= swift
# Installed programs carry the Swift runtime: they work where no toolchain is.
RELEASE_FLAGS := -c release --static-swift-stdlib
# One set of flags for everything that builds in the debug folder, so that it is built once.
DEBUG_FLAGS := --build-tests
FORMATTED := Package.swift Sources Tests Examples Templates Fuzz
BENCH_FLAGS ?=

.PHONY: help
help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' Makefile

.PHONY: dependencies
dependencies: ## Install the Debian packages that are missing (root or password-less sudo)
	@Scripts/dependencies

.PHONY: test-dependencies
test-dependencies:
	@Scripts/dependencies --test

# What a person meets who builds without Swift, or in a clone that somebody else has built in.
.PHONY: toolchain
toolchain:
	@SWIFT="$(SWIFT)" Scripts/dependencies --toolchain

.PHONY: debug
debug: toolchain
	@$(SWIFT) build $(DEBUG_FLAGS)

.PHONY: release
release: toolchain
	@$(SWIFT) build $(RELEASE_FLAGS)

.PHONY: build
build: debug release ## Build everything, in the debug and the release configuration

.PHONY: examples
examples: release ## Assemble the example keyboards as bundles in dist/
	@Examples/assemble.sh .build/release dist

.PHONY: test
test: test-dependencies build examples ## Build, install into a throw-away prefix, run all tests (as root: as both users)
	@Scripts/test

.PHONY: test-all
test-all: export KEYHOST_FULL = 1
test-all: export FUZZ_SECONDS ?= 600
test-all: lint test fuzz sanitize bench ## `test` with lint, a long fuzz, sanitizers, measurements

.PHONY: fuzz
fuzz: ## Fuzz the readers and the host's core for FUZZ_SECONDS (default 60) together
	@Scripts/fuzz

.PHONY: sanitize
sanitize: build examples ## Run the tests under the address and the thread sanitizer
	@Scripts/sanitize

.PHONY: demo
demo: dependencies release examples ## Type through a sandboxed keyboard, and see one refused
	@Examples/demo.sh

.PHONY: bench
bench: release examples ## Measure against a raw pipe, a plain spawn and bwrap (BENCH_FLAGS=--json)
	@Scripts/dependencies --bench
	@Scripts/bench $(BENCH_FLAGS)

.PHONY: install
install: release ## Install under PREFIX (default /usr/local); DESTDIR is honoured
	@prefix="$(DESTDIR)$(PREFIX)"; [[ "$$prefix" == /* ]] || prefix="$$PWD/$$prefix"; \
	  echo "Installing Keyhost under $$prefix."; \
	  Scripts/install "$$prefix"; \
	  echo "Installed Keyhost under $$prefix: $$prefix/bin/keyhost."

.PHONY: uninstall
uninstall: ## Remove what `install` put under PREFIX; what users have stays
	@prefix="$(DESTDIR)$(PREFIX)"; [[ "$$prefix" == /* ]] || prefix="$$PWD/$$prefix"; \
	  Scripts/uninstall "$$prefix"

.PHONY: format
format: ## Rewrite the Swift sources in the house style
	@$(SWIFT) format format --in-place --recursive --parallel $(FORMATTED)

.PHONY: lint
lint: ## Fail on what the house style forbids (warnings are errors in every build)
	@$(SWIFT) format lint --strict --recursive --parallel $(FORMATTED)
	@Scripts/lint

.PHONY: clean
clean: ## Remove everything that was built
	@rm -rf -- .build dist
