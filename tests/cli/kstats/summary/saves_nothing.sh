# What the replay says saves nothing is on the first screen all the same, behind what saves something: no "up to".
sh "$ROOT/tests/cli/waits" hipMemcpyWithStream 1 vecAdd
kstats -q .
kstats -q -f md . | sed -n '/^1\./,/^$/p'
