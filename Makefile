# tracemill - offline analysis of AMD GPU profiler traces
#
#   make demo     install what is missing, build, run the main job on shipped input
#   make check    install what tests need, build plain and with sanitisers, run every test
#   make          build          make lint    house rules          make bench   speed, beside public tools
#   make fuzz     fuzz every reader            make install / uninstall / clean
#
# Knobs: CC= CFLAGS= SANITIZE=address,undefined PREFIX= DESTDIR=

VERSION  = 0.1.0
CC       = gcc
CFLAGS   = -O3 -g
SANITIZE =
PREFIX   = /usr/local
DESTDIR  =

WARN = -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
       -Wpointer-arith -Wcast-qual -Wvla -Wundef -Wdate-time
STD  = -std=c11 -D_GNU_SOURCE -DTRACEMILL_VERSION='"$(VERSION)"'
LIBS = -lcsv -larchive -lzstd -lz -liberty -lpthread -lm

ALL_CFLAGS  = $(STD) $(WARN) $(CFLAGS) $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer -fno-sanitize-recover=all)
ALL_LDFLAGS = $(LDFLAGS) $(if $(SANITIZE),-fsanitize=$(SANITIZE))

# Objects live in a directory named after everything that shapes them: nothing stale is ever linked.
KEY := $(shell printf '%s' '$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS)' | cksum | cut -d' ' -f1)
B   := build/$(KEY)

LIB_C := $(wildcard libanalyze/*/*.c) 
GEN_C := $(B)/gen/kernel_classes.c
LIB_O := $(LIB_C:%.c=$(B)/%.o) $(GEN_C:.c=.o)
TOOLS := $(patsubst cmd/%.c,%,$(wildcard cmd/*.c))
UNITS := $(patsubst tests/unit/%.c,$(B)/unit/%,$(wildcard tests/unit/test_*.c))

.PHONY: all tools units
.DELETE_ON_ERROR:
all: tools
tools: $(TOOLS:%=$(B)/%)
	@mkdir -p build/bin && for t in $(TOOLS); do ln -sf ../$(KEY)/$$t build/bin/$$t; done
units: $(UNITS)

$(B)/libanalyze.a: $(LIB_O)
	@rm -f $@ && ar rcs $@ $^

$(TOOLS:%=$(B)/%): $(B)/%: $(B)/cmd/%.o $(B)/libanalyze.a
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

$(UNITS): $(B)/unit/%: $(B)/tests/unit/%.o $(B)/libanalyze.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -Ilibanalyze -I. -MMD -MP -c -o $@ $<

# The table without its comments, as numbers: ISO C ends string literals at 4095 characters.
$(B)/gen/kernel_classes.c: schemas/kernel_classes.tsv
	@mkdir -p $(@D)
	@{ printf '#include "model/priv_classes.h"\nconst char kernel_classes_tsv[] = {\n'; \
	  sed -e '/^#/d' -e '/^$$/d' $< | LC_ALL=C od -An -v -tu1 | sed -e 's/  */,/g' -e 's/^,//' -e 's/$$/,/'; \
	  printf '0};\n'; } > $@

$(B)/gen/%.o: $(B)/gen/%.c
	$(CC) $(ALL_CFLAGS) -Ilibanalyze -I. -c -o $@ $<

-include $(LIB_C:%.c=$(B)/%.d) $(TOOLS:%=$(B)/cmd/%.d) $(wildcard $(B)/tests/unit/*.d)

clean:
	rm -rf build
