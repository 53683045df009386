# The first screen has room for six findings, a comment for five; how many more there are, and what shows them, is said.  Five kinds
# of calls take turns, each on a thread of its own: 4 x 70 us of 1920 us each, 14.6 %.
sh "$ROOT/tests/cli/waits" hipMemcpyDtoH,hipMemset,hipFree,hipHostFree,hipStreamSynchronize 5 vecAdd
kstats -q -n 1 . | sed '1,/^$/d'
kstats -q -n 1 -f md . | grep -e '^[0-9-]'
kstats findings -q -f csv --columns id,saves_ns .
