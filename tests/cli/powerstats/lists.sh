# What can be asked without an input.
powerstats -V
powerstats --list-columns
echo power; powerstats --what power --list-columns | awk 'NR > 1 { print $1 }' | paste -s -d , -
echo vram; powerstats --what vram --list-columns | awk 'NR > 1 { print $1 }' | paste -s -d , -
echo trace; powerstats --trace x --list-columns | awk 'NR > 1 { print $1 }' | paste -s -d , -
for s in bash zsh fish; do powerstats --completion $s >script && grep -c keep-zero script; done
powerstats --help
