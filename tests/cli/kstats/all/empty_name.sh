# An empty name, as of a shell variable that is unset, is shown as one.
for tool in 'kstats top' tracereport 'tracediff x' 'libperf top' powerstats; do
	$tool '' 2>&1 | grep "''"
done
