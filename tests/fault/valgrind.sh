#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Command-line cases under valgrind, which sees what the sanitizers cannot: bytes that nobody wrote, also where they
# came through a library; and leaks.  One case in 2500/EFFORT; at EFFORT=2500 all of them.
set -u
if ! command -v valgrind >/dev/null; then
	echo "not run: no valgrind"
	exit 77
fi
if grep -qaE '__(asan|tsan|msan)_init|__ubsan_handle' "$BUILD/kstats"; then
	echo "valgrind and sanitizers exclude each other; name a plain build first"
	exit 77
fi
tools=$BUILD
mkdir -p bin said tmp || exit 1
for tool in kstats tracecat tracemerge libperf powerstats tracediff tracecheck tracereport; do
	cat >"bin/$tool" <<END_OF_TOOL
#!/bin/sh
exec valgrind -q --leak-check=full --errors-for-leak-kinds=definite --error-exitcode=99 \\
	--log-file="$PWD/said/%p" "$tools/$tool" "\$@"
END_OF_TOOL
	chmod +x "bin/$tool"
done
here=$PWD
step=$((2500 / ${EFFORT:-100}))
[ "$step" -gt 0 ] || step=1
[ "$step" -le 300 ] || step=300
bad=0
ran=0
at=0
for file in "$ROOT"/tests/cli/*/*.sh "$ROOT"/tests/cli/*/*/*.sh; do
	at=$((at + 1))
	# Large inputs and limits of memory or time are not for a program that is twenty times slower.
	if ((at % step)) || grep -qE 'ulimit|GEN|timeout|seq ' "$file"; then
		continue
	fi
	ran=$((ran + 1))
	rm -rf dir said
	mkdir dir said
	(cd dir && PATH=$here/bin:$PATH BUILD=$here/bin TMPDIR=$here/tmp sh "$file") >out 2>err
	find said -type f -empty -delete
	if [ -n "$(ls said)" ]; then
		bad=$((bad + 1))
		echo "${file#"$ROOT"/}:"
		head -n 25 said/* | cut -c 1-150
	fi
done
echo "$ran cases, $bad of them with a complaint"
[ "$bad" -eq 0 ] && [ "$ran" -gt 0 ]
