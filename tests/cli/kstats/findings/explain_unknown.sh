# A list of choices is in a message whole or not at all: the 59 rules have no room in one, the help lists them.
kstats findings --explain late-rnk; echo $?
kstats findings --explain nothing-like-it
