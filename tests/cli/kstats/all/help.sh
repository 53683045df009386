# --help of the tool; -h is it in short: without the options that all sub-commands have.
set -e
kstats --help >long
kstats -h >short
cat short
if grep -e --strict short; then exit 1; fi
cat long
