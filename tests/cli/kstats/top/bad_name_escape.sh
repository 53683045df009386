# File names cannot drive a terminal either.
printf '\001' >"$(printf 'a\033[31mb')"
# Nor with the controls of C1, which take two bytes in UTF-8, or by turning the line round; letters stay.
kstats top -f csv "$(printf 'b\302\23331m\342\200\256\303\244\344')"
kstats top -f csv --name base a*
