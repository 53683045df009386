# SPDX-License-Identifier: MIT
# For lints that ask a slow program about each file: what was clean is not looked at again.  `make quick`
# names a folder for that, LINT_CLEAN; without it, as in `make lint` and `make check`, everything is changed.

# sums HOW FILE...: "SUM  FILE" for each file.  HOW is what the verdict depends on beside the file.
sums() {
	local how
	how=$(printf '%s' "$1" | cksum)
	shift
	printf '%s\0' "$@" | xargs -0 -r sha256sum | sed "s/^/${how%% *} /"
}

# changed NAME HOW FILE...: those that the lint NAME has not found clean, NUL-separated.
changed() {
	local name=$1 how=$2
	shift 2
	if [ -n "${LINT_CLEAN-}" ] && [ -f "$LINT_CLEAN/$name" ]; then
		sums "$how" "$@" | grep -vxFf "$LINT_CLEAN/$name" | sed 's/^[^ ]* [^ ]*  //' | tr '\n' '\0'
	elif [ $# -gt 0 ]; then
		printf '%s\0' "$@"
	fi
}

# clean NAME HOW FILE...: the lint NAME has found nothing in them.
clean() {
	local name=$1 how=$2
	shift 2
	if [ -n "${LINT_CLEAN-}" ] && mkdir -p "$LINT_CLEAN"; then
		sums "$how" "$@" >"$LINT_CLEAN/$name"
	fi
}
