# The version, with and without a sub-command.
kstats -V
kstats --version
kstats top -V
