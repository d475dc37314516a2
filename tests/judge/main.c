/* SPDX-License-Identifier: Apache-2.0 */
/*
 * main.c - the command line of the judge.
 *
 * Takes a module and a kernel launch, or with --compare two modules and one launch of both; prints the buffers with
 * --dump. Exit status: 0 no report, 1 a report or a difference, 2 wrong usage, 3 the module needs something that the
 * judge cannot interpret.
 */
#include "judge.h"

#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: nonflat-judge [options] MODULE.spv\n"
    "       nonflat-judge --compare [options] A.spv B.spv\n"
    "       nonflat-judge --list|--check MODULE.spv\n"
    "Run a kernel with every pointer carrying its true address space, and report wrong accesses.\n"
    "\n"
    "  --kernel NAME[+NAME] the kernels, run in turn; may be left out when there is one only\n"
    "  --global X[,Y[,Z]]   global size (1)\n"
    "  --local X[,Y[,Z]]    local size (what the kernel requires, else 1)\n"
    "  --arg SPEC           the next argument:\n"
    "        buffer:TYPE:V,V,...[;TYPE:V,...]    zero:BYTES[:TYPE]    same:N[+OFFSET]    local:BYTES\n"
    "        TYPE:V,V,...[;TYPE:V,...]           null             hex:0011aabb (a buffer)\n"
    "        TYPE: char uchar short ushort int uint long ulong half float double bytes (hexadecimal)\n"
    "              ptr (N[+OFFSET], null)\n"
    "  --buffer SPEC        after the arguments: memory that the kernel only has addresses of, numbered on\n"
    "  --dump               print the buffers at the end\n"
    "  --hex                print them as bytes, one line `argN HEX` each\n"
    "  --compare            run two modules; differing buffers are an error (A's undefined bytes match anything)\n"
    "  --list               name the kernels and the sizes of their parameters\n"
    "  --check              name the instructions that could not be interpreted\n"
    "  --spec ID=VALUE      value of a specialization constant\n"
    "  --subgroup N         items in a subgroup (8)\n"
    "  --global-base ADDR   where buffers begin (0x10000); --local-base, --private-base likewise\n"
    "  --zero-private       address 0 is valid in private and local memory, their null is all ones\n"
    "  --share-values       all items of a group share what is passed by value, as some drivers do; with --compare\n"
    "                       in the second module only\n"
    "  --max-steps N        give up after so many instructions (1000000000)\n"
    "  --strict             report decisions on undefined values too\n"
    "Exit status: 0 fine, 1 a report or a difference, 2 usage, 3 cannot interpret the module.\n";

/* ---- One run ----------------------------------------------------------------------------------------------------- */

static void take_modes(const struct judge *j, struct options *o)
{
    const struct module *m = j->module;
    uint32_t kernel = 0;
    size_t length = strcspn(o->kernel, "+"); /* the sizes of the first module apply to both */
    for (uint32_t i = 0; i < m->entries.count; i++) {
        const char *name = (const char *)(m->words + m->entries.at[i] + 3);
        if (strlen(name) == length && !strncmp(name, o->kernel, length)) kernel = m->words[m->entries.at[i] + 2];
    }
    for (uint32_t i = 0; i < m->modes.count; i++) {
        const uint32_t *w = m->words + m->modes.at[i];
        if (w[1] != kernel) continue;
        if (w[2] == SpvExecutionModeLocalSize && !o->has_local)
            for (int k = 0; k < 3; k++)
                o->local[k] = w[3 + k];
        if (w[2] == SpvExecutionModeSubgroupSize) o->subgroup = w[3];
    }
    for (int k = 0; k < 3; k++)
        if (!o->local[k] || o->global[k] % o->local[k]) nfj_usage("the local size does not divide the global size");
    if (o->local[0] * o->local[1] * o->local[2] > 65536) nfj_usage("groups of more than 65536 items");
}

void nfj_run_module(struct judge *j, struct module *m, struct options *o)
{
    j->module = m;
    j->options = o;
    j->reported = nfj_alloc(m->word_count);
    if (!o->kernel && m->entries.count == 1) o->kernel = (const char *)(m->words + m->entries.at[0] + 3);
    if (!o->kernel) nfj_usage("%s has %u kernels: say which (--kernel)", m->path, m->entries.count);
    take_modes(j, o);
    memcpy(j->next_address, o->bases, sizeof j->next_address);
    j->next_address[SPACE_PRIVATE] += 1 << 27; /* objects that items share lie above the items' own variables */
    nfj_bind_arguments(j, o);
    nfj_make_scope(j);
    nfj_launch(j);
}

