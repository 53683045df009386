# No call in it: said, and no table that looks like an answer but its header for a script.
printf 'step 1 loss 2.31\n' >program.log
libperf trace program.log
