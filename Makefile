# tracemill - offline analysis of AMD GPU profiler traces
#
#   make demo       install what is missing, build, run a demo on bundled data
#   make check      install what tests need, build plain and with sanitizers, run every test
#   make quick      build and run the unit tests, the command-line cases and the lint: under a minute
#   make            build                      make lint     the house rules, of sources alone
#   make bench      speed beside public tools  make fuzz     every reader for a minute, every sweep whole
#   make scale      how the cost of each command grows: the tables of docs/scale.md
#   make endless    20 GB of each format (BYTES=20000000000), read in a memory that does not grow
#   make coverage   the lines and branches of libanalyze that the tests run
#   make install    tools, man pages, completions, libanalyze; also uninstall, clean
#   make deb        Debian packages        make dist     the source archive
#   make deb-check  installs, runs and removes the packages in a fresh system
#
# Knobs: CC= CFLAGS= LDFLAGS= SANITIZE=address,undefined PREFIX= DESTDIR= SIZE= (bench, scale) BYTES= (endless) SECONDS= (fuzz)

VERSION  = 0.2.0
CC       = gcc
CFLAGS   = -O3 -g
SANITIZE =
PREFIX   = /usr/local
DESTDIR  =
SECONDS  = 60

WARN = -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
       -Wpointer-arith -Wcast-qual -Wvla -Wundef -Wdate-time
STD  = -std=c11 -D_GNU_SOURCE -DTRACEMILL_VERSION='"$(VERSION)"'
LIBS = -lcsv -lsqlite3 -lzstd -lz -lprotobuf-c -liberty -lpthread -ldl -lm

# Position independent, so that one set of objects makes both libraries; nothing is meant to be replaced
# from outside, so calls inside the library stay direct.
PIC  = -fPIC -fno-semantic-interposition

ALL_CFLAGS  = $(STD) $(WARN) $(PIC) $(CFLAGS) $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer -fno-sanitize-recover=all)
ALL_LDFLAGS = $(LDFLAGS) $(if $(SANITIZE),-fsanitize=$(SANITIZE))

# Objects live in a directory named after everything that shapes them: nothing stale is ever linked.
KEY := $(shell printf '%s' '$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS)' | cksum | cut -d' ' -f1)
B   := build/$(KEY)

LIB_C := $(wildcard libanalyze/*/*.c libanalyze/*/*/*.c)
GEN_C := $(B)/gen/kernel_classes.c $(B)/gen/counters.c $(B)/gen/run_schema.c $(B)/gen/presets.c $(B)/gen/html_assets.c \
         $(B)/gen/perfetto.pb-c.c
LIB_O := $(LIB_C:%.c=$(B)/%.o) $(GEN_C:.c=.o)
TOOLS := $(patsubst cmd/%.c,%,$(wildcard cmd/*.c))
UNITS := $(patsubst tests/unit/%.c,$(B)/unit/%,$(wildcard tests/unit/test_*.c))
BENCH := $(patsubst tests/bench/%.c,$(B)/bench/%,$(wildcard tests/bench/*.c))
FORMATS := $(shell sed -n 's/^FORMAT.\([a-z0-9_]*\),.*/\1/p' libanalyze/read/formats.def)

# What is installed: the header of each of these rooms, and what it includes.
ROOMS := base gpu model io read read/library read/power stream agg stack store render html question work metric metric/idle libperf power runs merge events tracks diff check
ROOM_H := $(wildcard $(foreach r,$(ROOMS),libanalyze/$r/$(notdir $r).h))
PUBLIC_H := $(sort $(ROOM_H) $(addprefix libanalyze/,$(shell sed -n 's/^\#include "\([a-z].*\/.*\.h\)"/\1/p' $(ROOM_H))))

# What public headers include.
PUBLIC_DEF := $(sort $(shell sed -n -e 's/^\#include "\(schemas\/.*\.def\)"/\1/p;t' \
	-e 's/^\#include "\([a-z]*\/.*\.def\)"/libanalyze\/\1/p' $(PUBLIC_H)))

# What people run uses every core, unless they say -j themselves.
PARALLEL = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 1))

