#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tests of nonflat-cl's command line: source in, valid SPIR-V out; the device features that the source can test; messages for errors.
# command.sh NONFLAT_CL SPIRV_VAL SPIRV_DIS FOLDER
set -u
compiler=$1 validate=$2 disassemble=$3 folder=$4
failures=0
rm -rf "$folder"
mkdir -p "$folder/include" && cd "$folder" || exit 1

fail() {
    echo "FAILED: $1"
    failures=$((failures + 1))
}

# compiles NAME ARGUMENT...: standard input must compile to a valid module, whose disassembly is written to NAME.txt.
compiles() {
    name=$1
    shift
    if ! "$compiler" "$@" >"$name.spv" 2>"$name.log"; then
        fail "$name: $(cat "$name.log")"
    elif ! "$validate" --target-env spv1.3 "$name.spv" || ! "$disassemble" "$name.spv" >"$name.txt"; then
        fail "$name: not valid"
    fi
}

# refuses STATUS NAME TEXT ARGUMENT...: it must be refused with this message.
refuses() {
    wanted=$1 name=$2 text=$3
    shift 3
    "$compiler" "$@" >"$name.spv" 2>"$name.log"
    status=$?
    [ $status -eq "$wanted" ] || fail "$name: status $status, not $wanted"
    [ ! -s "$name.spv" ] || fail "$name: it wrote something"
    grep -qF -e "$text" "$name.log" || fail "$name: said '$(cat "$name.log")', not '$text'"
}

has() { grep -q -e "$2" "$1.txt" || fail "$1: nothing like '$2'"; }
lacks() { ! grep -q -e "$2" "$1.txt" || fail "$1: '$2'"; }

# ---- unnamed pointers are generic in every language that has them ----
cat >generic.cl <<'END'
int first(int *p) { return *p; }
kernel void k(global int *out, local int *l) { int x = 3; out[0] = first(&x) + first(l) + first(out); }
END
compiles generic2 --options=-cl-std=CL2.0 <generic.cl
has generic2 PtrCastToGeneric
compiles generic3 --options=-cl-std=CL3.0 --extensions= --features=__opencl_c_generic_address_space <generic.cl
has generic3 PtrCastToGeneric
refuses 1 none3 "address space" --options=-cl-std=CL3.0 --extensions= --features= <generic.cl
compiles bits32 --options=-cl-std=CL2.0 --address-bits=32 <generic.cl
has bits32 "OpMemoryModel Physical32 OpenCL"
compiles cxx --options=-cl-std=CLC++2021 <<'END'
template <class T> struct box { T value; T get() const { return value; } };
kernel void k(global int *out) { box<int> b{5}; const box<int> *p = &b; out[0] = p->get(); }
END
has cxx PtrCastToGeneric
compiles cxx_builtins --options=-cl-std=CLC++ <<'END'
kernel void k(global int *out) { int &r = out[get_global_id(0)]; r = max(r, 3); }
END
has cxx_builtins "BuiltIn GlobalInvocationId"
has cxx_builtins " s_max "
compiles old <<'END'
kernel void k(global int *out) { int a[2] = {1, 2}; int *p = a; out[0] = p[1]; }
END
lacks old Generic

# ---- tail recursion becomes a loop, other recursion remains ----
compiles recursion --options=-cl-std=CL2.0 <<'END'
int sum(int *p, int n) { return n == 0 ? 0 : *p + sum(p + 1, n - 1); }
kernel void k(global int *out) { out[0] = sum(out, 5); }
END
lacks recursion "OpFunctionCall .* %sum"
compiles deeper --options=-cl-std=CL2.0 <<'END'
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
kernel void k(global int *out) { out[0] = fib(out[1]); }
END
has deeper "OpFunctionCall .* %fib"

# ---- floats are compared as integers ----
compiles exchange --options=-cl-std=CL2.0 <<'END'
kernel void k(global atomic_float *f, local atomic_float *l, global float *e)
{
    e[1] = atomic_compare_exchange_strong(f, e, 2.0f) +
           atomic_compare_exchange_weak_explicit(l, e, 2.0f, memory_order_relaxed, memory_order_relaxed, memory_scope_device);
}
END
has exchange "OpAtomicCompareExchange .*%uint "

