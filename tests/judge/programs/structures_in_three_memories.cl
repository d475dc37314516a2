// SPDX-License-Identifier: Apache-2.0
// Data structures of ordinary programs whose nodes lie in three memories, and whose links are words: tagged, differences of each other,
// turned round while a graph is marked, in a dense array of a trie, on the stack of an interpreter.
/* TRUTH
{"kernels": [
  {"name": "forth_vm", "args": ["zero:512", "buffer:uint:{[(i * 2654435761 % 2**32) >> 3 for i in range(1, 65)]}", "zero:65536", "local:8192"],
   "expect": {"0": "uint:2679989405,0"}, "global": 1, "local": 1},
  {"name": "hamt", "args": ["zero:512", "buffer:uint:{[(i * 2654435761 % 2**32) >> 3 for i in range(1, 65)]}", "zero:65536", "local:8192"],
   "expect": {"0": "uint:4278190080,0"}, "global": 1, "local": 1},
  {"name": "schorr_waite", "args": ["zero:512", "buffer:uint:{[(i * 2654435761 % 2**32) >> 3 for i in range(1, 65)]}", "zero:65536", "local:8192"],
   "expect": {"0": "uint:448338250,0"}, "global": 1, "local": 1},
  {"name": "leftist", "args": ["zero:512", "buffer:uint:{[(i * 2654435761 % 2**32) >> 3 for i in range(1, 65)]}", "zero:65536", "local:8192"],
   "expect": {"0": "uint:786540404,0"}, "global": 1, "local": 1},
  {"name": "address_treap", "args": ["zero:512", "buffer:uint:{[(i * 2654435761 % 2**32) >> 3 for i in range(1, 65)]}", "zero:65536", "local:8192"],
   "expect": {"0": "uint:2772672471,0"}, "global": 1, "local": 1},
  {"name": "prime_map", "args": ["zero:512", "buffer:uint:{[(i * 2654435761 % 2**32) >> 3 for i in range(1, 65)]}", "zero:65536", "local:8192"],
   "expect": {"0": "uint:2073146,0"}, "global": 1, "local": 1},
  {"name": "frames_down", "args": ["zero:512", "buffer:uint:{[(i * 2654435761 % 2**32) >> 3 for i in range(1, 65)]}", "zero:65536", "local:8192"],
   "expect": {"0": "uint:172,0"}, "global": 1, "local": 1}]}
*/
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef ulong ulong2 __attribute__((ext_vector_type(2)));
#define NOINLINE __attribute__((noinline))
#define offset_of(type, member) __builtin_offsetof(type, member)
#define KERNEL(name) kernel void name(global uint *out, global const uint *in, global ulong *far, local ulong *near)
/* Arrays of the type in three memories; AT(i) is element i of the one that in[i] names. */
#define MEMORIES(type, n)                                                                                              \
    type own[n];                                                                                                       \
    type *m[3] = {own, (type *)near, (type *)far}
#define AT(i) (m[in[i] % 3] + (i))
/* Leaves no address to the host. */
NOINLINE void clear(global ulong *words)
{
    for (uint i = 0; i < 512; i++)
        words[i] = 0;
}

