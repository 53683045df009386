# Agents are no events: the file is known, but there is nothing to show.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv3/7.0/run/app_agent_info.csv
