// SPDX-License-Identifier: Apache-2.0
// Integers from the host are stored in nodes, next to links that are boxed, shifted left, hashed and counted, in one
// memory. A 32-bit integer next to an address is not an address, nor is the lower half of a word without an upper one.
/* TRUTH
{"kernels": [
  {"name": "collector", "args": ["zero:4", "buffer:uint:{[(i * 2654435761 + 12345) % 4294967296 >> 7 for i in range(64)]}", "local:2304"],
   "expect": {"0": "uint:4216389159"}, "global": 1, "local": 1},
  {"name": "own_collector", "args": ["zero:4", "buffer:uint:{[(i * 2654435761 + 12345) % 4294967296 >> 7 for i in range(64)]}"],
   "expect": {"0": "uint:4216389159"}, "global": 1, "local": 1},
  {"name": "boxes", "args": ["zero:4", "buffer:uint:{[(i * 2654435761 + 12345) % 4294967296 >> 7 for i in range(64)]}", "local:2304"],
   "expect": {"0": "uint:8196170"}, "global": 1, "local": 1},
  {"name": "own_boxes", "args": ["zero:4", "buffer:uint:{[(i * 2654435761 + 12345) % 4294967296 >> 7 for i in range(64)]}"],
   "expect": {"0": "uint:8196170"}, "global": 1, "local": 1},
  {"name": "moved_up", "args": ["zero:4", "buffer:uint:{[(i * 2654435761 + 12345) % 4294967296 >> 7 for i in range(64)]}", "local:2304"],
   "expect": {"0": "uint:3193047299"}, "global": 1, "local": 1},
  {"name": "own_moved_up", "args": ["zero:4", "buffer:uint:{[(i * 2654435761 + 12345) % 4294967296 >> 7 for i in range(64)]}"],
   "expect": {"0": "uint:3193047299"}, "global": 1, "local": 1},
  {"name": "hashed", "args": ["zero:4", "buffer:uint:{[(i * 2654435761 + 12345) % 4294967296 >> 7 for i in range(64)]}", "local:2304"],
   "expect": {"0": "uint:2463455729"}, "global": 1, "local": 1},
  {"name": "own_hashed", "args": ["zero:4", "buffer:uint:{[(i * 2654435761 + 12345) % 4294967296 >> 7 for i in range(64)]}"],
   "expect": {"0": "uint:2463455729"}, "global": 1, "local": 1},
  {"name": "counted", "args": ["zero:4", "buffer:uint:{[(i * 2654435761 + 12345) % 4294967296 >> 7 for i in range(64)]}", "local:2304"],
   "expect": {"0": "uint:2361359159"}, "global": 1, "local": 1},
  {"name": "own_counted", "args": ["zero:4", "buffer:uint:{[(i * 2654435761 + 12345) % 4294967296 >> 7 for i in range(64)]}"],
   "expect": {"0": "uint:2361359159"}, "global": 1, "local": 1}]}
*/
/* A copying collector: pairs of small integers and addresses, and forwarding addresses. */
typedef ulong val;
#define FIX(n) ((val)(long)(n) << 2 | 1)
#define NUM(v) ((long)(v) >> 2)
#define ISFIX(v) (((v)&3) == 1)
#define NIL 2
typedef struct cell {
    val car, cdr;
} cell;
typedef struct {
    cell *from, *to, *next;
} heap;
static val cons(heap *h, val a, val d)
{
    cell *c = h->next++;
    c->car = a;
    c->cdr = d;
    return (val)c;
}
static val forward(heap *h, val v)
{
    if (ISFIX(v) || v == NIL) return v;
    cell *c = (cell *)v;
    if (c->car == 6) return c->cdr;
    cell *n = h->next++;
    *n = *c;
    c->car = 6;
    c->cdr = (val)n;
    return (val)n;
}
static val collect(heap *h, val root)
{
    cell *scan = h->to;
    h->next = h->to;
    root = forward(h, root);
    while (scan < h->next) {
        scan->car = forward(h, scan->car);
        scan->cdr = forward(h, scan->cdr);
        scan++;
    }
    cell *t = h->from;
    h->from = h->to;
    h->to = t;
    return root;
}
static long sum(val v)
{
    val st[24];
    int d = 0;
    long s = 0;
    st[d++] = v;
    while (d) {
        v = st[--d];
        if (ISFIX(v))
            s = s * 3 + NUM(v);
        else if (v != NIL) {
            cell *c = (cell *)v;
            st[d++] = c->cdr;
            st[d++] = c->car;
        }
    }
    return s;
}
static uint run_collector(ulong *A, ulong *B, ulong *C, global const uint *in)
{
    heap h;
    h.from = (cell *)A;
    h.to = (cell *)B;
    h.next = h.from;
    val l = NIL, shared = cons(&h, FIX(-5), cons(&h, FIX(in[1] % 50), NIL));
    for (uint i = 0; i < 10; i++) {
        cons(&h, FIX(99), l);
        l = cons(&h, i % 3 == 1 ? shared : FIX((long)(in[i] % 100) - 50), l);
    }
    long s1 = sum(l);
    l = collect(&h, l);
    uint used = (uint)(h.next - h.from);
    l = cons(&h, l, shared == NIL ? NIL : FIX(1));
    l = collect(&h, l);
    C[0] = (ulong)sum(l);
    return (uint)s1 * 7 + (uint)C[0] + used;
}

