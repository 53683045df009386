# A shell that is none: the list of those that are.
kstats --completion tcsh