.PHONY: public all tools units replays faulty ranges gen benches demo quick where check lint bench scale endless fuzz coverage install uninstall dist deb deb-check clean deps-build deps-check deps-lint
.DELETE_ON_ERROR:
.SECONDARY:

SO := libanalyze.so.0

all: tools

# With sanitizers the shared library would lack their runtime.
tools: $(TOOLS:%=$(B)/%) $(if $(SANITIZE),,$(B)/$(SO) $(B)/gen/tracemill.h)
	@mkdir -p build/bin && for t in $(TOOLS); do ln -sf ../$(KEY)/$$t build/bin/$$t; done

units: $(UNITS) $(B)/dump_events

gen: $(B)/gen_csv $(B)/gen_pftrace

replays: $(FORMATS:%=$(B)/fuzz/%) $(B)/fuzz/scan $(B)/fuzz/json $(B)/fuzz/power $(B)/fuzz/problem \
         $(B)/fuzz/lib_log $(B)/fuzz/lib_bench $(B)/fuzz/html $(B)/fuzz/state

# Tools that read also small files in ranges: tests/oracle/ranges.sh.
RANGED := kstats tracereport tracemerge
ranges: $(RANGED:%=$(B)/ranges/%)

# The tools with calls that fail on request; tests/fault/each.sh has more.
faulty: $(TOOLS:%=$(B)/faulty/%)

# ---- what people run -----------------------------------------------------------------------------

demo: deps-build
	@tests/build.sh "$(MAKE)" $(PARALLEL) --no-print-directory
	@tests/demo.sh build/bin

# Under a minute: the build that people install, and what tells fast.  Of lints that ask a slow program about
# each file only what changed since they were clean (tests/lint/clean.bash).
quick: deps-check
	@$(MAKE) $(PARALLEL) --no-print-directory -s CFLAGS='$(CFLAGS) -Werror' tools units gen
	@LINT_CLEAN=$(CURDIR)/build/lint tests/run.sh --only unit,cli,lint \
		"$$($(MAKE) --no-print-directory -s CFLAGS='$(CFLAGS) -Werror' where)"

where:
	@echo $(B)

public:
	@printf '%s\n' $(PUBLIC_H)

# Without a browser the pages of tracereport are not opened, without Slurm docs/slurm is not run, and the check
# says so.
check: deps-check
	-@tests/deps.sh browser
	-@tests/deps.sh slurm
	@tests/check.sh "$(MAKE)"

# Without a build: the lints that ask the tools and the library are for quick and check.
lint: deps-lint
	@mkdir -p build && tests/run.sh --only sources build

# The programs that make bench compares with, so that make check tells when one does not compile.
benches: $(BENCH)

bench: deps-bench
	@$(MAKE) $(PARALLEL) --no-print-directory -s tools $(BENCH) gen
	@BUILD=$(B) $(if $(SIZE),SIZE=$(SIZE)) $(if $(ROUNDS),ROUNDS=$(ROUNDS)) tests/bench/bench.sh

scale: deps-check
	@$(MAKE) $(PARALLEL) --no-print-directory -s tools gen
	@python3 -B tests/bench/scale.py $(if $(SIZE),--most $(SIZE)) $(B)

endless: deps-check
	@$(MAKE) $(PARALLEL) --no-print-directory -s tools
	@BUILD=$(B) BYTES=$(or $(BYTES),20000000000) tests/oracle/endless.sh

fuzz: deps-check
	@tests/fuzz/fuzz.sh "$(MAKE)" $(SECONDS)

coverage: deps-coverage
	@tests/coverage.sh "$(MAKE)"

