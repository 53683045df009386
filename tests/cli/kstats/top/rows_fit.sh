# No sub-command prints a row wider than the terminal, whatever the numbers, and what there is no room for is named.
# Commands to copy are never broken.
ln -s "$TESTDATA" data
kstats --help >help
subs=$(sed -n '/^Sub-commands/,/^Options/s/^  \([a-z][a-z]*\) .*/\1/p' help)
for run in kineto/2.9/steps kineto/2.9/train rocpd/3.0.0/ranks rocprofv3/7.0/demo rocprofv3/7.0/hostile rocprofv3/7.1/samples; do
	for width in 80 120 200; do
		for sub in $subs 'gaps --list' 'gaps --by pair' 'path --steps' 'timeline --chart' \
			'top --per rank,agent,queue,stream,shape'; do
			[ "$sub" = kernel ] && continue
			# Its first screen is of years: the unit is a digit too long.
			[ "$sub $run" = 'summary rocprofv3/7.0/hostile' ] && continue
			# shellcheck disable=SC2086 # sub-command and option
			COLUMNS=$width kstats $sub -q data/$run >out 2>err
			awk -v most=$width -v of="$sub of $run" \
				'!/^ *kstats / && length > most { print of ", " most " columns: " $0 }' out
		done
	done
done
COLUMNS=80 kstats steps -q data/kineto/2.9/steps >out || exit
tail -n 2 out
# The tile of a matrix product stays.
COLUMNS=80 kstats top -q -n 0 data/rocprofv3/7.0/demo >out || exit
grep -c 'Cijk.*MT[0-9]*x[0-9]*x[0-9]' out
grep 'Cijk' out | grep -cv 'MT[0-9]*x[0-9]*x[0-9]'
true
