# SPDX-License-Identifier: Apache-2.0
"""passes.py - random sequences of LLVM's passes, which write a program in forms that no optimization level of clang writes.

pipeline(seed) is the argument of opt's option -passes: the same one for the same seed. The passes are those of LLVM 15 that accept any module
and whose results llvm-spirv can usually translate. Some sequences give instructions that llvm-spirv lacks, such as `freeze`.
"""
import random

BEGINNINGS = ("sroa", "mem2reg", "sroa,instcombine", "early-cse")
FUNCTION = """adce aggressive-instcombine bdce break-crit-edges callsite-splitting consthoist correlated-propagation dce div-rem-pairs dse
early-cse early-cse<memssa> fix-irreducible float2int gvn gvn-hoist gvn-sink instcombine instsimplify jump-threading lcssa load-store-vectorizer
loop-distribute loop-fusion loop-load-elim loop-simplify loop-unroll<full-unroll-max=8> loop-vectorize lowerswitch mem2reg memcpyopt mergeicmps
mldst-motion nary-reassociate newgvn partially-inline-libcalls reassociate reg2mem scalarizer sccp separate-const-offset-from-gep simplifycfg sink
slp-vectorizer slsr speculative-execution sroa structurizecfg tailcallelim unify-loop-exits vector-combine""".split()
LOOP = """indvars loop-deletion loop-idiom loop-instsimplify loop-predication loop-reduce loop-unroll-full loop-versioning-licm""".split()
LOOP_WITH_MEMORY = ("licm", "loop-rotate", "simple-loop-unswitch<nontrivial>")
CALL_GRAPH = ("inline", "argpromotion")
MODULE = """always-inline attributor called-value-propagation constmerge deadargelim globaldce globalopt hotcoldsplit iroutliner ipsccp mergefunc
partial-inliner""".split()


def function_passes(generator):
    return "function(" + ",".join(generator.choice(FUNCTION) for _ in range(generator.randint(1, 3))) + ")"


def loop_passes(generator):
    manager, passes = generator.choice((("loop", LOOP), ("loop", LOOP), ("loop-mssa", LOOP_WITH_MEMORY)))
    return f"function(loop-simplify,lcssa,{manager}({generator.choice(passes)}))"


def pipeline(seed):
    """@return a sequence of 3 to 15 groups of passes."""
    generator = random.Random(seed)
    groups = [f"function({generator.choice(BEGINNINGS)})"] if generator.random() < 0.7 else []
    for _ in range(generator.randint(3, 14)):
        kind = generator.random()
        if kind < 0.6:
            groups.append(function_passes(generator))
        elif kind < 0.8:
            groups.append(loop_passes(generator))
        elif kind < 0.92:
            groups.append(f"cgscc({generator.choice(CALL_GRAPH)})")
        else:
            groups.append(generator.choice(MODULE))
    return ",".join(groups)