/* Values whose high 16 bits mark them as integers or tables, in nodes with 32-bit counts. */
typedef ulong V;
#define TAG_PTR 0xfffa000000000000ul
#define TAG_INT 0xfffb000000000000ul
#define TAG_MASK 0xffff000000000000ul
typedef struct table {
    V slot[4];
    V meta;
    uint n;
    uint mark;
} table;
static V mkint(uint n)
{
    return TAG_INT | n;
}
static V mkptr(table *t)
{
    return TAG_PTR | (ulong)t;
}
static int isptr(V v)
{
    return (v & TAG_MASK) == TAG_PTR;
}
static int isint(V v)
{
    return (v & TAG_MASK) == TAG_INT;
}
static table *ptr(V v)
{
    return (table *)(v & ~TAG_MASK);
}
static uint total(V v, int depth)
{
    uint s = 0;
    V todo[16];
    int d = 0;
    todo[d++] = v;
    while (d) {
        v = todo[--d];
        if (isint(v))
            s = s * 5 + (uint)v;
        else if (isptr(v)) {
            table *t = ptr(v);
            if (t->mark) continue;
            t->mark = 1;
            s += t->n;
            for (int i = 0; i < 4 && d < 15; i++)
                if (t->slot[i]) todo[d++] = t->slot[i];
        } else
            s += 1000;
    }
    return s;
}
static uint run_boxes(ulong *A, ulong *B, ulong *C, global const uint *in)
{
    table *t = (table *)A;
    V *r = C;
    table *u = (table *)B;
    for (int i = 0; i < 4; i++) {
        table *x = i & 1 ? u++ : t++;
        x->n = i + 1;
        r[i] = mkptr(x);
        for (int j = 0; j < 4; j++)
            x->slot[j] = j < 2 ? mkint(in[i * 4 + j] % 97) : i && j == 2 ? r[in[i] % i] : mkptr(x);
        x->meta = i ? r[i - 1] : 0;
    }
    r[5] = mkint(3);
    for (int i = 0; i < 5; i++) {
        V v = r[i];
        if (isptr(v) && isptr(ptr(v)->meta)) ptr(ptr(v)->meta)->slot[0] = mkint((uint)r[5] + i);
    }
    return total(r[3], 0);
}

/* Links in the bits above a 16-bit integer. */
typedef struct o {
    long link;
    uint v;
} o;
static uint run_moved_up(ulong *A, ulong *B, ulong *C, global const uint *in)
{
    o *a = (o *)A, *b = (o *)B;
    long *head = (long *)C;
    uint h = 0;
    for (int i = 0; i < 16; i++) {
        o *x = i % 5 < 3 ? a++ : b++;
        x->v = in[i] % 91;
        x->link = *head;
        *head = (long)((ulong)x << 16 | (in[i] & 0xffff));
    }
    for (long w = *head; w >> 16;) {
        o *x = (o *)(w >> 16);
        h = h * 31 + x->v + (uint)(w & 0xffff);
        w = x->link;
    }
    return h;
}

/* A hash set of addresses; they point to counts that are computed from the host's data. */
#define CAP 32
static uint place(const void *p)
{
    return (uint)(((ulong)p >> 3) * 0x9E3779B97F4A7C15ul >> 59);
}
static int insert(void **t, void *p)
{
    uint i = place(p), d = 0;
    for (;;) {
        if (!t[i]) {
            t[i] = p;
            return 1;
        }
        if (t[i] == p) return 0;
        uint e = (i - place(t[i])) & (CAP - 1);
        if (e < d) {
            void *x = t[i];
            t[i] = p;
            p = x;
            d = e;
        }
        i = (i + 1) & (CAP - 1);
        d++;
    }
}
static int has(void **t, void *p)
{
    for (uint i = place(p), n = 0; n < CAP && t[i]; n++, i = (i + 1) & (CAP - 1))
        if (t[i] == p) return 1;
    return 0;
}
static uint run_hashed(ulong *A, ulong *B, ulong *C, global const uint *in)
{
    void **t = (void **)C;
    uint h = 0;
    for (int i = 0; i < 24; i++) {
        ulong *p = (in[i] & 4 ? A : B) + in[i] % 16;
        *p = in[i] % 16 * 3;
        h = h * 3 + insert(t, p);
    }
    ulong s = 0;
    uint n = 0;
    for (int i = 0; i < CAP; i++)
        if (t[i]) {
            s += *(ulong *)t[i];
            n++;
        }
    for (int i = 0; i < 16; i++)
        h = h * 2 + has(t, A + i) + has(t, B + i);
    return h * 31 + (uint)s * 64 + n;
}

