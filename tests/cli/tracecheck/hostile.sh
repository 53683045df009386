# Names that mean something in each format: they are text there, and nothing else.
{
	echo Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
	# shellcheck disable=SC2016 # nothing is to be expanded
	printf 'KERNEL_DISPATCH,Agent 1,"%s",%s,0,9000\n' 'a|b `c` <script>alert(1)</script> ]]> & # @x' 1
	printf 'KERNEL_DISPATCH,Agent 1,"%s",%s,0,8000\n' '::error::%0A,title=x%' 2
	printf 'KERNEL_DISPATCH,Agent 1,"bad \377\376 utf8 \033[31m red \302\233 c1 \342\200\256 rtl \357\277\276",3,0,7000\n'
	printf 'KERNEL_DISPATCH,Agent 1,"two\nlines\r\n::error::x",4,0,6000\n'
} >t.csv
printf '%s\n' 'top["a|b*"].max_us < 1' 'top["::error*"].max_us < 1' 'top["bad*"].max_us < 1' 'top["two*"].max_us < 1' \
	'top["]]>|#%\"*"].max_us < 1 # not part of it' >'r,1:%.rules'
for f in text md tap junit github gitlab openmetrics json; do
	echo "== $f"
	tracecheck -q -f $f --rules 'r,1:%.rules' t.csv >out
	cat out
	case $f in
	junit) xmllint --noout --schema "$ROOT/tests/cli/tracecheck/junit.xsd" out 2>&1 ;;
	tap) prove -Q -e cat out 2>&1 | grep -a '^Result' ;;
	gitlab | json) python3 -c 'import json, sys; json.load(open("out", encoding="utf-8"))' ;;
	esac
done
