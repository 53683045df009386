# Binary junk.
printf '\001\002\377\376junk\000\000' >junk
kstats top -f csv --name base junk
