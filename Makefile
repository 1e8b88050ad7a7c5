# Two commands are all that is needed: `make run` and `make test`. Both install what is missing first.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help run build test test-example test-browser test-packages replicas testssl deb tarball image pictures bench gate growth soak slowclients fuzz libfuzzer timing durability clocks mutants conformance docs lint format sanitize dependencies

# What the system has to provide: the HTTP server's library and the client's, QR codes, SQLite, and what the
# tests call. libcurl comes in flavours whose -dev packages exclude each other: any that is there will do.
DEBIAN_PACKAGES := libmicrohttpd-dev libcurl4-gnutls-dev libqrencode-dev libsqlite3-dev libjemalloc-dev pkg-config
TEST_PACKAGES := curl openssl elfutils python3 python3-venv chromium-headless-shell chromium
# What makes packages, and what looks at them.
PACKAGING_PACKAGES := dpkg-dev binutils git python3 ca-certificates
# What tells which functions serve.
ORDERING_PACKAGES := qemu-user binutils python3
# What counts instructions.
COUNTING_PACKAGES := qemu-user python3
REPLICA_TEST_PACKAGES := haproxy openssl python3
TLS_TEST_PACKAGES := testssl.sh openssl python3
PACKAGE_TEST_PACKAGES := $(PACKAGING_PACKAGES) openssl systemd lintian haproxy

# Where nothing is built a second time: each room is compiled in one go, its interface along with the rest, and nothing is written
# for debuggers. Batches, which Swift's package manager asks for, do not go with that, and would be warned of once a room.
# C is optimised all the same: BoringSSL takes a twelfth longer to compile so, and a fifth of the journeys' time went to its
# hashes and keys.
C_OPTIMISATION := -O1
ONCE_FLAGS := -debug-info-format none -Xswiftc -disable-batch-mode -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2 \
  -Xswiftc -no-emit-module-separately-wmo -Xcc $(C_OPTIMISATION) -Xcxx $(C_OPTIMISATION)
# ONCE=yes takes a quarter off the first build of the tests, as in CI; later ones take longer by it.
SWIFT_FLAGS := --explicit-target-dependency-import-check error $(if $(ONCE),$(ONCE_FLAGS))
# Every room that has tests, in the order of Package.swift: the journeys last.
TESTED_ROOMS := $(shell sed -n 's/.*name: "\([A-Za-z]*\)Tests".*/\1/p' Package.swift)
EXAMPLE := Tests/Examples/SignInTests
# Tests that wait for something that does not come would wait for ever, and nobody would hear for what.
WATCHED := python3 -B Tests/Watch/watched.py 20
SOURCES := Package.swift Sources Tests
# The shortest way to a first page: nothing is optimised, and nothing is written for editors either. In a folder of its
# own, since these flags are not those of the tests.
RUN_FLAGS := --scratch-path .build/run --disable-index-store $(ONCE_FLAGS)
# What C++ is compiled with there (CC says how), unless another compiler is asked for: the toolchain's own, which is not
# everywhere the first in PATH.
STANDARD_HEADERS := $(CURDIR)/.build/standard-headers.pch
ifneq ($(ONCE)$(filter run,$(MAKECMDGOALS)),)
ifeq ($(origin CC),default)
CLANG := $(shell swiftc -print-target-info 2>/dev/null | sed -n 's,.*"runtimeResourcePath": "\(.*\)/lib/swift".*,\1/bin/clang,p')
ifneq ($(wildcard $(CLANG)),)
export CC := $(CURDIR)/.packaging/cc
export CLANG STANDARD_HEADERS
dependencies: $(STANDARD_HEADERS)
endif
endif
endif
# The functions that serve lie side by side in the release program, which needs less memory by that: this says which they
# are, made by a run of the program itself.
ORDER := $(CURDIR)/.build/release.order
# Swift's runtime goes into the release program; what has to be relocated when it starts is packed; its functions are not
# exported, since nobody links with it, and each is a section of its own, so that the linker can put them into an order. What
# one room calls of another or of a package may be compiled into it: a page takes a tenth less by that. The
# build folder is named `.`: C writes its path wherever it says in which file something went wrong, and debuggers are told it.
RELEASE_FLAGS := -c release --static-swift-stdlib \
  -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic \
  -Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -cross-module-optimization \
  -Xlinker --symbol-ordering-file=$(ORDER) -Xlinker --no-warn-symbol-ordering \
  -Xcc -ffile-prefix-map=$(CURDIR)=. -Xcxx -ffile-prefix-map=$(CURDIR)=. -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=.
