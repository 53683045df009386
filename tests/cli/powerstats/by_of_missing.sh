# What is to be the trace of --by cannot be read: that is said, and not that --trace is missing.
powerstats --by region missing.db
echo $?
