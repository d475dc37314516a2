#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# launch_instructions.sh BENCH WORK - a launch costs no more with 10,000 live allocations than with 10: it counts the layer's own
# instructions, which other load on the machine does not change. 1,500 take less than a microsecond on any processor with more than 1.5
# instructions a nanosecond, and a difference of 100 is not proportional to the allocations.
bench=$1
work=$2
launches=100
for tool in valgrind callgrind_annotate; do
    command -v "$tool" >/dev/null || { echo "SKIPPED: no $tool"; exit 77; }
done
mkdir -p "$work"

# count ALIVE: prints the layer's instructions in all calls that set an argument and launch
count() {
    valgrind -q --tool=callgrind --callgrind-out-file="$work/$1" --toggle-collect=nf_usm_enqueue_nd_range_kernel \
        --toggle-collect=nf_usm_set_kernel_arg_pointer "$bench" $launches "$1" >"$work/log" 2>&1 || return
    callgrind_annotate --auto=no --threshold=100 --show=Ir "$work/$1" |
        awk '/libnonflat_usm/ { gsub(",", "", $1); sum += $1 } END { printf "%d\n", sum }'
}

few=$(count 10)
many=$(count 10000)
if [ -z "$few" ] || [ -z "$many" ]; then
    grep SKIPPED "$work/log" && exit 77
    cat "$work/log"
    exit 1
fi
echo "instructions of the layer for an argument and a launch: $((few / launches)) with 10 alive, $((many / launches)) with 10,000"
[ "$few" -gt 0 ] && [ "$((many / launches))" -le 1500 ] && [ "$((many / launches))" -le "$((few / launches + 100))" ]