# What drives Chromium, and axe-core's rules of accessibility.
BROWSER_PYTHON := .build/browser/python/bin/python
# All: nearly every room calls C or has a lock. Not the journeys, which play again what the rooms do and would take an
# hour of the thread sanitizer. For CI those two to which C hands what came over a socket, built without the others, under
# the thread sanitizer alone: a minute. One test after the other: each has its threads, and beside all others at once what
# is slowed down twenty times is cut for want of time.
SANITIZED_ROOMS := $(if $(filter --small,$(ARGS)),MicroHTTPServer HTTPClientTransport,$(filter-out Journey,$(TESTED_ROOMS)))
SANITIZERS := $(if $(filter --small,$(ARGS)),thread,address thread)

# The rooms whose code the documentation describes: all in Swift but MicroHTTPServer, since Swift 6.3's
# symbolgraph-extract crashes on the C structures in it.
DOCUMENTED_ROOMS := $(filter-out MicroHTTPServer,$(sort $(patsubst Sources/%/,%,$(dir $(wildcard Sources/*/*.swift)))))

# What the journeys ask the emulator and are answered, and what compares that with Clerk's description; what pages and
# backstage answer them, and what compares that with the program's own.
RECORDS := $(CURDIR)/.build/conformance/records
CONFORMANCE := python3 -B Tests/Conformance/test_runner.py && \
  python3 -B Tests/Conformance/conformance.py $(RECORDS) .build/debug/vestibule && \
  python3 -B Tests/Conformance/described.py $(RECORDS)/described .build/debug/vestibule

help: ## This list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 15

run: dependencies ## Build and start it: http://localhost:8080 (options: make run ARGS="--port 8081")
	@[ -d .build/run ] || echo "The first time, this builds for some minutes; [done/all] shows how far it is."
	swift build $(RUN_FLAGS) --product vestibule
	@.build/run/debug/vestibule $(ARGS)

build: dependencies ## Build the release program, .build/release/vestibule
	@mkdir -p .build && { [ -f $(ORDER) ] || touch -d @0 $(ORDER); }
	@export VESTIBULE_COMMIT="$$(git describe --always --dirty=+ --abbrev=12 --exclude '*' 2>/dev/null)"; set -e; \
	swift build $(RELEASE_FLAGS) --product vestibule; \
	if command -v python3 >/dev/null; then \
	  python3 -B .packaging/order.py .build/release/vestibule $(ORDER) swift build $(RELEASE_FLAGS) --product vestibule; \
	fi

test: TEST_PREREQUISITES := $(TEST_PACKAGES)
test: dependencies ## Build everything and run every test
	swift build --build-tests $(SWIFT_FLAGS)
	@# One room after another: the rooms that measure deadlines must not wait for the others' work.
	@rm -rf $(RECORDS)
	@python3 -B Tests/Watch/test_watched.py
	@set -e; for room in $(TESTED_ROOMS); do \
	  echo "== $$room"; \
	  VESTIBULE_RECORD=$(RECORDS) \
	    $(WATCHED) swift test --skip-build --disable-xctest --filter "^$${room}Tests\."; \
	done
	@echo "== Conformance"
	@$(CONFORMANCE)
	@echo "== Example"
	@$(MAKE) --no-print-directory test-example
	@echo "== Browser"
	@$(MAKE) --no-print-directory test-browser

# A package that uses this one, built by its own Package.swift. It shares the tests' build folder, where all that it
# depends on is compiled already, with the same versions. SwiftPM keeps one plan there and does not see that it is another
# package's, so the plan goes, before and after.
test-example: dependencies ## Build and run the example of tests in a package of their own (after a build)
	@cp Package.resolved $(EXAMPLE)/Package.resolved
	@rm -f .build/debug.yaml
	swift build --package-path $(EXAMPLE) --scratch-path .build --build-tests $(SWIFT_FLAGS)
	$(WATCHED) swift test --package-path $(EXAMPLE) --scratch-path .build --skip-build --disable-xctest
	@rm -f .build/debug.yaml

test-browser: TEST_PREREQUISITES := $(TEST_PACKAGES)
test-browser: dependencies $(BROWSER_PYTHON) ## Look at the pages of the debug program in Chromium (after a build)
	@$(WATCHED) $(BROWSER_PYTHON) -B -m pytest -q -n 3 --dist worksteal -p no:cacheprovider Tests/Browser

pictures: TEST_PREREQUISITES := $(TEST_PACKAGES) fonts-noto-cjk
pictures: dependencies $(BROWSER_PYTHON) ## Take the README's two pictures (after a build)
	@$(BROWSER_PYTHON) -B Tests/Browser/pictures.py

$(BROWSER_PYTHON): Tests/Browser/requirements.txt
	@python3 -m venv --clear .build/browser/python
	@$@ -m pip install -q --disable-pip-version-check -r $<

deb tarball image: TEST_PREREQUISITES := $(PACKAGING_PACKAGES) $(ORDERING_PACKAGES)
deb: build ## Make the Debian package, .build/packages/*.deb
tarball: build ## Make one folder that runs on any Debian 12, .build/packages/*.tar.gz
image: build ## Make an OCI image without a container engine, .build/packages/*image*
deb tarball image:
	@python3 -B .packaging/make.py $@ $(ARGS)

test-packages: TEST_PREREQUISITES := $(PACKAGE_TEST_PACKAGES) $(if $(VESTIBULE_PROGRAM),,$(ORDERING_PACKAGES))
test-packages: $(if $(VESTIBULE_PROGRAM),dependencies,build) ## Make each package, install it into an empty root, sign in there (VESTIBULE_PROGRAM: another program)
	@python3 -B -m unittest discover -s Tests/Packages

replicas: TEST_PREREQUISITES := $(REPLICA_TEST_PACKAGES)
replicas: $(if $(VESTIBULE_PROGRAM),dependencies,build) ## Kill, stop and rekey replicas behind HAProxy amid 500 flows (VESTIBULE_FLOWS: as many; VESTIBULE_PROGRAM)
	@python3 -B -m unittest discover -s Tests/Replicas

testssl: TEST_PREREQUISITES := $(TLS_TEST_PACKAGES)
testssl: $(if $(VESTIBULE_PROGRAM),dependencies,build) ## Look at the program's own HTTPS with testssl.sh (VESTIBULE_PROGRAM: another program)
	@python3 -B -m unittest discover -s Tests/TLS

bench: build ## Measure the release program beside others, as ratios (options: make bench ARGS="--only pages")
	@python3 -B Tests/Benchmarks/bench.py $(ARGS)

gate: TEST_PREREQUISITES := $(COUNTING_PACKAGES)
gate: $(if $(VESTIBULE_PROGRAM),dependencies,build) ## Hold what pages and sign-ins cost against regressions (ARGS="--build debug": of the debug program, after its build)
	@python3 -B Tests/Benchmarks/gate.py $(ARGS)

# What is measured for long or tried at random, each against the release program or the one that VESTIBULE_PROGRAM names;
# ARGS=--small is what CI has.
BUILT := $(if $(VESTIBULE_PROGRAM),,build)

growth: $(BUILT) ## Hold what is asked against growing with 100,000 accounts or 2,000 worlds
	@python3 -B Tests/Benchmarks/growth.py $(ARGS)

soak: $(BUILT) ## A million mixed requests over each API: memory, descriptors, no fault (half an hour)
	@python3 -B Tests/Benchmarks/soak.py $(ARGS)

slowclients: $(BUILT) ## Thousands of slow clients at once: nobody else waits, each is closed at its deadline
	@python3 -B Tests/Benchmarks/slow_clients.py $(ARGS)

fuzz: $(BUILT) ## Send what nobody sensible sends: a minute of each kind, 100,000 posts, both APIs
	@python3 -B Tests/Fuzzing/fuzz.py $(ARGS)

# Swift's own linker for this, gold, gives up on what libFuzzer brings.
libfuzzer: dependencies ## Let libFuzzer look for bytes that break what reads them, a minute for each target (ARGS="--only form")
	VESTIBULE_ROOM=Fuzzing swift build --product Fuzzing --scratch-path .build-fuzzing --sanitize=address \
	  -Xswiftc -sanitize=fuzzer -Xswiftc -use-ld=lld
	@python3 -B Tests/Fuzzing/libfuzzer.py $(ARGS)

timing: $(BUILT) ## Look whether times or answers tell who has an account, where an instance hides it (twenty minutes)
	@python3 -B Tests/Benchmarks/timing.py $(ARGS)

durability: $(BUILT) ## Kill it amid a thousand sign-ups, fill its disk, tear its log
	@python3 -B Tests/Benchmarks/durability.py $(ARGS)

clocks: $(BUILT) ## Move the world's clock and the machine's under it, up to 2038 and back
	@python3 -B Tests/Benchmarks/clocks.py $(ARGS)

mutants: dependencies ## Remove the guards of requirements one by one: their tests have to notice (half an hour)
	@python3 -B Tests/Mutants/mutants.py $(ARGS)

conformance: TEST_PREREQUISITES := $(TEST_PACKAGES)
conformance: dependencies ## Compare answers with OpenAPI descriptions: emulator and client with Clerk's, pages and backstage with ours
	swift build --build-tests $(SWIFT_FLAGS)
	@rm -rf $(RECORDS)
	VESTIBULE_RECORD=$(RECORDS) swift test --skip-build --disable-xctest --filter "^JourneyTests\."
	@$(CONFORMANCE)

# One archive for all rooms, so that a comment in one may link the notes of another.
docs: dependencies ## Build the documentation, .build/docs; dead links fail
	swift build $(SWIFT_FLAGS)
	@rm -rf .build/docs .build/docs-input && mkdir -p .build/docs-input/Vestibule.docc .build/docs-input/symbols
	@cp Sources/*/*.docc/*.md .build/docs-input/Vestibule.docc
	@triple=$$(basename "$$(dirname "$$(readlink .build/debug)")"); \
	modules=$$(ls -d Sources/C*/module.modulemap .build/debug/*.build/module.modulemap \
	  .build/checkouts/*/Sources/*/module.modulemap .build/checkouts/*/Sources/*/include/module.modulemap 2>/dev/null \
	  | sed 's,^,-I ,; s,/module.modulemap$$,,'); \
	set -e; for room in $(DOCUMENTED_ROOMS); do \
	  swift symbolgraph-extract -module-name $$room -target $$triple -I .build/debug/Modules $$modules \
	    -minimum-access-level internal -skip-synthesized-members -skip-inherited-docs \
	    -output-dir .build/docs-input/symbols; \
	done
	@docc convert .build/docs-input/Vestibule.docc --additional-symbol-graph-dir .build/docs-input/symbols \
	  --fallback-display-name Vestibule --fallback-bundle-identifier vestibule \
	  --warnings-as-errors --output-path .build/docs
	@echo "To read it: python3 -m http.server --bind 127.0.0.1 --directory .build/docs 8000,"
	@echo "then http://127.0.0.1:8000/documentation/vestibule/"

# What a clone begins with: a picture or a log that was left there is soon committed with the rest.
TOP_LEVEL := .gitignore .swift-format CHANGELOG.md CONTRIBUTING.md LICENSE Makefile Package.swift README.md SECURITY.md

lint: ## Check the style of the code, and that nothing was left in the top folder
	@strays="$$(git ls-files | grep -v / | grep -vxF $(TOP_LEVEL:%=-e %))"; \
	if [ -n "$$strays" ]; then echo "What does not belong into the top folder:" $$strays; exit 1; fi
	swift format lint --strict --parallel --recursive $(SOURCES)

format: ## Bring the code into style
	swift format --in-place --parallel --recursive $(SOURCES)

sanitize: dependencies ## Run the tests of all rooms under the address and the thread sanitizer (an hour; ARGS=--small: two rooms under the second)
	@set -e; rooms="$(SANITIZED_ROOMS)"; export VESTIBULE_ALLOCATOR=system; \
	if [ "$(ARGS)" = --small ]; then export VESTIBULE_ROOM="$${rooms// /,}"; fi; \
	export LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/Sanitizers/leaks.txt:print_suppressions=0; \
	for sanitizer in $(SANITIZERS); do \
	  folder=".build-$$sanitizer$(ARGS)"; \
	  swift build --build-tests $(SWIFT_FLAGS) --sanitize=$$sanitizer --scratch-path "$$folder"; \
	  for room in $$rooms; do \
	    echo "== $$room, $$sanitizer sanitizer"; \
	    swift test --skip-build --disable-xctest --no-parallel --sanitize=$$sanitizer --scratch-path "$$folder" \
	      --filter "^$${room}Tests\."; \
	  done; \
	done

# With the flags that BoringSSL is compiled with there.
$(STANDARD_HEADERS):
	@mkdir -p $(@D)
	@printf '#include <%s>\n' algorithm array iterator memory string_view type_traits utility stdlib.h string.h \
	  | $(CLANG) -std=c++17 $(C_OPTIMISATION) -g0 -fPIC -fblocks -fno-omit-frame-pointer -x c++-header -o $@ - || echo "C++ is compiled without $@."

dependencies:
	@command -v swift >/dev/null || { \
	  echo "Swift is missing: install Swift 6.2 or newer from https://www.swift.org/install"; exit 1; }
	@missing=""; \
	for package in $(DEBIAN_PACKAGES) $(TEST_PREREQUISITES); do \
	  dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'ok installed' \
	    || { [ "$$package" = libcurl4-gnutls-dev ] && { pkg-config --exists libcurl 2>/dev/null \
	      || dpkg-query -W -f='$${Status}\n' 'libcurl4-*-dev' 2>/dev/null | grep -q 'ok installed'; }; } \
	    || { [ "$$package" = python3-venv ] && python3 -c 'import ensurepip' 2>/dev/null; } \
	    || { [ "$$package" != python3-venv ] && [ "$${package%-dev}" = "$$package" ] && command -v $$package >/dev/null; } \
	    || missing="$$missing $$package"; \
	done; \
	[ -z "$$missing" ] && exit 0; \
	command -v apt-get >/dev/null || { \
	  echo "Missing:$$missing. This is no Debian system: install their like by hand."; exit 1; }; \
	if [ "$$(id -u)" = 0 ]; then as_root=""; \
	elif command -v sudo >/dev/null; then as_root=sudo; \
	else echo "Missing:$$missing. Run as root: apt-get install$$missing"; exit 1; fi; \
	echo "Installing Debian packages:$$missing"; \
	{ $$as_root apt-get update -qq && \
	  $$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-remove $$missing >/dev/null; } \
	  || { echo "apt-get could not install$$missing (see above); nothing was built."; exit 1; }
