# Standard input is closed.
kstats top -f csv <&-
