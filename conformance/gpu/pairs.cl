// SPDX-License-Identifier: Apache-2.0
// Kernels that are compiled twice: without EXPLICIT, and with -DEXPLICIT, which gives every pointer an explicit address
// space. T is an element type; KERNEL=n selects one kernel. Each pointer parameter of a helper function always points to
// one memory.
#ifdef EXPLICIT
#define G global
#define L local
#define P private
#else
#define G
#define L
#define P
#endif
#define CALLEE __attribute__((noinline))

#if KERNEL == 0 // a copy, by pointers that move
void copy(G T *to, G const T *from, int n)
{
    for (G const T *end = from + n; from != end;)
        *to++ = *from++;
}
kernel void k(global T *out, global T *in, int n)
{
    copy(out + get_global_id(0) * n, in + get_global_id(0) * n, n);
}
#elif KERNEL == 1 // a sum, in a callee
CALLEE T sum(G const T *p, int n)
{
    T s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}
kernel void k(global T *out, global T *in, int n)
{
    out[get_global_id(0)] = sum(in + get_global_id(0) * n, n) + sum(in, n);
}
#elif KERNEL == 2 // a tile in local memory
T turned(L T *tile, int i)
{
    return tile[63 - i] + tile[i ^ 1];
}
kernel void k(global T *out, global T *in)
{
    local T tile[64];
    tile[get_local_id(0)] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = turned(tile, get_local_id(0));
}
#elif KERNEL == 3 // sorting in private memory
void sort(P T *a, int n)
{
    for (int i = 1; i < n; i++) {
        T v = a[i];
        P T *at = a + i;
        for (; at > a && at[-1] > v; at--)
            *at = at[-1];
        *at = v;
    }
}
kernel void k(global T *out, global T *in, int n)
{
    T a[8];
    for (int i = 0; i < 8; i++)
        a[i] = in[get_global_id(0) * 8 + i];
    sort(a, n & 7);
    for (int i = 0; i < 8; i++)
        out[get_global_id(0) * 8 + i] = a[i];
}
#elif KERNEL == 4 // a structure by value, read by a callee
struct four { T a, b, c, d; };
CALLEE T chosen(P const struct four *s, int i)
{
    return i & 1 ? s->a + s->c : s->b + s->d;
}
kernel void k(global T *out, struct four s)
{
    out[get_global_id(0)] = chosen(&s, get_global_id(0));
}
#elif KERNEL == 5 // an array by value, read by a callee's callee
struct eight { T t[8]; };
CALLEE T at(P const T *t, int i)
{
    return t[i & 7];
}
CALLEE T both(P const struct eight *s, int i)
{
    return at(s->t, i) + at(s->t, i + 3);
}
kernel void k(global T *out, struct eight s)
{
    out[get_global_id(0)] = both(&s, get_global_id(0));
}
#elif KERNEL == 6 // the captures of a lambda: a structure that holds pointers
struct captured { G T *out; G T *in; int n; };
CALLEE void run(P const struct captured *c, int i)
{
    if (i < c->n) c->out[i] = c->in[c->n - 1 - i];
}
kernel void k(global T *out, global T *in, int n)
{
    struct captured c = {out, in, n};
    run(&c, get_global_id(0));
}
#elif KERNEL == 7 // a choice between two buffers
kernel void k(global T *out, global T *a, global T *b, int n)
{
    G T *from = get_global_id(0) % 3 ? a : b;
    out[get_global_id(0)] = from[get_global_id(0)] + from[n];
}
#elif KERNEL == 8 // a list in a buffer
struct node { T value; int next; };
T walk(G const struct node *nodes, int at)
{
    T sum = 0;
    for (G const struct node *p = nodes + at; p->next; p = nodes + p->next)
        sum += p->value;
    return sum;
}
kernel void k(global T *out, global struct node *nodes)
{
    out[get_global_id(0)] = walk(nodes, get_global_id(0));
}
#elif KERNEL == 9 // a swap in local memory
void swap(L T *a, L T *b)
{
    T t = *a;
    *a = *b;
    *b = t;
}
kernel void k(global T *out, global T *in)
{
    local T tile[128];
    int i = get_local_id(0);
    tile[i] = in[i];
    tile[i + 64] = in[i + 64];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tile[i] > tile[i + 64]) swap(&tile[i], &tile[i + 64]);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = tile[i];
}
#elif KERNEL == 10 // results through pointers
CALLEE void ends(G const T *p, int n, P T *least, P T *most)
{
    *least = *most = p[0];
    for (int i = 1; i < n; i++) {
        if (p[i] < *least) *least = p[i];
        if (p[i] > *most) *most = p[i];
    }
}
kernel void k(global T *out, global T *in, int n)
{
    T least, most;
    ends(in + get_global_id(0) * n, n, &least, &most);
    out[get_global_id(0)] = most - least;
}
#elif KERNEL == 11 // rows and columns
T product(G const T *row, G const T *column, int n)
{
    T sum = 0;
    for (int i = 0; i < n; i++, column += n)
        sum += row[i] * *column;
    return sum;
}
kernel void k(global T *out, global T *a, global T *b, int n)
{
    int row = get_global_id(1), column = get_global_id(0);
    out[row * n + column] = product(a + row * n, b + column, n);
}
#elif KERNEL == 12 // atomics in local memory
void count(L volatile int *bins, int value)
{
#ifdef EXPLICIT
    atomic_add(&bins[value & 15], 1);
#else
    atomic_fetch_add_explicit((volatile atomic_int *)&bins[value & 15], 1, memory_order_relaxed, memory_scope_device);
#endif
}
kernel void k(global T *out, global T *in)
{
    local int bins[16];
    if (get_local_id(0) < 16) bins[get_local_id(0)] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    count(bins, (int)in[get_global_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) < 16) out[get_local_id(0)] = (T)bins[get_local_id(0)];
}
#elif KERNEL == 13 // vectors of memory
kernel void k(global T *out, global T *in, int n)
{
    G T *from = in + n, *to = out + n;
    vstore4(vload4(get_global_id(0), from) * (T)3, get_global_id(0), to);
}
#elif KERNEL == 14 // a table of pointers
kernel void k(global T *out, global T *a, global T *b, global T *c, int n)
{
    G T *table[4] = {a, b, c, a + 64};
    int i = get_global_id(0);
    out[i] = table[(i + n) & 3][i];
}
#elif KERNEL == 15 // a structure that is copied from one memory to another
struct row { T t[6]; int n; };
void fetch(P struct row *to, G const struct row *from)
{
    *to = *from;
}
kernel void k(global T *out, global struct row *rows)
{
    struct row row;
    fetch(&row, rows + get_global_id(0));
    T sum = 0;
    for (int i = 0; i < (row.n & 7) - 2; i++)
        sum += row.t[i];
    out[get_global_id(0)] = sum;
}
#elif KERNEL == 16 // a search that returns a pointer
CALLEE G const T *found(G const T *from, G const T *to, T wanted)
{
    while (from < to) {
        G const T *middle = from + (to - from) / 2;
        if (*middle < wanted)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}
kernel void k(global int *out, global T *in, int n)
{
    out[get_global_id(0)] = found(in, in + n, (T)get_global_id(0)) - in;
}
#elif KERNEL == 17 // a scan in local memory
CALLEE void scan(L T *t, int i, int n)
{
    for (int step = 1; step < n; step *= 2) {
        T before = i >= step ? t[i - step] : (T)0;
        barrier(CLK_LOCAL_MEM_FENCE);
        t[i] += before;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
kernel void k(global T *out, global T *in)
{
    local T t[64];
    t[get_local_id(0)] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    scan(t, get_local_id(0), 64);
    out[get_global_id(0)] = t[get_local_id(0)];
}
#elif KERNEL == 18 // an optional buffer
T value_or(G const T *p, int i, T other)
{
    return p ? p[i] : other;
}
kernel void k(global T *out, global T *in, int n)
{
    out[get_global_id(0)] = value_or(in, get_global_id(0), (T)n);
}
#elif KERNEL == 19 // fields of structures in a buffer
struct body { T x, y, vx, vy; };
CALLEE void move(G struct body *b, T by)
{
    b->x += b->vx * by;
    b->y += b->vy * by;
}
kernel void k(global struct body *bodies, T by, int n)
{
    for (int i = 0; i < n; i++)
        move(bodies + get_global_id(0) * n + i, by);
}
#elif KERNEL == 20 // a stack in private memory
struct stack { T t[16]; int n; };
CALLEE void push(P struct stack *s, T v)
{
    s->t[s->n++ & 15] = v;
}
CALLEE T pop(P struct stack *s)
{
    return s->t[--s->n & 15];
}
kernel void k(global T *out, global T *in, int n)
{
    struct stack s;
    s.n = 0;
    for (int i = 0; i < n; i++)
        push(&s, in[i]);
    T sum = 0;
    while (s.n)
        sum = sum * (T)3 + pop(&s);
    out[get_global_id(0)] = sum;
}
#elif KERNEL == 21 // three memories, each by its own callee
T of_global(G const T *p, int i)
{
    return p[i];
}
T of_local(L const T *p, int i)
{
    return p[i];
}
T of_private(P const T *p, int i)
{
    return p[i];
}
kernel void k(global T *out, global T *in, int n)
{
    local T tile[64];
    T own[4];
    for (int i = 0; i < 4; i++)
        own[i] = in[i * n];
    tile[get_local_id(0)] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = of_global(in, n) + of_local(tile, n & 63) + of_private(own, n & 3);
}

// Kernels whose pointers may point to several memories: the explicit form is written by hand.
#elif KERNEL == 22 // each work-item loads from one of two memories
kernel void k(global T *out, global T *in, int n)
{
    local T tile[64];
    int i = get_local_id(0);
    tile[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
#ifdef EXPLICIT
    out[get_global_id(0)] = i % 3 ? tile[i ^ 1] : in[i * n];
#else
    T *from = i % 3 ? (T *)tile + (i ^ 1) : (T *)in + i * n;
    out[get_global_id(0)] = *from;
#endif
}
#elif KERNEL == 23 // a buffer, or local memory if it is small, as the host says
kernel void k(global T *out, global T *in, int n)
{
    local T tile[64];
    tile[get_local_id(0)] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    T sum = 0;
#ifdef EXPLICIT
    if (n <= 64)
        for (int i = 0; i < n; i++)
            sum += tile[i];
    else
        for (int i = 0; i < n; i++)
            sum += in[i];
#else
    const T *from = n <= 64 ? (const T *)tile : (const T *)in;
    for (int i = 0; i < n; i++)
        sum += from[i];
#endif
    out[get_global_id(0)] = sum;
}
#elif KERNEL == 24 // each work-item stores to one of two memories
kernel void k(global T *out, global T *in, int n)
{
    local T tile[64];
    int i = get_local_id(0);
    tile[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
#ifdef EXPLICIT
    if (i & 1)
        tile[i] = (T)n;
    else
        out[i + 64] = (T)n;
#else
    *(i & 1 ? (T *)tile + i : (T *)out + i + 64) = (T)n;
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = tile[63 - i];
}
#elif KERNEL == 25 // a word that is changed in one of two memories
kernel void k(global T *out, global T *in, int n)
{
    local T tile[64];
    int i = get_local_id(0);
    tile[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
#ifdef EXPLICIT
    if (i % 3)
        tile[i] += (T)n;
    else
        out[i + 64] += (T)n;
#else
    T *at = i % 3 ? (T *)tile + i : (T *)out + i + 64;
    *at += (T)n;
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = tile[63 - i];
}
#elif KERNEL == 26 // rounds that swap a buffer and local memory
kernel void k(global T *out, global T *in, int n)
{
    local T tile[64];
    int i = get_local_id(0);
    tile[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#ifdef EXPLICIT
    for (int round = 0; round < n; round++) {
        if (round & 1)
            tile[i] = out[i ^ 1] + out[63 - i];
        else
            out[i] = tile[i ^ 1] + tile[63 - i];
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
#else
    T *from = tile, *to = out;
    for (int round = 0; round < n; round++) {
        to[i] = from[i ^ 1] + from[63 - i];
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        T *kept = from;
        from = to;
        to = kept;
    }
#endif
}
#elif KERNEL == 27 // each work-item walks through one of two memories
kernel void k(global T *out, global T *in, int n)
{
    local T tile[64];
    int i = get_local_id(0);
    tile[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    T sum = 0;
#ifdef EXPLICIT
    if (i & 1)
        for (int j = 0; j < n; j++)
            sum += tile[j];
    else
        for (int j = 0; j < n; j++)
            sum += in[j];
#else
    const T *from = i & 1 ? (const T *)tile : (const T *)in;
    for (int j = 0; j < n; j++)
        sum += from[j];
#endif
    out[get_global_id(0)] = sum;
}
#elif KERNEL == 28 // a structure whose pointer is one of two memories
struct span { const T *data; int n; };
T total(const struct span *s)
{
    T sum = 0;
    for (int i = 0; i < s->n; i++)
        sum += s->data[i];
    return sum;
}
kernel void k(global T *out, global T *in, int n)
{
    local T tile[64];
    tile[get_local_id(0)] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
#ifdef EXPLICIT
    T sum = 0;
    if (n < 64)
        for (int i = 0; i < n; i++)
            sum += tile[i];
    else
        for (int i = 0; i < n; i++)
            sum += in[i];
    out[get_global_id(0)] = sum;
#else
    struct span s = {n < 64 ? (const T *)tile : (const T *)in, n};
    out[get_global_id(0)] = total(&s);
#endif
}
#elif KERNEL == 29 // one of three memories
kernel void k(global T *out, global T *in, int n)
{
    local T tile[64];
    T own[4];
    int i = get_local_id(0);
    for (int j = 0; j < 4; j++)
        own[j] = in[j * n];
    tile[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
#ifdef EXPLICIT
    int which = i % 3;
    out[get_global_id(0)] = which == 0 ? own[n & 3] : which == 1 ? tile[n & 63] : in[n];
#else
    const T *from = i % 3 == 0 ? own + (n & 3) : i % 3 == 1 ? (const T *)tile + (n & 63) : (const T *)in + n;
    out[get_global_id(0)] = *from;
#endif
}
#elif KERNEL == 30 // the greatest of a buffer and of local memory, by its address
kernel void k(global T *out, global T *in, int n)
{
    local T tile[64];
    int i = get_local_id(0);
    tile[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
#ifdef EXPLICIT
    int best = 0;
    bool is_local = false;
    T most = in[0];
    for (int j = 0; j < n; j++) {
        if (in[j] > most) {
            most = in[j];
            best = j;
            is_local = false;
        }
        if (tile[j] > most) {
            most = tile[j];
            best = j;
            is_local = true;
        }
    }
    if (is_local)
        tile[best] = 0;
    else
        in[best] = 0;
#else
    T *best = in;
    for (int j = 0; j < n; j++) {
        if (in[j] > *best) best = in + j;
        if (tile[j] > *best) best = tile + j;
    }
    *best = 0;
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[i];
}
#endif
