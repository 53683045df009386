# An option without its value.
kstats top -n; echo $?
kstats top --format; echo $?
kstats top --strict=yes
