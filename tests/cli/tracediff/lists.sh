# The columns of both tables.
tracediff --list-columns
tracediff --account --list-columns