# ---- initial values of program-scope variables ----
compiles constructors --options=-cl-std=CLC++2021 <<'END'
struct one { int v; one(int x) { for (int i = 0; i < 3; i++) v = (x + 1) * 3; } };
global one both[2] = {one(6), one(12)};
kernel void k(global int *out) { out[0] = both[out[1]].v; }
END
has constructors "OpConstant %uint 21$"
has constructors "OpConstant %uint 39$"
lacks constructors "sub_I"
refuses 1 unknown "cannot be evaluated at compile time" --options=-cl-std=CLC++2021 <<'END'
struct one { int v; one() { v = get_global_size(0); } };
global one o;
kernel void k(global int *out) { out[0] = o.v; }
END
refuses 1 circle "'second' contains an address that leads back" --options=-cl-std=CL2.0 <<'END'
struct node { global struct node *next; };
extern global struct node second;
global struct node first = {&second};
global struct node second = {&first};
kernel void k(global int *out) { out[0] = second.next == &first; }
END
compiles diamond --options=-cl-std=CL2.0 <<'END'
global int last = 4;
global int *global one = &last;
global int *global other = &last;
kernel void k(global int *out) { out[0] = *one + *other; }
END

# ---- dimensions beyond those of a launch ----
compiles dimensions --options=-cl-std=CL2.0 <<'END'
kernel void k(global int *out) { out[0] = get_local_size(7) * 2 + get_group_id(0x80000000u); }
END
lacks dimensions OpCompositeExtract

# ---- inline functions, literals of 128 bits ----
compiles inline --options=-cl-std=CL2.0 <<'END'
inline ulong big(int n) { return 1ull << 40 | n; }
kernel void k(global ulong *out) { out[0] = big(3); }
END
lacks inline "OpTypeInt 128"
lacks inline LinkageAttributes.*Import
compiles outside --options=-cl-std=CL2.0 <<'END'
extern inline int outside(int *p) { return *p + 5; }
kernel void k(global int *out) { out[0] = outside(out); }
END
lacks outside LinkageAttributes.*Import

# ---- features of SPIR-V 1.4 that the SPIR-V writers do not support ----
compiles version --options=-cl-std=CL2.0 <<'END'
kernel void k(global atomic_int *a, global int *out)
{
    int old = 3, table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    int *p = atomic_compare_exchange_weak(a, &old, 4) ? table : (int *)out;
    for (int i = 0; i < 8; i++) out[i] = p[i];
}
END
has version "Version: 1.[0-3]$"
has version OpAtomicCompareExchange # with Weak behind it up to LLVM 15

compiles wide --options=-cl-std=CL2.0 <<'END'
kernel void k(global ulong *out) { out[0] = (out[1] * 3ull) >> 40; }
END
lacks wide "OpTypeInt 128"
compiles parameter --options=-cl-std=CL2.0 <<'END'
kernel void k(global int *out, unsigned long long n) { out[0] = (int)(n >> 3); }
END
lacks parameter "OpTypeInt 128"
refuses 1 member "128 bits" --options=-cl-std=CL2.0 <<'END'
struct pair { unsigned long long n; int x; };
kernel void k(global int *out, struct pair p) { out[0] = (int)(p.n >> 3) + p.x; }
END
refuses 1 double "128 bits" --options=-cl-std=CL2.0 <<'END'
kernel void k(global double *out, int n) { long double d = n; out[0] = (double)(d * d); }
END

# ---- switches on integers of unusual widths, which optimizers create from flags ----
compiles switch --options=-cl-std=CL2.0 <<'END'
uint first(uint *v, uint n, uint want)
{
    for (uint i = 0; i < n; i++) {
        uint pair[2] = {v[i], v[i] * 3};
        if (pair[want & 1] == want) return i;
    }
    return 99;
}
kernel void k(global uint *a, global uint *out)
{
    unsigned long long n = a[0];
    switch (n & 3) { case 0: out[1] = 1; break; case 1: out[1] = 5; break; case 2: out[1] = 9; break; }
    out[0] = first(a, 8, a[1]) + (uint)(5ull * a[2]);
}
END
has switch OpSwitch

# ---- device features that the source can test ----
cat >sees.cl <<'END'
#if defined(__SPIR__) || defined(cl_khr_fp16) || defined(cl_khr_subgroups) || defined(cl_intel_subgroups)
#error more than the device has
#endif
#if !defined(cl_khr_fp64) || !defined(cl_khr_int64_base_atomics) || !defined(cl_vendor_thing)
#error less than the device has
#endif
#if __OPENCL_VERSION__ != 120 || defined(__IMAGE_SUPPORT__) || !defined(__EMBEDDED_PROFILE__)
#error another device
#endif
#if __OPENCL_C_VERSION__ == 300 && (!defined(__opencl_c_fp64) || defined(__opencl_c_subgroups))
#error other features
#endif
kernel void k(global double *d, global long *l) { d[0] *= 2; atom_add(l, 1L); }
END
for standard in 1.2 2.0 3.0; do
    compiles "sees$standard" --options=-cl-std=CL$standard --version=120 --no-images --embedded --features=__opencl_c_fp64 \
        --extensions="cl_khr_fp64 cl_khr_int64_base_atomics cl_vendor_thing" --input=sees.cl
