# Wrong words are named, with what would be right; nothing is written, -o makes no file.
tracecat --kind kernels x.csv; echo $?
tracecat --kind kernel, x.csv; echo $?
tracecat --to json x.csv; echo $?
tracecat -o out --columns start_n x.csv; echo $?
tracecat --per rank x.csv; echo $?
tracecat --sort x.csv; echo $?
tracecat info --sort x.csv; echo $?
tracecat -w 5 x.csv; echo $?
ls
tracecat --colums name x.csv
