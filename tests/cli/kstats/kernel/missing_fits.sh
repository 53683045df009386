# How to record what is missing fits the terminal.  A command goes on as a shell reads it, an option with its value: what is
# pasted of three lines is one command.  Where there is room it is one line.
printf '%s\n' kind,rank,agent,name,start_ns,end_ns kernel,0,4,k,1000,2000 >in.csv
COLUMNS=80 kstats kernel -q k in.csv | sed -n '/^not in/,$p' | tee below
awk 'length > 80 { print "too long: " $0 }' below
rocprofv3() { printf '<%s>' "$@"; echo; }
eval "$(sed -n '/samples/,/interval/p' below | sed 's/^  samples *//')"
COLUMNS=200 kstats kernel -q k in.csv | grep -c '^  samples  .*--pc-sampling-interval 1048576$'
