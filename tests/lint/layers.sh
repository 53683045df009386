#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Includes point down, never up and never to a sibling, and each third-party header has one place.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

# check FILE...: one line for each include that should not be there
check() {
	awk '
	BEGIN {
		may["base"] = "base"
		may["gpu"] = "gpu base"
		may["model"] = "model base"
		may["io"] = "io base"
		may["read"] = "read model io gpu base"
		# Not part of the chain: sums and output cannot tangle, cmd joins the two.
		may["render"] = "render model base"
		may["html"] = "html render model base"
		may["stream"] = "stream read model io gpu base"
		may["agg"] = "agg stream read model io gpu base"
		may["store"] = "store stream read model io gpu base"
		may["stack"] = "stack agg stream read model io gpu base"
		below = "stack agg store stream read model io gpu base"
		may["question"] = "question " below
		below = "question " below
		may["work"] = "work " below
		may["replay"] = "replay work " below
		may["counters"] = "counters agg stream read model io gpu base"
		below = "counters " below
		may["metric"] = "metric replay work " below
		may["libperf"] = "libperf metric " below
		may["power"] = "power metric work " below
		may["runs"] = "runs metric " below
		may["merge"] = "merge runs metric work " below
		may["events"] = "events metric " below
		may["tracks"] = "tracks events render metric work " below
		may["diff"] = "diff libperf metric work " below
		may["check"] = "check metric render " below
		may["cli"] = "cli check diff tracks events merge runs power libperf metric work html render " below
		may["cmd"] = may["cli"]

		# Rooms inside one: which of their neighbors they may include.
		within["cli/frame"] = ""
		within["cli/operands"] = "cli/frame"
		within["cli/tools"] = "cli/frame cli/operands"
		within["cli/rules"] = "cli/frame cli/operands cli/tools"
		within["metric/idle"] = within["metric/inside"] = within["metric/steps"] = within["metric/ranks"] = within["metric/whatif"] = ""

		n = split("zlib.h io zstd.h io zstd_errors.h io archive.h io archive_entry.h io" \
			" csv.h read gen/perfetto.pb-c.h read sqlite3.h read sqlite3.h store" \
			" libiberty/demangle.h base", w, " ")
		for (i = 1; i < n; i += 2) {
			third[w[i]] = third[w[i]] " " w[i + 1]
			place[w[i], w[i + 1]] = 1
		}
		n = split("ctype errno fcntl fnmatch ftw glob inttypes limits locale math poll pthread" \
			" dlfcn regex sched setjmp signal stdalign stdarg stdatomic stdbool stddef stdint" \
			" stdio stdlib string strings time unistd assert dirent float endian" \
			" arpa/inet netinet/in sys/socket sys/auxv sys/ioctl sys/mman sys/random sys/resource sys/sendfile sys/stat" \
			" malloc sys/statvfs sys/sysinfo sys/time sys/types sys/uio sys/wait" \
			" immintrin emmintrin nmmintrin tmmintrin arm_neon arm_acle cpuid", w, " ")
		for (i = 1; i <= n; i++)
			libc[w[i] ".h"] = 1
	}
	FNR == 1 {
		# The room is the directory: libanalyze/ROOM/FILE, libanalyze/read/ROOM/FILE or cmd/FILE;
		# the layer is the first part of it.
		room = FILENAME
		sub(/^.*libanalyze\//, "", room)
		sub(/\/[^\/]*$/, "", room)
		layer = room
		sub(/\/.*/, "", layer)
		split("", ok)
		split(layer in may ? may[layer] : "", w, " ")
		for (i in w)
			ok[w[i]] = 1
	}
	function say(text) {
		print FILENAME ":" FNR ": " text
	}
	/^[ \t]*#[ \t]*include/ {
		s = $0
		sub(/^[ \t]*#[ \t]*include[ \t]*/, "", s)
		if (!(layer in may)) {
			say("there is no layer " layer)
		} else if (s ~ /^</) {
			sub(/^</, "", s)
			sub(/>.*/, "", s)
			if (s in third) {
				if (!((s, layer) in place))
					say("<" s "> belongs to" third[s])
			} else if (!(s in libc)) {
				say("<" s "> is neither libc nor known here: give it one place in layers.sh")
			}
		} else if (s ~ /^"/) {
			sub(/^"/, "", s)
			sub(/".*/, "", s)
			of = s
			name = s
			sub(/\/[^\/]*$/, "", of)
			sub(/.*\//, "", name)
			split(s, to, "/")
			if (to[1] == "schemas")
				next
			if (!(to[1] in may) || s !~ /\//)
				say("\"" s "\" does not begin with a layer")
			else if (!(to[1] in ok))
				say("layer " layer " may not include " to[1] "/")
			else if (room != of && index(room, of "/") != 1) {
				if (room in within && of in within && index(" " within[room] " ", " " of " ") == 0)
					say("room " room " may not include " of "/")
				# From outside a room has one header, or lists in a .def.
				last = of
				sub(/.*\//, "", last)
				if (name != last ".h" && name !~ /\.def$/)
					say("\"" s "\" is inside " of ": include \"" of "/" last ".h\"")
			}
		} else {
			say("an include that is not written out")
		}
	}' "$@"
}

# A lint that sees nothing passes too, so it is tried on violations planted here.
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
self_test() {
	local layer line want n=0
	while read -r want layer line; do
		n=$((n + 1))
		mkdir -p "$tmp/libanalyze/$layer"
		printf '%s\n' "$line" >"$tmp/libanalyze/$layer/t$n.c"
		if [ "$want" = bad ] && [ -z "$(check "$tmp/libanalyze/$layer/t$n.c")" ]; then
			echo "layers.sh misses in $layer: $line"
		elif [ "$want" = good ] && [ -n "$(check "$tmp/libanalyze/$layer/t$n.c")" ]; then
			echo "layers.sh objects in $layer to: $line"
		fi
	done <<-'END'
		bad io #include "read/reader.h"
		bad io   #  include	"model/event.h"
		bad base #include "model/table.h"
		bad read #include "render/table.h"
		bad render #include "read/reader.h"
		bad agg #include "store/store.h"
		bad store #include "agg/moments.h"
		bad metric #include "render/table.h"
		bad metric #include "cli/option.h"
		bad metric #include "diff/digest.h"
		bad diff #include "metric/idle/gaps_parts.h"
		bad diff #include "render/table.h"
		bad diff #include "metric/idle/gaps.h"
		good diff #include "metric/metric.h"
		bad check #include "diff/compare.h"
		bad diff #include "check/rules.h"
		good check #include "render/render.h"
		bad cli #include "cmd/kstats.h"
		bad metric/steps #include "metric/idle/idle.h"
		bad metric #include "metric/idle/gaps.h"
		good metric #include "metric/idle/idle.h"
		bad cli/frame #include "cli/operands/operands.h"
		bad cli/rules #include "cli/operands/inputs.h"
		good cli/rules #include "cli/operands/operands.h"
		good cli/tools #include "cli/frame/frame.h"
		bad base #include "gpu/gpu.h"
		bad gpu #include "model/model.h"
		good read #include "gpu/gpu.h"
		bad cmd #include "io/stage.h"
		bad cmd #include "helper.h"
		bad read #include <zlib.h>
		bad cmd #include <sqlite3.h>
		bad io #include <csv.h>
		bad stream #include <archive.h>
		bad metric #include <gen/perfetto.pb-c.h>
		bad base #include <curl/curl.h>
		bad base #include HEADER
		bad other #include <stdio.h>
		good io #include <zlib.h>
		good io #include "io/stage.h"
		good read #include <sqlite3.h>
		good read #include <gen/perfetto.pb-c.h>
		good store #include <sqlite3.h>
		good base #include <libiberty/demangle.h>
		good metric #include "agg/agg.h"
		bad metric #include "agg/moments.h"
		good cmd #include "render/render.h"
		good model #include <regex.h>
	END
}

found=$(self_test)
files=()
for f in libanalyze/*/*.[ch] libanalyze/*/*/*.[ch] libanalyze/*/*/*.inc libanalyze/*/*.def cmd/*.[ch]; do
	if [ -f "$f" ]; then
		files+=("$f")
	fi
done
if [ ${#files[@]} -eq 0 ]; then
	found+=$'\nno source files found'
else
	found+=$'\n'$(check "${files[@]}")
fi
found=$(sed '/^$/d' <<<"$found")
if [ -n "$found" ]; then
	printf '%s\n' "$found"
	exit 1
fi
