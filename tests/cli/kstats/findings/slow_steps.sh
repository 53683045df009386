# Of six steps the fourth takes 500 us and the sixth 80 us more than the median of them (steps/steps.sh):
# were none slow, 580 us would be saved.  Two ranks that do so side by side save no more.
dir=$TESTDATA/kineto/2.9/steps
ask() { kstats findings -q -f csv --columns id,saves_ns,title "$@" | grep slow-steps; }
ask "$dir"
ask "0=$dir" "1=$dir"
kstats findings -q --explain slow-steps "$dir"