done
compiles all --options=-cl-std=CL2.0 <<'END'
#if !defined(cl_khr_fp16) || !defined(cl_khr_fp64) || !defined(__IMAGE_SUPPORT__) || __OPENCL_VERSION__ != 300
#error less than everything
#endif
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(global half *h) { h[0] *= 2; }
END
refuses 1 nofp64 "cl_khr_fp64" --extensions= --options=-cl-std=CL1.2 <<'END'
kernel void k(global double *d) { d[0] *= 2; }
END

# ---- samplers as arguments of functions: the translator of LLVM 15 crashes on one in a variable ----
compiles samplers --options=-cl-std=CL2.0 <<'END'
constant sampler_t everywhere = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
int read(read_only image2d_t i, sampler_t s) { return read_imagei(i, s, (int2)(0, 0)).x; }
int choose(read_only image2d_t i, sampler_t s, sampler_t t, int *p) { return *p ? read(i, s) : read(i, t); }
kernel void k(global int *o, read_only image2d_t i, sampler_t s)
{
    sampler_t own = CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
    o[0] = choose(i, s, everywhere, o) + choose(i, own, s, o + 1);
}
END

# ---- options ----
compiles options --options="-D A=1 -DB='(2 + 3)' -D \"C=4\" -cl-std=CL2.0 -I include -cl-mad-enable -w" <<'END'
#if A != 1 || B != 5 || C != 4
#error -D
#endif
kernel void k(global int *i) { i[0] = A; }
END
compiles letters --options="-DQ='x' -DBLANK='(1 + 1)' -D R='y' \"-DS='z'\"" <<'END'
#if Q != 'x' || BLANK != 2 || R != 'y' || S != 'z'
#error quotes
#endif
kernel void k(global int *i) { i[0] = Q; }
END
compiles every --options="-cl-single-precision-constant -cl-denorms-are-zero -cl-fp32-correctly-rounded-divide-sqrt \
    -cl-opt-disable -cl-strict-aliasing -cl-mad-enable -cl-no-signed-zeros -cl-unsafe-math-optimizations -Werror \
    -cl-finite-math-only -cl-fast-relaxed-math -cl-kernel-arg-info -cl-no-subgroup-ifp -cl-std=CL2.0" <generic.cl
compiles uniform --options="-cl-std=CL2.0 -cl-uniform-work-group-size -w" <generic.cl
# (with -g the disassembly does not validate, whichever writer produced the module)
"$compiler" --options="-g -cl-std=CL2.0" <generic.cl >debug.spv || fail debug
compiles fast --options=-cl-fast-relaxed-math <<'END'
#ifndef __FAST_RELAXED_MATH__
#error not fast
#endif
kernel void k(global float *f) { f[0] = f[1] * f[2] + f[3]; }
END
refuses 1 unknown "unknown option '-cl-nonsense'" --options=-cl-nonsense <generic.cl
refuses 1 standard "CL9.0" --options=-cl-std=CL9.0 <generic.cl
refuses 1 werror "-Wunused-comparison" --options="-Werror" <<'END'
kernel void k(global int *i) { i[0] == 1; }
END

# ---- an expression that is too deep for the host's stack limit is no refusal of the source, because a refusal would be cached ----
deep=$(printf '(%.0s' $(seq 200))o[1]$(printf ')%.0s' $(seq 200))
echo "kernel void k(global int *o) { o[0] = $deep; }" >deep.cl
compiles deep <deep.cl
(ulimit -s 128 && "$compiler" <deep.cl >shallow.spv 2>shallow.log)
[ $? -eq 4 ] || fail "shallow: not 4: $(cat shallow.log)"

# ---- a host whose working directory has been removed ----
mkdir gone
(cd gone && rmdir "$PWD" && "$compiler" --options=-cl-std=CL2.0) <generic.cl >nowhere.spv 2>nowhere.log || fail "nowhere: $(cat nowhere.log)"
"$validate" nowhere.spv || fail "nowhere: its module is not valid"

