/* SPDX-License-Identifier: Apache-2.0 */
/*
 * globals.c - moves program-scope variables that kernels write into a buffer from the host.
 *
 * OpenCL 1.2 devices have no such variables: PoCL silently gives each kernel its own copy. With --globals they are
 * placed in one buffer, which every kernel of the program gets as its last argument and which an additional kernel
 * initializes. The name of that kernel tells the host the size of the buffer:
 *
 *     @count = addrspace(1) global i32 5           kernel @nonflat_globals_4(i8 addrspace(1)* %memory)
 *     kernel @add(...)  uses @count           ->       store i32 5 at %memory
 *                                                  kernel @add(..., i8 addrspace(1)* %memory)  uses %memory + 0
 *
 * The buffer also serves devices that lose addresses inside initializers (Oclgrind): a table of string pointers is
 * moved although no kernel writes it, and so is an integer that is initialized with an address.
 *
 * The host fills the buffer with zeros first. needs: every function that uses such a variable is a kernel (inline.c).
 */
#include "spir.h"
#include "globals_name.h"

#include <llvm-c/Target.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct moved {
    LLVMValueRef variable;
    uint64_t offset;
};

struct mover {
    LLVMModuleRef module;
    const struct nf_device *device;
    LLVMTargetDataRef layout;
    LLVMTypeRef pointer; /* type of the argument: i8 in global memory */
    struct moved *list;
    size_t count;
    uint64_t size;
};

/* ---- Selection of variables -------------------------------------------------------------------------------------- */

bool nf_is_only_read(LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user)) continue;
        bool path = LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user) || LLVMIsAConstantExpr(user);
        if (!path || !nf_is_only_read(user)) return false;
    }
    return true;
}

/* Returns true for a program-scope variable in global memory that kernels may write. */
static bool is_writable(LLVMValueRef variable)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(variable)) == NF_SPACE_GLOBAL && !LLVMIsGlobalConstant(variable) &&
           !LLVMIsDeclaration(variable);
}

static bool is_aggregate(LLVMValueRef constant)
{
    return LLVMIsAConstantStruct(constant) || LLVMIsAConstantArray(constant) || LLVMIsAConstantVector(constant);
}

/* Returns true if the constant contains the address of a variable, or of a function if `of_function`. */
static bool holds_address(LLVMValueRef constant, bool of_function)
{
    if (LLVMIsAFunction(constant)) return of_function;
    if (LLVMIsAGlobalVariable(constant)) return !of_function;
    if (!LLVMIsAConstantExpr(constant) && !is_aggregate(constant)) return false;
    for (int i = 0; i < LLVMGetNumOperands(constant); i++)
        if (holds_address(LLVMGetOperand(constant, (unsigned)i), of_function)) return true;
    return false;
}

bool nf_has_inner_address(LLVMValueRef variable)
{
    LLVMValueRef initial = LLVMGetInitializer(variable);
    return initial && LLVMGetTypeKind(LLVMTypeOf(initial)) != LLVMPointerTypeKind && LLVMGetFirstUse(variable) &&
           holds_address(initial, false);
}

/* Returns the variable at the end of the chain of first operands of a constant pointer, or NULL. */
static LLVMValueRef base_of(LLVMValueRef pointer)
{
    while (LLVMIsAConstantExpr(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return LLVMIsAGlobalVariable(pointer) ? pointer : NULL;
}

/* Returns true for variables to be moved because the device loses addresses: those with an address inside the
 * initializer, and pointers to such variables. */
static bool is_table(LLVMValueRef variable)
{
    LLVMValueRef initial = LLVMGetInitializer(variable);
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(variable)) != NF_SPACE_GLOBAL || !initial) return false;
    if (nf_has_inner_address(variable)) return !holds_address(initial, true);
    LLVMValueRef base = LLVMGetFirstUse(variable) ? base_of(initial) : NULL;
    return base && LLVMGetPointerAddressSpace(LLVMTypeOf(base)) == NF_SPACE_GLOBAL && nf_has_inner_address(base) &&
           !holds_address(LLVMGetInitializer(base), true);
}

bool nf_is_moved(LLVMValueRef variable, const struct nf_device *device)
{
    return (!nf_device_shares_globals(device) && is_writable(variable)) ||
           (nf_device_drops_initializer_addresses(device) && is_table(variable));
}

/* Returns true if a variable must be moved. A variable that is only read can stay, unless it is a table. */
static bool any_to_move(const struct mover *m)
{
    for (LLVMValueRef v = LLVMGetFirstGlobal(m->module); v; v = LLVMGetNextGlobal(v))
        if (nf_is_moved(v, m->device) && (is_table(v) || !nf_is_only_read(v))) return true;
    return false;
}

