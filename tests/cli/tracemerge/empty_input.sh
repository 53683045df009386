# Nothing in: an error, and an output that stays as empty as the shell made it.
tracemerge - > run.db; echo $?
wc -c < run.db
tracemerge -o other.db -; echo $?
ls
