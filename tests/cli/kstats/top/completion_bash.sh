# Completions for bash: the words of options, values and sub-commands.
set -e
kstats --completion bash >c
cat >try.sh <<'END'
compopt() { :; }
. ./c
complete -p kstats
try() {
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
	_kstats
	echo "$*: ${COMPREPLY[*]}"
}
try kstats t
try kstats top --str
try kstats top --name ''
try kstats top -f c
try kstats top --columns av
try kstats top --columns name,to
try kstats top --columns name,av
try kstats top --per ''
try kstats top --per rank,
try kstats gemm --per ''
try kstats top -s p9
try kstats gaps --sort d
END
bash try.sh