static void free_item(struct item *item)
{
    for (uint32_t i = 0; i < item->chunks.count; i++)
        free(item->chunks.at[i].bytes);
    free(item->cells.at);
    free(item->frames.at);
    free(item->vars.at);
    free(item->chunks.at);
    free(item->scratch);
}

static void free_run(struct judge *j)
{
    for (uint32_t i = 0; i < j->objects.count; i++) {
        struct object *o = &j->objects.at[i];
        if (o->space == SPACE_PRIVATE) continue; /* the memory belongs to the chunks of its work-item */
        free(o->data);
        free(o->undef);
        free(o->prov);
    }
    for (uint32_t i = 0; i < j->item_count; i++)
        free_item(&j->items[i]);
    for (int i = 0; i < SPACE_COUNT; i++)
        free(j->by_space[i].at);
    free(j->objects.at);
    free(j->free_objects.at);
    free(j->builtins.at);
    free(j->local_scope.at);
    free(j->locals.at);
    free(j->output.at);
    free(j->items);
    free(j->reported);
}

/* ---- The command line -------------------------------------------------------------------------------------------- */

static void parse_sizes(uint64_t sizes[3], const char *text)
{
    for (int i = 0; i < 3; i++)
        sizes[i] = 1;
    for (int i = 0; i < 3; i++) {
        char *end = NULL;
        sizes[i] = strtoull(text, &end, 0);
        if (end == text || sizes[i] == 0 || sizes[i] > 1u << 30 || (*end && *end != ','))
            nfj_usage("a size is not understood: %s", text);
        if (!*end) return;
        text = end + 1;
    }
    nfj_usage("a size has more than three numbers");
}

static uint64_t parse_number(const char *text)
{
    char *end = NULL;
    uint64_t number = strtoull(text, &end, 0);
    if (end == text || *end) nfj_usage("no number: %s", text);
    return number;
}

static void parse_spec(struct options *o, const char *text)
{
    char *end = NULL;
    struct spec spec = {.id = (uint32_t)strtoul(text, &end, 0)};
    if (end == text || *end != '=') nfj_usage("--spec takes ID=VALUE");
    spec.value = end[1] == '-' ? (uint64_t)strtoll(end + 1, NULL, 0) : strtoull(end + 1, NULL, 0);
    o->specs[o->spec_count++] = spec;
}

struct command {
    struct options options;
    const char *modules[2];
    int module_count;
    bool compare, list, check;
};

static void take_argument(struct options *o, const char *text)
{
    if (o->extra_count) nfj_usage("--arg after --buffer");
    nfj_parse_argument(&o->args[o->arg_count++], text);
}

/* Stores the value of an option that takes one. @return false if `name` is no such option. */
static bool take_option(struct options *o, const char *name, const char *text)
{
    if (!strcmp(name, "kernel"))
        o->kernel = text;
    else if (!strcmp(name, "global"))
        parse_sizes(o->global, text);
    else if (!strcmp(name, "local"))
        parse_sizes(o->local, text), o->has_local = true;
    else if (!strcmp(name, "arg"))
        take_argument(o, text);
    else if (!strcmp(name, "buffer"))
        nfj_parse_argument(&o->args[o->arg_count++], text), o->extra_count++;
    else if (!strcmp(name, "spec"))
        parse_spec(o, text);
    else if (!strcmp(name, "subgroup"))
        o->subgroup = (uint32_t)parse_number(text);
    else if (!strcmp(name, "global-base"))
        o->bases[SPACE_GLOBAL] = parse_number(text);
    else if (!strcmp(name, "local-base"))
        o->bases[SPACE_LOCAL] = parse_number(text);
    else if (!strcmp(name, "private-base"))
        o->bases[SPACE_PRIVATE] = parse_number(text);
    else if (!strcmp(name, "max-steps"))
        o->max_steps = parse_number(text);
    else
        return false;
    return true;
}