/* Stacks whose links have a count in the high bits, and whose nodes contain an integer. */
typedef struct n {
    ulong next;
    uint v;
    uint pad;
} n;
#define P(w) ((n *)((long)((w) << 16) >> 16))
#define TAG(w) ((uint)((w) >> 48))
static void push(ulong *head, n *x)
{
    ulong old = *head;
    x->next = old;
    *head = ((ulong)x & 0x0000fffffffffffful) | (ulong)(ushort)(TAG(old) + 1) << 48;
}
static n *pop(ulong *head)
{
    ulong old = *head;
    n *x = P(old);
    if (!x) return 0;
    ulong nx = x->next;
    *head = ((ulong)P(nx) & 0xfffffffffffful) | (ulong)(ushort)(TAG(old) + 1) << 48;
    return x;
}
static uint run_counted(ulong *A, ulong *B, ulong *C, global const uint *in)
{
    n *pool = (n *)A;
    ulong *freelist = C, *busy = C + 1;
    uint h = 0;
    for (int i = 0; i < 8; i++)
        push(freelist, i & 1 ? pool + i : (n *)B + i);
    for (int i = 0; i < 40; i++) {
        if (in[i] & 1) {
            n *x = pop(freelist);
            if (x) {
                x->v = in[i] % 100;
                push(busy, x);
            }
        } else {
            n *x = pop(busy);
            if (x) {
                h = h * 31 + x->v;
                push(freelist, x);
            }
        }
    }
    return h + TAG(*freelist) * 3 + TAG(*busy);
}

enum { WORDS = 96 };

kernel void collector(global uint *out, global const uint *in, local ulong *room)
{
    for (int i = 0; i < 3 * WORDS; i++)
        room[i] = 0;
    *out = run_collector(room, room + WORDS, room + 2 * WORDS, in);
}

kernel void own_collector(global uint *out, global const uint *in)
{
    ulong a[WORDS], b[WORDS], c[WORDS];
    for (int i = 0; i < WORDS; i++)
        a[i] = b[i] = c[i] = 0;
    *out = run_collector(a, b, c, in);
}

kernel void boxes(global uint *out, global const uint *in, local ulong *room)
{
    for (int i = 0; i < 3 * WORDS; i++)
        room[i] = 0;
    *out = run_boxes(room, room + WORDS, room + 2 * WORDS, in);
}

kernel void own_boxes(global uint *out, global const uint *in)
{
    ulong a[WORDS], b[WORDS], c[WORDS];
    for (int i = 0; i < WORDS; i++)
        a[i] = b[i] = c[i] = 0;
    *out = run_boxes(a, b, c, in);
}

kernel void moved_up(global uint *out, global const uint *in, local ulong *room)
{
    for (int i = 0; i < 3 * WORDS; i++)
        room[i] = 0;
    *out = run_moved_up(room, room + WORDS, room + 2 * WORDS, in);
}

kernel void own_moved_up(global uint *out, global const uint *in)
{
    ulong a[WORDS], b[WORDS], c[WORDS];
    for (int i = 0; i < WORDS; i++)
        a[i] = b[i] = c[i] = 0;
    *out = run_moved_up(a, b, c, in);
}

kernel void hashed(global uint *out, global const uint *in, local ulong *room)
{
    for (int i = 0; i < 3 * WORDS; i++)
        room[i] = 0;
    *out = run_hashed(room, room + WORDS, room + 2 * WORDS, in);
}

kernel void own_hashed(global uint *out, global const uint *in)
{
    ulong a[WORDS], b[WORDS], c[WORDS];
    for (int i = 0; i < WORDS; i++)
        a[i] = b[i] = c[i] = 0;
    *out = run_hashed(a, b, c, in);
}

kernel void counted(global uint *out, global const uint *in, local ulong *room)
{
    for (int i = 0; i < 3 * WORDS; i++)
        room[i] = 0;
    *out = run_counted(room, room + WORDS, room + 2 * WORDS, in);
}

kernel void own_counted(global uint *out, global const uint *in)
{
    ulong a[WORDS], b[WORDS], c[WORDS];
    for (int i = 0; i < WORDS; i++)
        a[i] = b[i] = c[i] = 0;
    *out = run_counted(a, b, c, in);
}
