# Names that drive a terminal, break lines or are markup stay what they are: one line each, visible.
# trace FILE < "name start length" lines: a kernel trace of one agent
trace() {
	mkdir -p "$1"
	{
		echo Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
		awk -v OFS=, "{ print \"KERNEL_DISPATCH\", \"Agent ${2:-1}\", \$1, NR, \$2, \$2 + \$3 }"
	} >"$1/app_kernel_trace.csv"
}
esc=$(printf '\033[31m')
printf '%s\n' "red${esc}kernel 0 40000" '<b>|x|</b> 50000 40000' | trace a
printf '%s\n' "red${esc}kernel 0 60000" '<b>|x|</b> 70000 40000' | trace b
tracediff -q a b
tracediff -q -f md --columns name,delta_ns a b
# Letters outside ASCII, too, are the same above the table as in it, and through a pipe whatever the language is: U+884C.
printf '\350\241\214 0 40000\n' | trace c
printf '\350\241\214 0 60000\n' | trace d
LC_ALL=C.UTF-8 tracediff -q --columns name,delta_ns c d >utf8.txt
LC_ALL=C tracediff -q --columns name,delta_ns c d | cmp - utf8.txt && grep -c '\\u884c' utf8.txt