static bool take_flag(struct command *c, const char *name)
{
    struct options *o = &c->options;
    if (!strcmp(name, "dump"))
        o->dump = true;
    else if (!strcmp(name, "hex"))
        o->dump = o->hex = true;
    else if (!strcmp(name, "strict"))
        o->strict = true;
    else if (!strcmp(name, "compare"))
        c->compare = true;
    else if (!strcmp(name, "list"))
        c->list = true;
    else if (!strcmp(name, "check"))
        c->check = true;
    else if (!strcmp(name, "zero-private"))
        o->zero_private = true;
    else if (!strcmp(name, "share-values"))
        o->share_values = true;
    else
        return false;
    return true;
}

static void take_long(struct command *c, int argc, char **argv, int *i)
{
    const char *text = argv[*i] + 2, *equals = strchr(text, '=');
    char name[32];
    if (take_flag(c, text)) return;
    snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - text) : 31, text);
    if (!equals && *i + 1 >= argc) nfj_usage("unknown option, or one without its value: %s", argv[*i]);
    if (!take_option(&c->options, name, equals ? equals + 1 : argv[*i + 1]))
        nfj_usage("unknown option %s (try --help)", argv[*i]);
    *i += !equals;
}

static void parse(struct command *c, int argc, char **argv)
{
    struct options *o = &c->options;
    o->subgroup = 8;
    o->max_steps = 1000000000;
    o->args = nfj_alloc((size_t)argc * sizeof *o->args);
    o->specs = nfj_alloc((size_t)argc * sizeof *o->specs);
    for (int i = 0; i < 3; i++)
        o->global[i] = o->local[i] = 1;
    for (int i = 0; i < SPACE_COUNT; i++)
        o->bases[i] = 0x10000;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help")) {
            fputs(help, stdout);
            exit(0);
        }
        if (!strncmp(argv[i], "--", 2))
            take_long(c, argc, argv, &i);
        else if (c->module_count < 2)
            c->modules[c->module_count++] = argv[i];
        else
            nfj_usage("too many modules");
    }
    if (c->module_count != (c->compare ? 2 : 1))
        nfj_usage(c->compare ? "--compare takes two modules" : "one module is wanted (try --help)");
    if (o->zero_private) o->bases[SPACE_PRIVATE] = o->bases[SPACE_LOCAL] = 0;
    if (!o->subgroup) nfj_usage("a subgroup has at least one item");
}

/* Prints a line for each kernel: its name and the types of its parameters, for scripts that generate arguments. */
static void list(const struct module *m)
{
    static const char *const names[] = {"byvalue", "local", "global", "constant", "code", "input", "generic"};
    for (uint32_t i = 0; i < m->entries.count; i++) {
        const uint32_t *w = m->words + m->entries.at[i];
        const struct function *f = &m->functions.at[m->ids[w[2]].function - 1];
        printf("%s", (const char *)(w + 3));
        for (uint32_t k = 0; k < f->parameter_count; k++) {
            const struct type *type = nfj_type(m, m->ids[f->parameters[k]].type);
            uint64_t size =
                type->is_pointer && type->space == SPACE_PRIVATE ? nfj_type(m, type->element)->size : type->size;
            printf(" %s:%llu", type->is_pointer ? names[type->space] : "value", (unsigned long long)size);
        }
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    struct command c = {0};
    struct judge runs[2] = {{0}};
    uint32_t wrong = 0;
    parse(&c, argc, argv);
    for (int i = 0; i < c.module_count; i++) {
        struct module *m = nfj_read(c.modules[i]);
        if (c.list) list(m);
        if (c.check && nfj_check(m)) return 3;
        if (c.list || c.check) return 0;
        c.options.sharing = c.options.share_values && i == c.module_count - 1;
        nfj_run_module(&runs[i], m, &c.options);
        wrong += runs[i].reports;
    }
    if (c.compare) wrong += nfj_compare(&runs[0], &runs[1]);
    if (c.options.dump) nfj_dump(&runs[c.module_count - 1], stdout);
    for (int i = 0; i < c.module_count; i++) {
        struct module *m = runs[i].module;
        free_run(&runs[i]);
        nfj_free_module(m);
    }
    for (int i = 0; i < c.options.arg_count; i++) {
        free(c.options.args[i].bytes);
        free(c.options.args[i].fixups.at);
    }
    free(c.options.args);
    free(c.options.specs);
    return wrong ? 1 : 0;
}
