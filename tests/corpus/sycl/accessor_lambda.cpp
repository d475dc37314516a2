// SPDX-License-Identifier: Apache-2.0
// A lambda kernel over a local accessor and captured pointers; the run-time passes its ranges.
/* TRUTH
{"kernels": [{"name": "_ZTSZZ4hostN4sycl3_V15queueEPiS2_ENKUlRNS0_7handlerEE_clES4_E6Kernel", "args": [], "expect": {}, "ambiguous": 0}],
 "run": "the argument list of a lambda kernel is private to the run-time and differs between levels"}
*/
template <typename T> struct Box {
    T *p;
    int n;
    T get(int i) const { return p[i % n]; }
};
void host(sycl::queue queue, int *out, int *in) {
    Box<int> box{in, 64};
    queue.submit([&](sycl::handler &handler) {
        sycl::local_accessor<int, 1> near(16, handler);
        handler.parallel_for<class Kernel>(sycl::nd_range<1>(64, 16), [=](sycl::nd_item<1> item) {
            int i = item.get_global_id(0), *p = &near[i % 16];
            *p = box.get(i);
            auto add = [&](int by) { return p[0] + by; };
            out[i] = add(3);
        });
    });
}