deps-build deps-check deps-lint deps-bench deps-deb deps-debcheck deps-coverage: deps-%:
	@tests/deps.sh build $(filter-out build,$*)

# ---- how things are built ------------------------------------------------------------------------

$(B)/libanalyze.a: $(LIB_O)
	@rm -f $@ && ar rcs $@ $^

# The shared library: what public headers declare, under one version; lint/symbols.sh keeps the list.
$(B)/$(SO): $(filter-out $(B)/libanalyze/cli/%,$(LIB_O)) libanalyze/libanalyze.map
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -shared -Wl,-soname,$(SO) -Wl,--no-undefined \
		-Wl,--version-script=libanalyze/libanalyze.map -o $@ $(filter %.o,$^) $(LIBS)

# Every public header, for C and C++.  What the system declares comes first: it may hold templates.  Made
# anew each time, replaced when it changed: no date tells that a header went away.
.PHONY: always
$(B)/gen/tracemill.h: always
	@mkdir -p $(@D)
	@{ printf '/* SPDX-License-Identifier: MIT\n * All of libanalyze, %s. */\n' '$(VERSION)'; \
	  printf '#ifndef TRACEMILL_H\n#define TRACEMILL_H\n\n'; \
	  sed -n 's/^\#include <.*/&/p' $(PUBLIC_H) | LC_ALL=C sort -u; \
	  printf '\n#ifdef __cplusplus\nextern "C" {\n#endif\n\n'; \
	  printf '#include "%s"\n' $(PUBLIC_H:libanalyze/%=%); \
	  printf '\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n'; } > $@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

$(TOOLS:%=$(B)/%): $(B)/%: $(B)/cmd/%.o $(B)/libanalyze.a
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

$(B)/unit/%: $(B)/tests/unit/%.o $(B)/libanalyze.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

# The library loads libarchive when it meets an archive; this test makes archives.
$(B)/unit/test_source: LIBS += -larchive

# protobuf-c: for messages that come seldom, as the oracle of the wire walker, and how the generator writes
# what is not speed critical.
$(B)/gen/perfetto.pb-c.c: schemas/perfetto.proto
	@mkdir -p $(@D)
	protoc-c --c_out=$(@D) -Ischemas $<

PROTO_O := $(B)/libanalyze/read/pftrace/pftrace_cold.o $(B)/tests/unit/test_pftrace_wire.o $(B)/tests/gen/perfetto.o \
           $(B)/tests/bench/protobuf_top.o
$(B)/gen/perfetto.pb-c.o: ALL_CFLAGS += -w
$(B)/gen/perfetto.pb-c.h: $(B)/gen/perfetto.pb-c.c ;
$(PROTO_O): $(B)/gen/perfetto.pb-c.h
$(PROTO_O): ALL_CFLAGS += -isystem $(B)

$(B)/bench/%: $(B)/tests/bench/%.o $(B)/libanalyze.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

$(B)/gen_csv: $(B)/tests/gen/gen_csv.o $(B)/tests/gen/model.o
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^

$(B)/gen_pftrace: $(B)/tests/gen/gen_pftrace.o $(B)/tests/gen/perfetto.o $(B)/tests/gen/model.o $(B)/gen/perfetto.pb-c.o
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ -lprotobuf-c

$(B)/dump_events: $(B)/tests/oracle/dump_events.o $(B)/libanalyze.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

FAULTS := malloc calloc realloc strdup strndup asprintf open fopen mkstemp mkostemp read pread fread write \
          pwrite close stat lstat fstat fstatat opendir readdir lseek fsync fdatasync rename linkat ftruncate pthread_create
empty :=
comma := ,
WRAPS := -Wl,$(subst $(empty) $(empty),$(comma),$(FAULTS:%=--wrap=%))

$(B)/faulty/nth_call.o: tests/fault/nth_call.c
	@mkdir -p $(@D)
	$(CC) $(STD) -Wall -Wextra $(CFLAGS) -DFAULT_WRAP -c -o $@ $<

