# Help and completions of a sub-command do not offer filters that it refuses: timeline takes --agent and --rank only,
# sync --rank only, top all of them; the tool's own help lists all.  Given all the same, the error says why.
filters() { grep -o -e '--kernel\|--class \|--rank \|--agent\|--stream\|--thread\|--region' | tr -d '\n'; echo; }
for command in top launch timeline sync findings ""; do
	printf '%s: ' "kstats $command"
	kstats $command --help | filters
done
kstats --completion bash | sed -n "/^.'timeline')/,/^.'gaps')/p" >arm
echo "timeline completes to: $(grep -o -e '--agent\|--rank\|--stream\|--region' arm | sort -u | tr '\n' ' ')"
kstats timeline --stream 1 "$TESTDATA/rocprofv3/7.0/run"