# ---- headers: in the input, or on disk; the former take precedence ----
printf '#include <sub/one.h>\n#include "two.h"\nkernel void k(global int *i) { i[0] = ONE + TWO; }\n\0' >headers.bin
printf '#define ONE 1\n\0' >>headers.bin
echo '#define TWO 2' >include/two.h
mkdir -p include/sub
echo '#error the wrong one' >include/sub/one.h
compiles headers --options=-Iinclude --header=14:sub/one.h <headers.bin
printf '#include "input.cl"\nkernel void k(global int *i) { i[0] = ONE; }\n\0#define ONE 1\n\0' | compiles same-name --header=14:input.cl
printf 'constant char name[] = __FILE__; kernel void k(global int *i) { i[0] = name[0] + sizeof name; }\n' |
    "$compiler" --options=-g >file.spv || fail "file"
strings -n 4 file.spv | grep -qx input.cl || fail "file: not named"
! strings -n 4 file.spv | grep nonflat-cl/ || fail "file: our own folder is named"
refuses 1 missing "'two.h' file not found" --header=14:sub/one.h <headers.bin
refuses 2 longer "does not fit" --header=999:sub/one.h <headers.bin

# The host's working directory is searched last.
echo '#define HERE 3' >here.h
printf '#include <here.h>\nkernel void k(global int *i) { i[0] = HERE; }\n' | "$compiler" --notes >here.bin || fail "here"
grep -qa "$(pwd)/./here.h" here.bin || fail "here: not noted"
echo '#define HERE i' >include/here.h
printf '#include "here.h"\nkernel void k(global int *i) { int *j = HERE; }\n' | compiles here-last --options="-Iinclude -cl-std=CL2.0"

# ---- line numbers of the user's file ----
refuses 1 lines "input.cl:3:5: error" <<'END'
kernel void k(global int *i)
{
    j = 1;
}
END
{ echo "kernel void k(global int *i) {"; for n in $(seq 300); do echo "i[0] = j$n;"; done; echo "}"; } >many.cl
refuses 1 many "too many errors" <many.cl
[ "$(grep -c ': error: ' many.log)" -eq 100 ] || fail "many: not 100 errors"
printf '#include "bad.h"\n\0int int;\n\0' >bad.bin
refuses 1 header-line "bad.h:1:" --header=9:bad.h <bad.bin
! grep -q nonflat-cl/ header-line.log || fail "header-line: our own folder is named"

# ---- source that a compiler without generic pointers would accept, with the features of the device itself ----
notes_passes() { "$compiler" --notes --supplied=__opencl_c_generic_address_space --features= --extensions= "$@" | grep -qa "^passes 0 0"; }
for standard in CL2.0 CL3.0; do
    printf 'int f(int *p) { return *p; }\nkernel void k(global int *o) { int x = 1; o[0] = f(&x); }' |
        notes_passes --options=-cl-std=$standard || fail "passes $standard"
    ! notes_passes --options=-cl-std=$standard <generic.cl || fail "does not pass $standard"
done
printf 'kernel void k(global int *o) { o[0] = to_local(o) != 0; }' | notes_passes --options=-cl-std=CL2.0 && fail "to_local passes"

# ---- notes ----
printf '#include "two.h"\n#if __has_include("absent.h")\n#endif\ntypedef float4 quad;
kernel __attribute__((work_group_size_hint(8, 2, 1))) __attribute__((reqd_work_group_size(4, 2, 1)))
__attribute__((vec_type_hint(uint2))) void k(global const int *restrict in, quad q, read_only image2d_t image, local char *l) {}' |
    "$compiler" --notes --options="-Iinclude -cl-kernel-arg-info" >notes.bin || fail notes
for line in "file [0-9]* 14" "/include/two.h#define TWO 2" "absent [0-9]* 0" "/include/absent.h" \
    "kwork_group_size_hint(8,2,1) reqd_work_group_size(4,2,1) vec_type_hint(uint2) " "1	none	int\*	restrict const	in" "0	none	quad		q" \
    "1	read_only	image2d_t		image" "3	none	char\*		l" "module 0 0"; do
    grep -qa -e "$line" notes.bin || fail "notes: no '$line' in $(strings notes.bin | head -40)"
done

refuses 2 argument "unknown argument" --nonsense <generic.cl
refuses 2 file "cannot read /nonexistent" --input=/nonexistent
refuses 2 number "unknown argument" --version=x <generic.cl
"$compiler" --help | grep -q "^usage: nonflat-cl" || fail "--help"
"$compiler" --version | grep -q "^nonflat-cl .*LLVM" || fail "--version"
[ $failures -eq 0 ] && echo "passed"
exit $failures
