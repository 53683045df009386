# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# What an oracle begins with: where it lies (here), the project (root), the tools in PATH, shared data (shared), python3.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[1]}")" && pwd)
root=$(cd "$here/../.." && pwd)
PATH=${BUILD:-$root/build/bin}:$PATH
# shellcheck disable=SC2034 # for those who source this
shared=${TRACEMILL_SHARED:-$root/../shared}
if ! command -v python3 >/dev/null; then
	echo "not run: no python3"
	exit 77
fi

# A folder to work in (work), which goes when the oracle ends.
make_work() {
	work=$(mktemp -d) || exit 2
	trap 'rm -rf "$work"' EXIT
	trap 'exit 130' INT TERM
}