/* Forth: a stack and a return stack of words; addresses and numbers are the same thing there. */
enum { LIT, FETCH, STORE, ADD, DUP, SWAP, CELLS, DROP, JNZ, SUB, OVER, HALT };
NOINLINE ulong forth(const ulong *pc, ulong *sp)
{
    for (;;)
        switch (*pc++) {
        case LIT: *++sp = *pc++; break;
        case FETCH: *sp = *(ulong *)*sp; break;
        case STORE:
            *(ulong *)*sp = sp[-1];
            sp -= 2;
            break;
        case ADD:
            sp[-1] += *sp;
            sp--;
            break;
        case SUB:
            sp[-1] -= *sp;
            sp--;
            break;
        case DUP:
            sp[1] = sp[0];
            sp++;
            break;
        case OVER:
            sp[1] = sp[-1];
            sp++;
            break;
        case SWAP: {
            ulong t = sp[0];
            sp[0] = sp[-1];
            sp[-1] = t;
            break;
        }
        case CELLS: *sp *= sizeof(ulong); break;
        case DROP: sp--; break;
        case JNZ:
            if (*sp--)
                pc = (const ulong *)*pc;
            else
                pc++;
            break;
        case HALT: return *sp;
        }
}
KERNEL(forth_vm)
{
    ulong own[64], stack[16], *code = (ulong *)far + 64, *data = in[0] & 1 ? own : (ulong *)near;
    uint n = 0;
    for (uint i = 0; i < 10; i++)
        data[i] = in[i];
    /* sum := 0 kept in data[10]; i in data[11] counts from 10 to 1 */
    ulong *loop;
#define E(x) code[n++] = (ulong)(x)
    E(LIT);
    E(0);
    E(LIT);
    E(data + 10);
    E(STORE);
    E(LIT);
    E(10);
    E(LIT);
    E(data + 11);
    E(STORE);
    loop = code + n;
    E(LIT);
    E(data + 11);
    E(FETCH);
    E(LIT);
    E(1);
    E(SUB);
    E(DUP);
    E(LIT);
    E(data + 11);
    E(STORE);
    E(CELLS);
    E(LIT);
    E(data);
    E(ADD);
    E(FETCH);
    E(LIT);
    E(data + 10);
    E(FETCH);
    E(ADD);
    E(LIT);
    E(data + 10);
    E(STORE);
    E(LIT);
    E(data + 11);
    E(FETCH);
    E(JNZ);
    E(loop);
    E(LIT);
    E(data + 10);
    E(FETCH);
    E(HALT);
    out[0] = (uint)forth(code, stack);
    clear(far);
}

/* HAMT: a bitmap and a dense array of tagged words in an arena of words; leaves are odd numbers. */
NOINLINE ulong hset(ulong root, uint key, ulong **arena)
{
    ulong *link = &root;
    uint shift = 0;
    for (;;) {
        ulong x = *link;
        if (!x) {
            *link = (ulong)key << 1 | 1;
            return root;
        }
        if (x & 1) {
            uint old = x >> 1;
            if (old == key) return root;
            ulong *n = *arena;
            *arena += 2;
            n[0] = 1ul << (old >> shift & 31);
            n[1] = x;
            *link = (ulong)n;
            continue;
        }
        ulong *n = (ulong *)x;
        uint b = key >> shift & 31, i = popcount(n[0] & ((1ul << b) - 1));
        if (!(n[0] >> b & 1)) {
            uint c = popcount(n[0]);
            ulong *w = *arena;
            *arena += c + 2;
            for (uint j = 0, k = 0; j < c + 1; j++)
                w[1 + j] = j == i ? 0 : n[1 + k++];
            w[0] = n[0] | 1ul << b;
            *link = (ulong)w;
            n = w;
        }
        link = &n[1 + i];
        shift += 5;
    }
}
NOINLINE bool hget(ulong x, uint key)
{
    for (uint shift = 0; x && !(x & 1); shift += 5) {
        ulong *n = (ulong *)x;
        uint b = key >> shift & 31;
        x = n[0] >> b & 1 ? n[1 + popcount(n[0] & ((1ul << b) - 1))] : 0;
    }
    return x && (uint)(x >> 1) == key;
}
KERNEL(hamt)
{
    ulong own[256], *arenas[3] = {own, (ulong *)near, (ulong *)far}, root = 0;
    uint s = 0;
    for (uint i = 0; i < 24; i++)
        root = hset(root, in[i] & 0xfffff, &arenas[in[i] % 3]);
    for (uint i = 0; i < 48; i++)
        s = s * 2 + hget(root, in[i] & 0xfffff);
    out[0] = s;
    clear(far);
}

