# Megabytes without a newline in front of a call: a progress bar; and a call of megabytes, which is none.
{
	head -c 3000000 /dev/zero | tr '\0' '.'
	printf ' Running kernel: Cijk_A\n'
	printf 'hipblaslt-bench -m '
	head -c 3000000 /dev/zero | tr '\0' '1'
	printf '\nRunning kernel: Cijk_B\n'
} >long.log
libperf trace -f csv --columns config,calls long.log
