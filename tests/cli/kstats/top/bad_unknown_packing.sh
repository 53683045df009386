# Packings that cannot be undone here are named: unix compress, rar.
printf '\037\235\220abcdefghijk' >t.Z
printf 'Rar!\032\007\000junkjunk' >t.rar
kstats top -f csv --name base t.Z t.rar
