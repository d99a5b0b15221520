# Meson and ninja build (meson.build); this file is the short way to what one does often.  `make help` lists it.

BUILD   ?= build
SECONDS ?= 600# of each fuzz target
TESTS   ?=# meson suites: unit, e2e, long, lint; empty: all but long

SUITES = $(TESTS:%=--suite %)
FUZZ   = -Dfuzz=true -Db_sanitize=address,undefined -Db_lundef=false -Doptimization=2

all: $(BUILD)/build.ninja
	ninja -C $(BUILD) cuzk

help:
	@echo 'make              build $(BUILD)/cuzk (needs what tools/install_deps build installs)'
	@echo 'make demo         install what is missing, build, prove real circuits on both curves'
	@echo 'make check        install what is missing, build, run the tests; TESTS="unit e2e" picks suites'
	@echo 'make bench        time it'
	@echo 'make install      install cuzk (PREFIX, DESTDIR)'
	@echo 'make format       lay out the C sources (clang-format 14)'
	@echo 'make lint         room law, clang build, clang-tidy, cppcheck'
	@echo 'make check-clang  the tests of a clang 14 build'
	@echo 'make check-asan   the tests under address and undefined-behaviour sanitizers, bounds checked'
	@echo 'make check-valgrind'
	@echo 'make fuzz         each parser for SECONDS=$(SECONDS); TARGETS="json" picks some'
	@echo 'make check-bare   demo and check in a fresh Debian 12 (root)'
	@echo 'make nightly      everything above, and the long tests'

# --- build folders ---------------------------------------------------------------------------------------------------

$(BUILD)/build.ninja:
	meson setup $(BUILD) --prefix=$(or $(PREFIX),/usr/local)
build-clang/build.ninja:
	CC=clang-14 meson setup build-clang
build-asan/build.ninja:
	meson setup build-asan -Dverify=true -Db_sanitize=address,undefined -Doptimization=1
build-valgrind/build.ninja:
	meson setup build-valgrind -Dvalgrind=true -Dverify=true -Doptimization=2
build-fuzz/build.ninja:
	CC=clang-14 meson setup build-fuzz $(FUZZ)

# --- tests -----------------------------------------------------------------------------------------------------------

deps:
	@tools/install_deps build test
deps-%:
	@tools/install_deps build test $*

demo: deps
	@$(MAKE) --no-print-directory all
	@tools/demo

# With CI set, also what one submission is held to: a clang build with the unit tests, a moment of each fuzz target.
check: deps $(if $(CI),deps-clang deps-fuzz)
	@$(MAKE) --no-print-directory $(BUILD)/build.ninja $(if $(CI),build-clang/build.ninja build-fuzz/build.ninja)
	@tools/run_tests $(or $(SUITES),--no-suite long) $(BUILD) $(if $(CI),build-clang:unit build-fuzz)

check-clang: deps-clang
	@$(MAKE) --no-print-directory build-clang/build.ninja
	@tools/run_tests $(or $(SUITES),--no-suite long) build-clang
check-asan: deps
	@$(MAKE) --no-print-directory build-asan/build.ninja
	@tools/run_tests $(or $(SUITES),--no-suite long) build-asan
check-valgrind: deps-valgrind
	@$(MAKE) --no-print-directory build-valgrind/build.ninja
	@tools/run_tests $(or $(SUITES),--no-suite long) build-valgrind
check-bare:
	@tools/install_deps bare
	@tools/try_bare_debian

fuzz: deps-fuzz
	@$(MAKE) --no-print-directory build-fuzz/build.ninja
	@tools/run_fuzz build-fuzz $(SECONDS) $(TARGETS)

nightly: deps-clang deps-fuzz deps-valgrind deps-lint
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory $(BUILD)/build.ninja build-clang/build.ninja build-asan/build.ninja build-valgrind/build.ninja
	@tools/run_tests $(BUILD) build-clang build-asan build-valgrind
	@$(MAKE) --no-print-directory fuzz

bench: deps
	@$(MAKE) --no-print-directory $(BUILD)/build.ninja
	@meson test -C $(BUILD) --benchmark --verbose

# --- sources ---------------------------------------------------------------------------------------------------------

C_FILES = $(shell find include src cli tests bench fuzz \( -name node_modules -prune -o -name '*.[ch]' \) -type f)

format: deps-format
	clang-format-14 -i $(C_FILES)

lint: deps-lint
	@tools/check_rooms
	@$(MAKE) --no-print-directory build-clang/build.ninja
	@meson compile -C build-clang
	@tools/lint build-clang

install: all
	meson install -C $(BUILD) --no-rebuild

clean:
	rm -rf build build-clang build-asan build-valgrind build-fuzz

.PHONY: all help deps demo check check-clang check-asan check-valgrind check-bare fuzz nightly bench format lint \
        install clean