$(TOOLS:%=$(B)/faulty/%): $(B)/faulty/%: $(B)/cmd/%.o $(B)/libanalyze.a $(B)/faulty/nth_call.o
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(WRAPS) -o $@ $(B)/cmd/$*.o $(B)/faulty/nth_call.o $(B)/libanalyze.a $(LIBS)

$(RANGED:%=$(B)/ranges/%): $(B)/ranges/%: $(B)/cmd/%.o $(B)/tests/oracle/short_ranges.o $(B)/libanalyze.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

# One fuzz program for each format: it replays files; with SANITIZE=fuzzer,... FUZZ_MAIN= it searches.
FUZZ_MAIN = -DFUZZ_REPLAY
FUZZ_H := $(wildcard tests/fuzz/*.h)

# One object for all formats, named when it is linked.
$(B)/tests/fuzz/fuzz_reader.o: tests/fuzz/fuzz_reader.c $(FUZZ_H)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(FUZZ_MAIN) -Ilibanalyze -I. -c -o $@ $<

$(FORMATS:%=$(B)/fuzz/%): $(B)/fuzz/%: $(B)/tests/fuzz/fuzz_reader.o $(B)/libanalyze.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -Wl,--defsym=fuzzed_reader=tm_reader_$* -o $@ $^ $(LIBS)

$(B)/fuzz/scan $(B)/fuzz/power $(B)/fuzz/problem $(B)/fuzz/lib_log $(B)/fuzz/lib_bench $(B)/fuzz/html $(B)/fuzz/state: $(B)/fuzz/%: tests/fuzz/fuzz_%.c $(B)/libanalyze.a $(FUZZ_H)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(FUZZ_MAIN) -Ilibanalyze -I. -o $@ $(filter-out %.h,$^) $(LIBS)

# Beside yajl, which only this test needs.
$(B)/fuzz/json: tests/fuzz/fuzz_json.c $(B)/libanalyze.a $(FUZZ_H)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(FUZZ_MAIN) -Ilibanalyze -I. -o $@ $(filter-out %.h,$^) $(LIBS) -lyajl

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -Ilibanalyze -I. -MMD -MP -c -o $@ $<

$(B)/gen/%.o: $(B)/gen/%.c
	$(CC) $(ALL_CFLAGS) -Ilibanalyze -I. -c -o $@ $<

# What is generated follows its recipe too: after a pull an old build folder holds the old names.
$(B)/gen/kernel_classes.c: schemas/kernel_classes.tsv Makefile
	@mkdir -p $(@D)
	@{ printf '#include "model/classes.h"\nconst char tm_kernel_classes_tsv[] = {\n'; \
	  sed -e '/^#/d' -e '/^$$/d' $< | LC_ALL=C od -An -v -tu1 | sed -e 's/  */,/g' -e 's/^,//' -e 's/$$/,/'; \
	  printf '0};\n'; } > $@

$(B)/gen/counters.c: schemas/counters.tsv Makefile
	@mkdir -p $(@D)
	@{ printf '#include "counters/known_table.h"\nconst char tm_counters_tsv[] = {\n'; \
	  sed -e '/^#/d' -e '/^$$/d' $< | LC_ALL=C od -An -v -tu1 | sed -e 's/  */,/g' -e 's/^,//' -e 's/$$/,/'; \
	  printf '0};\n'; } > $@

RUN_SQL := schemas/run.awk libanalyze/model/columns.def schemas/run_tables.def schemas/run.sql

$(B)/gen/run.sql: $(RUN_SQL) Makefile
	@mkdir -p $(@D)
	@LC_ALL=C awk -f $(RUN_SQL) > $@

