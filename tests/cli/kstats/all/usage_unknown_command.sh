# A sub-command that is nearly one, and one that is not.
kstats tpo x; echo $?
kstats frobnicate x