static void place(struct mover *m, LLVMValueRef variable)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(variable);
    uint64_t least = LLVMABIAlignmentOfType(m->layout, type), wanted = LLVMGetAlignment(variable);
    uint64_t alignment = wanted > least ? wanted : least;
    m->size = (m->size + alignment - 1) / alignment * alignment;
    m->list[m->count++] = (struct moved){variable, m->size};
    m->size += LLVMABISizeOfType(m->layout, type);
}

static bool place_all(struct mover *m)
{
    size_t most = 0;
    for (LLVMValueRef v = LLVMGetFirstGlobal(m->module); v; v = LLVMGetNextGlobal(v))
        most++;
    m->list = calloc(most + 1, sizeof *m->list);
    if (!m->list) {
        nf_helper_error("out of memory");
        return false;
    }
    for (LLVMValueRef v = LLVMGetFirstGlobal(m->module); v; v = LLVMGetNextGlobal(v))
        if (nf_is_moved(v, m->device)) place(m, v);
    if (m->size == 0) m->size = 1;
    return true;
}

/* ---- Initialization ---------------------------------------------------------------------------------------------- */

static bool mentions_any(const struct mover *m, LLVMValueRef constant)
{
    for (size_t i = 0; i < m->count; i++)
        if (nf_contains(constant, m->list[i].variable)) return true;
    return false;
}

static LLVMValueRef address_at(const struct mover *m, LLVMBuilderRef builder, LLVMValueRef memory, uint64_t offset)
{
    LLVMContextRef context = LLVMGetModuleContext(m->module);
    LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(context), offset, 0);
    return LLVMBuildInBoundsGEP2(builder, LLVMInt8TypeInContext(context), memory, &index, 1, "");
}

/* Copies a constant without addresses from constant memory, because it may be large. */
static void copy_initial(const struct mover *m, LLVMBuilderRef builder, LLVMValueRef target, LLVMValueRef constant)
{
    LLVMTypeRef type = LLVMTypeOf(constant);
    LLVMContextRef context = LLVMGetModuleContext(m->module);
    LLVMValueRef source = LLVMAddGlobalInAddressSpace(m->module, type, "nonflat.initial", NF_SPACE_CONSTANT);
    LLVMSetInitializer(source, constant);
    LLVMSetGlobalConstant(source, 1);
    LLVMSetLinkage(source, LLVMInternalLinkage);
    LLVMSetAlignment(source, LLVMABIAlignmentOfType(m->layout, type));
    LLVMValueRef bytes = LLVMConstBitCast(source, LLVMPointerType(LLVMInt8TypeInContext(context), NF_SPACE_CONSTANT));
    LLVMValueRef size = LLVMConstInt(LLVMInt64TypeInContext(context), LLVMABISizeOfType(m->layout, type), 0);
    LLVMBuildMemCpy(builder, target, 1, bytes, 1, size);
}

static uint64_t offset_of(const struct mover *m, LLVMTypeRef type, unsigned index)
{
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind) return LLVMOffsetOfElement(m->layout, type, index);
    return index * LLVMABISizeOfType(m->layout, LLVMGetElementType(type));
}

static void write_initial(const struct mover *m, LLVMBuilderRef builder, LLVMValueRef memory, uint64_t offset,
                          LLVMValueRef constant)
{
    LLVMTypeRef type = LLVMTypeOf(constant);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (LLVMIsNull(constant) || LLVMIsUndef(constant)) return;
    LLVMValueRef target = address_at(m, builder, memory, offset);
    if (kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind) { /* addresses of moved variables are replaced later */
        LLVMTypeRef pointer = LLVMPointerType(type, NF_SPACE_GLOBAL);
        LLVMSetAlignment(LLVMBuildStore(builder, constant, LLVMBuildBitCast(builder, target, pointer, "")), 1);
    } else if (!mentions_any(m, constant) && !holds_address(constant, false)) {
        copy_initial(m, builder, target, constant);
    } else {
        for (int i = 0; i < LLVMGetNumOperands(constant); i++)
            write_initial(m, builder, memory, offset + offset_of(m, type, (unsigned)i),
                          LLVMGetOperand(constant, (unsigned)i));
    }
}

/* Creates the initializing kernel without arguments; add_parameter() adds the buffer as for other kernels. */
static LLVMValueRef make_first_kernel(const struct mover *m)
{
    char name[NF_GLOBALS_NAME_SIZE];
    nf_globals_name(m->size, name);
    LLVMContextRef context = LLVMGetModuleContext(m->module);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, 0);
    LLVMValueRef kernel = LLVMAddFunction(m->module, name, type);
    LLVMSetFunctionCallConv(kernel, LLVMSPIRKERNELCallConv);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, kernel, ""));
    LLVMBuildRetVoid(builder);
    LLVMDisposeBuilder(builder);
    static const char *const lists[] = {"kernel_arg_addr_space", "kernel_arg_access_qual", "kernel_arg_type",
                                        "kernel_arg_type_qual", "kernel_arg_base_type"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        LLVMGlobalSetMetadata(kernel, LLVMGetMDKindIDInContext(context, lists[i], (unsigned)strlen(lists[i])),
                              LLVMMDNodeInContext2(context, NULL, 0));
    return kernel;
}

