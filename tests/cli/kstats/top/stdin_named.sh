# What is wrong with standard input is said of <stdin>.
kstats top -f csv --name base </dev/null
