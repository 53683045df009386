# Completions for zsh and fish are valid for their shell where it is here.
kstats --completion zsh >z && head -n 1 z
kstats --completion fish >f && head -n 1 f
if command -v zsh >/dev/null; then zsh -n z; fi
if command -v fish >/dev/null; then fish -n f; fi