/* Schorr-Waite: marks a graph with the links turned round; the state is in the low bits of the first link. */
struct gr {
    ulong a, b;
    uint v;
    uint pad;
};
KERNEL(schorr_waite)
{
    MEMORIES(struct gr, 16);
    struct gr *prev = 0, *cur;
    uint s = 0;
    for (uint i = 0; i < 16; i++) {
        struct gr *q = AT(i);
        q->v = in[i];
        q->a = i ? (ulong)AT((in[i] >> 4) % 16) : (ulong)AT(5);
        q->b = in[i] & 256 ? (ulong)AT((in[i] >> 12) & 15) : 0;
    }
    cur = AT(0);
    for (;;) {
        if (cur && (cur->a & 3) == 0) {
            ulong next = cur->a;
            cur->a = (ulong)prev | 1;
            prev = cur;
            cur = (struct gr *)next;
            continue;
        }
        if (!prev) break;
        if ((prev->a & 3) == 1) {
            ulong up = prev->a & ~3ul;
            prev->a = (ulong)cur | 2;
            ulong next = prev->b;
            prev->b = up;
            cur = (struct gr *)next;
        } else {
            ulong up = prev->b;
            prev->b = (ulong)cur;
            prev->a |= 3;
            cur = prev;
            prev = (struct gr *)up;
        }
    }
    for (uint i = 0; i < 16; i++) {
        struct gr *q = AT(i);
        uint marked = (q->a & 3) == 3;
        s = s * 3 + (marked ? q->v + ((struct gr *)(q->a & ~3ul))->v + (q->b ? ((struct gr *)q->b)->v : 0) : i);
    }
    out[0] = s;
    clear(far);
}

/* Leftist heap whose rank is in the low bits of the left link and whose right link is the difference to the left. */
struct lh {
    ulong left;
    long right;
    uint key;
    uint pad;
};
NOINLINE struct lh *l_of(struct lh *n)
{
    return (struct lh *)(n->left & ~7ul);
}
NOINLINE struct lh *r_of(struct lh *n)
{
    return (struct lh *)((n->left & ~7ul) + n->right);
}
NOINLINE void set2(struct lh *n, struct lh *l, struct lh *r, uint rank)
{
    n->left = (ulong)l | (rank & 7);
    n->right = (long)((ulong)r - (ulong)l);
}
NOINLINE uint rank_of(struct lh *n)
{
    return n ? n->left & 7 : 0;
}
NOINLINE struct lh *lmeld(struct lh *a, struct lh *b)
{
    struct lh *path[40];
    uint n = 0;
    while (a && b) {
        if (b->key < a->key) {
            struct lh *t = a;
            a = b;
            b = t;
        }
        path[n++] = a;
        a = r_of(a);
    }
    struct lh *r = a ? a : b;
    while (n) {
        struct lh *x = path[--n], *l = l_of(x);
        if (rank_of(l) < rank_of(r)) {
            struct lh *t = l;
            l = r;
            r = t;
        }
        set2(x, l, r, rank_of(r) + 1);
        r = x;
    }
    return r;
}
KERNEL(leftist)
{
    MEMORIES(struct lh, 32);
    struct lh *h = 0;
    uint s = 0;
    for (uint i = 0; i < 32; i++) {
        struct lh *q = AT(i);
        q->key = in[i] % 1000;
        set2(q, 0, 0, 1);
        h = lmeld(h, q);
    }
    while (h) {
        s = s * 3 + h->key;
        h = lmeld(l_of(h), r_of(h));
    }
    out[0] = s;
    clear(far);
}

