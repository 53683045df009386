# File names cannot drive a terminal either.
printf '\001' >"$(printf 'a\033[31mb')"
kstats top -f csv --name base a*
