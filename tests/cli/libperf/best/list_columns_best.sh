# As the contract has them, and two more at the right.
libperf best --list-columns
