# --help of the tool; -h is it in short: without the options that all sub-commands have.
set -e
kstats --help >long
kstats -h >short
head -n 40 short
! grep -e --strict short
cat long