$(B)/gen/run_schema.c: $(B)/gen/run.sql Makefile
	@{ printf '#include "store/schema.h"\nconst char tm_run_schema_sql[] = {\n'; \
	  LC_ALL=C od -An -v -tu1 $< | sed -e 's/  */,/g' -e 's/^,//' -e 's/$$/,/'; \
	  printf '0};\n'; } > $@

PRESETS := $(sort $(wildcard schemas/presets/*.rules))

$(B)/gen/presets.c: $(PRESETS) Makefile
	@mkdir -p $(@D)
	@{ printf '#include "check/presets.h"\n'; \
	  for f in $(PRESETS); do n=$${f##*/}; n=$${n%.rules}; printf 'static const char rules_%s[] = {\n' "$$n"; \
	    LC_ALL=C od -An -v -tu1 $$f | sed -e 's/  */,/g' -e 's/^,//' -e 's/$$/,/'; printf '0};\n'; done; \
	  printf 'const struct tm_check_preset tm_check_presets[] = {\n'; \
	  for f in $(PRESETS); do n=$${f##*/}; n=$${n%.rules}; printf '{ "%s", rules_%s },\n' "$$n" "$$n"; done; \
	  printf '{ 0, 0 } };\n'; } > $@

# The style of reports, with the colors of the palette in front, and their script; and the hashes by which the
# policy of the page knows them.
$(B)/gen/report.css: libanalyze/html/report.css schemas/palette.def Makefile
	@mkdir -p $(@D)
	@{ sed -n 's/^FAMILY(\([a-z]*\), 0x\([0-9a-f]*\), .*/.f-\1,.l-\1{--c:#\2}/p' schemas/palette.def; \
	  echo '@media screen and (prefers-color-scheme:dark){'; \
	  sed -n 's/^FAMILY(\([a-z]*\), 0x[0-9a-f]*, 0x\([0-9a-f]*\), .*/.f-\1,.l-\1{--c:#\2}/p' schemas/palette.def; \
	  echo '}'; cat $<; } > $@

$(B)/gen/report.js: libanalyze/html/report.js
	@mkdir -p $(@D)
	@cp $< $@

$(B)/gen/html_assets.c: $(B)/gen/report.css $(B)/gen/report.js Makefile
	@{ printf '#include "html/page.h"\n'; \
	  for f in style:css script:js; do n=$${f%:*}; f=$(B)/gen/report.$${f#*:}; \
	    printf 'const char tm_html_%s[] = {\n' $$n; \
	    LC_ALL=C od -An -v -tu1 $$f | sed -e 's/  */,/g' -e 's/^,//' -e 's/$$/,/'; printf '0};\n'; \
	    printf 'const char tm_html_%s_hash[] = "%s";\n' $$n \
	      "$$(sha256sum < $$f | cut -c1-64 | tr a-f A-F | basenc --base16 -d | base64)"; done; } > $@

-include $(wildcard $(B)/libanalyze/*/*.d $(B)/libanalyze/*/*/*.d $(B)/cmd/*.d $(B)/tests/*/*.d)

# ---- installing ----------------------------------------------------------------------------------

install: tools
	tests/install.sh install "$(DESTDIR)" "$(PREFIX)" "$(B)" "$(VERSION)" "$(LIBS)" $(PUBLIC_H) $(PUBLIC_DEF)

uninstall:
	tests/install.sh uninstall "$(DESTDIR)" "$(PREFIX)"

# The files that git knows, as they stand, under tracemill-VERSION/.
dist:
	@tests/dist.sh "$(VERSION)" build/tracemill-$(VERSION).tar.gz

# Builds the packages in build/deb; docs/packaging/debian holds the control files.
deb: deps-deb
	@tests/deb.sh "$(MAKE)" "$(VERSION)" build/deb

# Installs them into a fresh system, runs and removes them there: needs root, a mirror and some minutes.
deb-check: deb deps-debcheck
	@$(MAKE) $(PARALLEL) --no-print-directory -s tools
	@tests/deb_check.sh build/deb

clean:
	rm -rf build
