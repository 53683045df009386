# All mistakes of rules are said, with line and column, before any trace is read.
cat >r.rules <<'END'
# a comment, then a blank line

gaps.launch_pct < 1 # good
gaps.launch_pct
gaps.launch_pct = 1
gaps.launch_pct < one
gaps.launch_pct < 1 us
gaps.launch_pct < 1 parsec
gaps.launch_pct < 1 2
gaps.lanch_pct < 1
gasp.launch_pct < 1
top["x.avg_us < 1
top(--per rank.avg_us < 1
top["x"] < 1
top["x", ].avg_us < 1
top["x"].avg_cm < 1
top["x"].name < 1
top[rank=0].avg_us < 1
top[color=red].avg_us < 1
tap["x"].avg_us < 1
top(--frob)["x"].avg_us < 1
top(--per node)["x"].avg_us < 1
top(FILE)["x"].avg_us < 1
gaps(--list --hist).gap_ns < 1
copies.gb_per_s > 10 s
top.avg_us < baseline
top.avg_us < 2 * 3
top.avg_us < 1e9999
< 1
END
printf 'inputs == 1\r\n\r\ninputs < 0x1\r\n' >dos.rules
printf '\357\273\277inputs == 1\n' >bom.rules
tracecheck --rules r.rules nothing.csv; echo $?
tracecheck --rules dos.rules --rules bom.rules nothing.csv; echo $?
tracecheck --rules missing.rules nothing.csv; echo $?
tracecheck --rule 'inputs < ' --rule '' --preset nothing nothing.csv; echo $?
tracecheck nothing.csv; echo $?
tracecheck --rule 'inputs == 1' --report xml=x nothing.csv; echo $?
tracecheck --rule 'inputs == 1' --report md=x --report junit=x nothing.csv; echo $?
tracecheck --rule 'inputs == 1' -o y --report md=y nothing.csv; echo $?
tracecheck --print-rules; echo $?
tracecheck --rule 'inputs == 1' --allow all nothing.csv; echo $?
tracecheck --rule 'inputs == 1' -n 3 nothing.csv; echo $?
tracecheck --rule 'inputs == 1' -f sarif nothing.csv