static void fill_first_kernel(const struct mover *m, LLVMValueRef kernel)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(m->module));
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(kernel)));
    for (size_t i = 0; i < m->count; i++)
        write_initial(m, builder, LLVMGetLastParam(kernel), m->list[i].offset, LLVMGetInitializer(m->list[i].variable));
    LLVMDisposeBuilder(builder);
}

/* ---- The added argument ------------------------------------------------------------------------------------------ */

static LLVMMetadataRef text(LLVMContextRef context, const char *word)
{
    return LLVMMDStringInContext2(context, word, strlen(word));
}

/* Returns the entry for the added argument in the kernel metadata list `name`, or NULL if there is no such list. */
static LLVMMetadataRef word_for(LLVMContextRef context, const char *name)
{
    if (strcmp(name, "kernel_arg_addr_space") == 0)
        return LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(context), NF_SPACE_GLOBAL, 0));
    if (strcmp(name, "kernel_arg_access_qual") == 0) return text(context, "none");
    if (strcmp(name, "kernel_arg_type") == 0 || strcmp(name, "kernel_arg_base_type") == 0)
        return text(context, "uchar*");
    if (strcmp(name, "kernel_arg_type_qual") == 0 || strcmp(name, "kernel_arg_name") == 0) return text(context, "");
    return NULL;
}

static bool lengthen(LLVMContextRef context, LLVMValueRef kernel, unsigned kind, LLVMMetadataRef old,
                     LLVMMetadataRef word)
{
    LLVMValueRef node = LLVMMetadataAsValue(context, old);
    unsigned count = LLVMGetMDNodeNumOperands(node);
    LLVMValueRef *operands = calloc(count + 1, sizeof *operands);
    LLVMMetadataRef *longer = calloc(count + 1, sizeof *longer);
    if (operands && longer) {
        LLVMGetMDNodeOperands(node, operands);
        for (unsigned i = 0; i < count; i++)
            longer[i] = LLVMValueAsMetadata(operands[i]);
        longer[count] = word;
        LLVMGlobalSetMetadata(kernel, kind, LLVMMDNodeInContext2(context, longer, count + 1));
    }
    bool done = operands && longer;
    free(operands);
    free(longer);
    return done;
}

static bool extend_metadata(LLVMContextRef context, LLVMValueRef from, LLVMValueRef to)
{
    static const char *const names[] = {"kernel_arg_addr_space", "kernel_arg_access_qual", "kernel_arg_type",
                                        "kernel_arg_base_type",  "kernel_arg_type_qual",   "kernel_arg_name"};
    size_t count;
    bool good = true;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(from, &count);
    for (unsigned i = 0; i < count; i++) {
        unsigned kind = LLVMValueMetadataEntriesGetKind(entries, i);
        LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(entries, i), word = NULL;
        for (size_t n = 0; n < sizeof names / sizeof *names && !word; n++)
            if (kind == LLVMGetMDKindIDInContext(context, names[n], (unsigned)strlen(names[n])))
                word = word_for(context, names[n]);
        if (word)
            good = lengthen(context, to, kind, node, word) && good;
        else
            LLVMGlobalSetMetadata(to, kind, node);
    }
    LLVMDisposeValueMetadataEntries(entries);
    return good;
}

