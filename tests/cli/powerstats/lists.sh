# What can be asked without an input.
powerstats -V
powerstats --list-columns
echo power; powerstats --what power --list-columns | paste -s -d , -
echo vram; powerstats --what vram --list-columns | paste -s -d , -
echo trace; powerstats --trace x --list-columns | paste -s -d , -
for s in bash zsh fish; do powerstats --completion $s >script && grep -c keep-zero script; done
powerstats --help
