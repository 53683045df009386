# A shell reads back the name of the input in every command: ASCII or not, with a newline, bytes that are no UTF-8, or a dash.
sh "$ROOT/tests/cli/waits" hipFree 1
name=$(printf 'new\nline')
for d in 'plain' "q'uo te" '-dash' "$name" "$(printf 'bad\377')" 'ünï' 'back\slash'; do
	mkdir -- "./$d"
	cp app_*.csv "./$d"
	kstats summary -q -- "$d" >screen
	command=$(grep -a -h -o 'kstats sync --during.*' screen | head -n 1)
	printf '%s\n' "$command"
	printf '%s -q --columns function\n' "$command" >typed
	bash ./typed
	kstats findings -q -f csv --columns command -- "$d" | tail -n +2 | head -n 1
done