static bool copy_attributes(LLVMValueRef from, LLVMValueRef to)
{
    unsigned parameters = LLVMCountParams(from);
    for (unsigned i = 0; i <= parameters + 1; i++) {
        LLVMAttributeIndex at = i <= parameters ? i : (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
        unsigned count = LLVMGetAttributeCountAtIndex(from, at);
        LLVMAttributeRef *attributes = calloc(count + 1, sizeof *attributes);
        if (!attributes) return false;
        LLVMGetAttributesAtIndex(from, at, attributes);
        for (unsigned n = 0; n < count; n++)
            LLVMAddAttributeAtIndex(to, at, attributes[n]);
        free(attributes);
    }
    return true;
}

static LLVMTypeRef longer_type(const struct mover *m, LLVMValueRef kernel)
{
    unsigned count = LLVMCountParams(kernel);
    LLVMTypeRef *types = calloc(count + 1, sizeof *types), type = NULL;
    if (!types) return NULL;
    LLVMGetParamTypes(LLVMGlobalGetValueType(kernel), types);
    types[count] = m->pointer;
    type = LLVMFunctionType(LLVMVoidTypeInContext(LLVMGetModuleContext(m->module)), types, count + 1, 0);
    free(types);
    return type;
}

/* Returns a copy of the kernel with one more parameter, and deletes the old one. Returns NULL after
 * nf_helper_error(). */
static LLVMValueRef add_parameter(const struct mover *m, LLVMValueRef old)
{
    size_t length;
    char *name = strdup(LLVMGetValueName2(old, &length));
    LLVMTypeRef type = longer_type(m, old);
    if (!name || !type) {
        nf_helper_error("out of memory");
        free(name);
        return NULL;
    }
    if (LLVMGetFirstUse(old)) {
        nf_helper_error("kernel '%s' is called by another and needs memory for program-scope variables", name);
        free(name);
        return NULL;
    }
    LLVMValueRef kernel = LLVMAddFunction(m->module, "", type);
    LLVMSetFunctionCallConv(kernel, LLVMGetFunctionCallConv(old));
    LLVMSetLinkage(kernel, LLVMGetLinkage(old));
    bool good = copy_attributes(old, kernel) && extend_metadata(LLVMGetModuleContext(m->module), old, kernel);
    LLVMBasicBlockRef first = LLVMAppendBasicBlockInContext(LLVMGetModuleContext(m->module), kernel, "");
    for (LLVMBasicBlockRef block; (block = LLVMGetFirstBasicBlock(old));)
        LLVMMoveBasicBlockBefore(block, first);
    LLVMDeleteBasicBlock(first);
    for (unsigned i = 0; i < LLVMCountParams(old); i++)
        LLVMReplaceAllUsesWith(LLVMGetParam(old, i), LLVMGetParam(kernel, i));
    LLVMDeleteFunction(old);
    LLVMSetValueName2(kernel, name, strlen(name));
    free(name);
    if (!good) nf_helper_error("out of memory");
    return good ? kernel : NULL;
}

/* ---- Uses in kernels --------------------------------------------------------------------------------------------- */

static void use_memory(const struct mover *m, LLVMValueRef kernel)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(m->module));
    for (size_t i = 0; i < m->count; i++) {
        LLVMValueRef variable = m->list[i].variable;
        if (!nf_uses(kernel, variable)) continue;
        LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel)));
        LLVMValueRef bytes = address_at(m, builder, LLVMGetLastParam(kernel), m->list[i].offset);
        nf_replace_in(kernel, variable, LLVMBuildBitCast(builder, bytes, LLVMTypeOf(variable), ""));
    }
    LLVMDisposeBuilder(builder);
}

static bool move_into_kernels(struct mover *m)
{
    LLVMValueRef first = make_first_kernel(m), next;
    LLVMValueRef end = LLVMGetLastFunction(m->module); /* new kernels are appended after it */
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = next) {
        next = f == end ? NULL : LLVMGetNextFunction(f);
        if (LLVMIsDeclaration(f) || !nf_is_kernel(f)) continue;
        LLVMValueRef kernel = add_parameter(m, f);
        if (!kernel) return false;
        if (f == first) fill_first_kernel(m, kernel);
        use_memory(m, kernel);
    }
    return true;
}

/* Deletes the moved variables. No code uses them any more; a constant that holds the address of one is an error. */
static bool remove_variables(struct mover *m)
{
    for (size_t i = 0; i < m->count; i++)
        LLVMSetInitializer(m->list[i].variable, LLVMGetUndef(LLVMGlobalGetValueType(m->list[i].variable)));
    for (LLVMValueRef v = LLVMGetFirstGlobal(m->module); v; v = LLVMGetNextGlobal(v)) {
        LLVMValueRef initial = LLVMGetInitializer(v);
        if (!initial || !mentions_any(m, initial)) continue;
        size_t length;
        nf_helper_error("constant '%s' holds the address of a program-scope variable that kernels write, which has no "
                        "address before the program runs on this device",
                        LLVMGetValueName2(v, &length));
        return false;
    }
    for (size_t i = 0; i < m->count; i++)
        LLVMSetLinkage(m->list[i].variable, LLVMInternalLinkage);
    return nf_run_passes(m->module, "globaldce");
}

bool nf_move_globals(LLVMModuleRef module, const struct nf_device *device)
{
    struct mover m = {.module = module, .device = device, .layout = LLVMGetModuleDataLayout(module)};
    if (!any_to_move(&m)) return true;
    m.pointer = LLVMPointerType(LLVMInt8TypeInContext(LLVMGetModuleContext(module)), NF_SPACE_GLOBAL);
    bool done = place_all(&m) && move_into_kernels(&m) && remove_variables(&m);
    free(m.list);
    return done;
}
