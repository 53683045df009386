# --list-columns lists those of the table that all options choose, wherever it stands among them.
same() { # COMMAND OPTION...: the same on both sides, and not what there is without
	tool=$1
	shift
	$tool "$@" --list-columns >behind && $tool --list-columns "$@" >before && $tool --list-columns >without || exit
	cmp before behind && ! cmp -s before without && echo "$tool $*: $(sed -n 2p before | cut -d ' ' -f 1)"
}
same 'kstats gaps' --hist
same 'kstats steps' --total
same tracediff --history
same tracediff --account
same powerstats --by step
