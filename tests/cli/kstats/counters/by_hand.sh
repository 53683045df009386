# Counters of dispatches, and what follows from them, worked out by hand.  Agent 2 is gfx942 with 304 CUs and 8 XCCs.
# `a` runs twice, 200 us each, with 8 and 24 waves: 32, 16 on average.  GRBM_GUI_ACTIVE adds up 8 XCCs: 3.2e6 / 8 cycles in
# 200 us are 2 GHz.  L2 hits 30 of 40 and 10 of 60 requests: 40 of 100 together, 75 and 16.67 % each.  SQ_ACTIVE_INST_VALU
# 243200 / (400000 * 304) = 0.2 %.  `b` takes 10 us: no clock, and its share of GRBM_GUI_ACTIVE has a note.
# shellcheck source=/dev/null
. "$ROOT/tests/cli/counted"
mkdir x
cat >x/a_agent_info.csv <<-'X'
	"Node_Id","Logical_Node_Id","Agent_Type","Name","Cu_Count","Gfx_Target_Version","Num_Xcc"
	2,2,"GPU","gfx942",304,90402,8
X
counted x/a_counter_collection.csv \
	1 a SQ_WAVES 8 1000000 1200000 1 a GRBM_GUI_ACTIVE 3200000 1000000 1200000 1 a TCC_HIT_sum 30 1000000 1200000 \
	1 a TCC_MISS_sum 10 1000000 1200000 1 a SQ_ACTIVE_INST_VALU 243200 1000000 1200000 \
	2 a SQ_WAVES 24 2000000 2200000 2 a GRBM_GUI_ACTIVE 3200000 2000000 2200000 2 a TCC_HIT_sum 10 2000000 2200000 \
	2 a TCC_MISS_sum 50 2000000 2200000 2 a SQ_ACTIVE_INST_VALU 243200 2000000 2200000 \
	3 b SQ_WAVES 1.5 3000000 3010000 3 b GRBM_GUI_ACTIVE 320000 3000000 3010000 3 b TCC_HIT_sum 0 3000000 3010000 \
	3 b TCC_MISS_sum 0 3000000 3010000 3 b SQ_ACTIVE_INST_VALU 24320 3000000 3010000 3 b BANDWIDTH_EA 9 3000000 3010000
kstats counters -f csv x || exit
for w in 80 120 200; do
	COLUMNS=$w kstats counters -q -n 6 x || exit
done
kstats counters -q -f csv --explain --columns counter,formula,about -k a -n 3 x || exit
kstats counters -q -f json -n 1 x || exit
kstats counters -q -f md -n 2 x || exit
kstats counters -q -f csv x >raw
tracemerge -q -o run.db x && kstats counters -q -f csv run.db | cmp - raw || exit
# The window is that of the dispatch.
kstats counters -q -f csv --columns name,counter,dispatches,sum -w 2000000ns..2500000ns -n 3 x || exit
# Without the description of the GPU: what is the same on all.
kstats counters -f csv --columns name,counter,mean,arch,note x/a_counter_collection.csv || exit
kstats counters -q -f csv --columns counter,mean -n 1 --arch gfx942 --xccs 8 x/a_counter_collection.csv || exit
# Formulas of one's own come first; what is wrong with them is said with its line.
printf '# mine\nhit\tmean\t-\t*\tTCC_HIT / max(TCC_HIT + TCC_MISS, 1)\tmine\nwaves\tmean\twaves\tgfx94*\tSQ_WAVES / 2 + twice\nl2_hit_pct\twrong\t-\tgfx942\t-\tnot today\ntwice\ttotal\t-\t*\t2 * SQ_WAVES\n' >mine.tsv
kstats counters -f csv --explain --columns counter,sum,mean,unit,note,formula -k a --formulas mine.tsv x || exit
printf 'a\tmean\t-\t*\t1 +\n' >bad.tsv
kstats counters --formulas bad.tsv x; echo $?
printf '\na\tmedian\t-\t*\tB\n' >bad.tsv
kstats counters --formulas bad.tsv x; echo $?
printf 'a mean\n' >bad.tsv
kstats counters --formulas bad.tsv x; echo $?
# Metrics that are made of each other have no value.
printf 'p\tmean\t-\t*\tq\nq\tmean\t-\t*\tp + p\n' >bad.tsv
kstats counters -q -f csv --columns counter -n 1 --formulas bad.tsv x || exit
kstats counters --formulas none.tsv x; echo $?
kstats counters --arch gfx9 x; echo $?
