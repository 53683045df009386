# A directory without a trace, and one without files.
mkdir dir empty
echo hello >dir/log.txt
kstats top -f csv --name base dir empty
