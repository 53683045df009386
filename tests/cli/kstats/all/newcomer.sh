# What somebody tries who has read nothing: each attempt that fails names the next one.
try() {
	echo "\$ $*"
	"$@" 2>&1 </dev/null | sed -n 1,2p
}
for word in idle late slow where shapes compare diff energy copied topp nonsense; do
	try kstats "$word" FILE
done
trace=$TESTDATA/rocprofv3/7.0/sync_each
ln -s "$trace" run
ln -s "$TESTDATA/madengine/2.0/logs/node0.log" job.log
try kstats run
try libperf run
try libperf top run
try libperf top run/app_kernel_trace.csv
try kstats top job.log
try powerstats run
try tracecheck run
try tracediff run
# Each command of the README's table of questions answers, with files of the kind that it says.
# shellcheck disable=SC2016
sed -n 's/^| [^|`]*? | \(.*\) |$/\1/p' "$TESTDATA/../README.md" | grep -o '`[^`]*`' | tr -d '`' |
	sed "s|FILE|run|; s|DIRECTORY|$TESTDATA/rccl/2.18/two_ranks|; s|BEFORE|run|; s|AFTER|$TESTDATA/rocprofv3/7.0/sync_once|; s|LOG|job.log|" >commands
while read -r command; do
	case $command in
	*'ops'*) command=${command%run}$TESTDATA/kineto/2.9/train ;;
	esac
	$command -q </dev/null >answer || [ $? = 1 ] || echo "no answer: $command"
	case $command in
	*' -o '*)
		file=${command#* -o } file=${file%% *}
		wc -c <"$file" | grep -q '^ *[1-9]' && echo "an answer in $file" >answer
		;;
	esac
	echo "$command: $(sed -n '1s/  */ /gp' answer)" | sed "s|$TESTDATA|TESTDATA|g"
done <commands
# The examples of the short help of each question's command name options that exist.
for command in kstats 'kstats top' 'kstats gaps' 'kstats collectives' 'libperf top' tracediff; do
	# shellcheck disable=SC2086
	$command -h >page || echo "$command: no short help"
	sed -n '/^Examples:/,/^$/s/^  //p' page | while read -r line; do
		# An example with its files gone: what is wrong must be the files, never the words.
		if $line </dev/null 2>&1 >/dev/null | grep -E "unknown (option|sub-command|column|key|word)|needs --"; then
			echo "in: $line"
		fi
	done
done
