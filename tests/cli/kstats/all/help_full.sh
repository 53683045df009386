# Help that cannot be written is an error.
kstats --help >/dev/full
