#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# powerstats --by against fractions: the energy of steps and regions of random runs, in any arrangement, and that all of it adds up to
# the energy of the devices.
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
exec python3 -B "$here/energy_by.py"