/* Treap with priorities hashed of the nodes' addresses. */
struct tr {
    struct tr *l, *r;
    uint key;
};
NOINLINE ulong prio(struct tr *t)
{
    ulong x = (ulong)t;
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdul;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53ul;
    return x ^ x >> 33;
}
NOINLINE void tr_insert(struct tr **at, struct tr *n)
{
    while (*at && prio(*at) >= prio(n))
        at = n->key < (*at)->key ? &(*at)->l : &(*at)->r;
    struct tr *rest = *at, **l = &n->l, **r = &n->r;
    *at = n;
    while (rest)
        if (rest->key < n->key) {
            *l = rest;
            l = &rest->r;
            rest = *l;
        } else {
            *r = rest;
            r = &rest->l;
            rest = *r;
        }
    *l = *r = 0;
}
KERNEL(address_treap)
{
    MEMORIES(struct tr, 24);
    struct tr *root = 0, *stack[24];
    uint n = 0, s = 0;
    for (uint i = 0; i < 24; i++) {
        struct tr *q = AT(i);
        q->key = in[i] % 4096;
        tr_insert(&root, q);
    }
    for (struct tr *t = root; t || n;) {
        if (t) {
            stack[n++] = t;
            t = t->l;
        } else {
            t = stack[--n];
            s = s * 3 + t->key;
            t = t->r;
        }
    }
    out[0] = s;
    clear(far);
}

/* Chained map from pointers to counts, mod a prime; nodes taken from a freelist which is threaded through them. */
struct entry {
    struct entry *next;
    const void *key;
    uint n;
};
struct map {
    struct entry *head[13], *free;
};
NOINLINE uint *map_at(struct map *t, const void *key)
{
    struct entry **h = &t->head[(ulong)key % 13], *e;
    for (e = *h; e; e = e->next)
        if (e->key == key) return &e->n;
    e = t->free;
    t->free = e->next;
    e->next = *h;
    *h = e;
    e->key = key;
    e->n = 0;
    return &e->n;
}
KERNEL(prime_map)
{
    MEMORIES(struct entry, 24);
    struct map t;
    uint s = 0;
    global uint *gk = (global uint *)(far + 256);
    local uint *lk = (local uint *)(near + 256);
    uint pk[8];
    for (uint i = 0; i < 13; i++)
        t.head[i] = 0;
    t.free = 0;
    for (uint i = 0; i < 24; i++) {
        struct entry *e = AT(i);
        e->next = t.free;
        t.free = e;
    }
    for (uint i = 0; i < 64; i++) {
        const void *k = in[i] % 5 < 2   ? (void *)&gk[in[i] >> 3 & 7]
                        : in[i] % 5 < 4 ? (void *)&lk[in[i] >> 3 & 7]
                                        : (void *)&pk[in[i] >> 3 & 7];
        *map_at(&t, k) += i;
    }
    for (uint i = 0; i < 8; i++)
        s = s * 3 + *map_at(&t, &gk[i]) + 5 * *map_at(&t, &lk[i]) + 7 * *map_at(&t, &pk[i]);
    out[0] = s;
    clear(far);
}

/* Linked frames: saved frame pointer and return place in one stack of words that grows down. */
KERNEL(frames_down)
{
    ulong stack[80], *sp = in[0] & 1 ? stack + 80 : (ulong *)near + 80, *fp = 0;
    uint s = 0, n = 9, where = 0;
    /* s = f(9), f(n) = n < 2 ? n : f(n - 1) + 2 * f(n - 2), with an explicit machine */
    ulong r = 0;
    *--sp = n;
    *--sp = 3;
    *--sp = (ulong)fp;
    fp = sp;
    for (;;) {
        if (where == 0) {
            if (fp[2] < 2) {
                r = fp[2];
                where = 9;
            } else {
                *--sp = fp[2] - 1;
                *--sp = 1;
                *--sp = (ulong)fp;
                fp = sp;
            }
        } else if (where == 1) {
            *--sp = r;
            *--sp = fp[2] - 2;
            *--sp = 2;
            *--sp = (ulong)fp;
            fp = sp;
            where = 0;
        } else if (where == 2) {
            r = *sp++ + 2 * r;
            where = 9;
        } else if (where == 3)
            break;
        if (where == 9) {
            sp = fp;
            fp = (ulong *)sp[0];
            where = sp[1];
            sp += 3;
        }
    }
    out[0] = (uint)r + 1;
    clear(far);
}
