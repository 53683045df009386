# rocprof-sys: a second table beside the first, and a unit behind the rows that they cannot have.
entry='{"prefix": "|0>>> main", "depth": 0, "entry": {"laps": 1, "accum": 100}, "stats": {"min": 0.1, "max": 0.1, "mean": 0.1, "stddev": 0}}'
ranks="\"ranks\": [{\"rank\": 0, \"graph_size\": 1, \"graph\": [$entry]}]"
metric="{\"unit_value\": 1000000000, \"unit_repr\": \"sec\", $ranks}"
printf '{"timemory": {"wall_clock": %s, "cpu_clock": %s}}\n' "$metric" "$metric" >two.json
printf '{"timemory": {"wall_clock": {%s, "unit_value": 1, "unit_repr": "parsec"}}}\n' "$ranks" >unit.json
kstats top -f csv --domain marker --columns name,calls,total_ns two.json; echo $?
kstats top -f csv --domain marker --columns name,calls,total_ns unit.json; echo $?
