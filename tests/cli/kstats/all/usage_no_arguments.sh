# No arguments at all.
kstats
