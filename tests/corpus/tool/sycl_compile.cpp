/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sycl_compile.cpp - compiles SYCL source to SPIR-V with the DPC++ of a PyPI package.
 *
 * Intel's `intel-sycl-rt` wheel has no `clang++ -fsycl`, but its run-time compiler is the same DPC++ front end. This
 * program passes each source file to that compiler and builds the result for the OpenCL CPU device; record_layer.c,
 * listed in OPENCL_LAYERS, stores the module that is passed to clCreateProgramWithIL.
 *
 *     sycl_compile OUT.spv SOURCE.cpp OPTION...
 *
 * Exit status: 0 the module is in OUT.spv, 1 the source does not compile (log on standard error), 2 usage.
 */
#include <sycl/sycl.hpp>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace syclex = sycl::ext::oneapi::experimental;

static std::string read_file(const char *path)
{
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error(std::string("cannot read ") + path);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

static void compile(const std::string &text, const std::vector<std::string> &options, std::string &log)
{
    sycl::queue queue{sycl::cpu_selector_v};
    auto source = syclex::create_kernel_bundle_from_source(queue.get_context(), syclex::source_language::sycl, text);
    syclex::build(source, syclex::properties{syclex::build_options{options}, syclex::save_log{&log}});
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        std::cerr << "usage: sycl_compile OUT.spv SOURCE.cpp OPTION...\n";
        return 2;
    }
    std::string log;
    try {
        setenv("NONFLAT_RECORD", argv[1], 1);
        compile(read_file(argv[2]), std::vector<std::string>(argv + 3, argv + argc), log);
    } catch (const std::exception &error) {
        std::cerr << argv[2] << ": " << error.what() << "\n" << log;
        return 1;
    }
    return std::ifstream(argv[1]).good() ? 0 : 1;
}
