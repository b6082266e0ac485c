// The functions of names.inc, each a jump through a table of addresses. At first an address is of code here, which asks
// `late_address` for the function's own with all arguments kept, and goes on there.
//
// Nobody else sees these names: libraries among themselves bind to each other.

#if defined(__linux__)

#if defined(__x86_64__)
#define PAGE 4096
#elif defined(__aarch64__)
#define PAGE 65536
#else
#error "no jumps for this processor yet"
#endif

#define TEXT(name) #name

// The table, alone in its pages.
    .section .data.late, "aw", %progbits
    .balign PAGE
    .globl late_table
    .hidden late_table
late_table:
#define LATE(group, name) .quad first_##name;
#include "names.inc"
#undef LATE
    .balign PAGE
    .globl late_table_end
    .hidden late_table_end
late_table_end:

    .text
    .set place, 0

#if defined(__x86_64__)

    .macro jump name
    .balign 16
    .globl \name
    .hidden \name
    .type \name, %function
\name:
    endbr64
    jmp *late_table+8*place(%rip)
    .size \name, .-\name
    .type first_\name, %function
first_\name:
    endbr64
    pushq $place
    jmp ask
    .size first_\name, .-first_\name
    .set place, place + 1
    .endm

    .type ask, %function
ask:
    .cfi_startproc
    .cfi_def_cfa_offset 16
    // Whatever a call may hand over: integers, the number of vectors, vectors, where a result goes. 9 words and 128 bytes
    // more are on the stack then, which is in step with 16 bytes again.
    pushq %rax
    pushq %rcx
    pushq %rdx
    pushq %rsi
    pushq %rdi
    pushq %r8
    pushq %r9
    pushq %r10
    pushq %rbp
    .cfi_adjust_cfa_offset 72
    subq $136, %rsp
    .cfi_adjust_cfa_offset 136
    movups %xmm0, 0(%rsp)
    movups %xmm1, 16(%rsp)
    movups %xmm2, 32(%rsp)
    movups %xmm3, 48(%rsp)
    movups %xmm4, 64(%rsp)
    movups %xmm5, 80(%rsp)
    movups %xmm6, 96(%rsp)
    movups %xmm7, 112(%rsp)
    movl 208(%rsp), %edi
    call late_address
    movq %rax, %r11
    movups 0(%rsp), %xmm0
    movups 16(%rsp), %xmm1
    movups 32(%rsp), %xmm2
    movups 48(%rsp), %xmm3
    movups 64(%rsp), %xmm4
    movups 80(%rsp), %xmm5
    movups 96(%rsp), %xmm6
    movups 112(%rsp), %xmm7
    addq $136, %rsp
    .cfi_adjust_cfa_offset -136
    popq %rbp
    popq %r10
    popq %r9
    popq %r8
    popq %rdi
    popq %rsi
    popq %rdx
    popq %rcx
    popq %rax
    .cfi_adjust_cfa_offset -72
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    jmp *%r11
    .cfi_endproc
    .size ask, .-ask

#else

    .macro jump name
    .balign 16
    .globl \name
    .hidden \name
    .type \name, %function
\name:
    hint #34
    adrp x16, late_table+8*place
    ldr x16, [x16, :lo12:late_table+8*place]
    br x16
    .size \name, .-\name
    .type first_\name, %function
first_\name:
    hint #34
    mov w17, #place
    b ask
    .size first_\name, .-first_\name
    .set place, place + 1
    .endm

    .type ask, %function
ask:
    .cfi_startproc
    stp x29, x30, [sp, #-224]!
    .cfi_def_cfa_offset 224
    .cfi_offset x29, -224
    .cfi_offset x30, -216
    mov x29, sp
    stp x0, x1, [sp, #16]
    stp x2, x3, [sp, #32]
    stp x4, x5, [sp, #48]
    stp x6, x7, [sp, #64]
    str x8, [sp, #80]
    stp q0, q1, [sp, #96]
    stp q2, q3, [sp, #128]
    stp q4, q5, [sp, #160]
    stp q6, q7, [sp, #192]
    mov w0, w17
    bl late_address
    mov x16, x0
    ldp x0, x1, [sp, #16]
    ldp x2, x3, [sp, #32]
    ldp x4, x5, [sp, #48]
    ldp x6, x7, [sp, #64]
    ldr x8, [sp, #80]
    ldp q0, q1, [sp, #96]
    ldp q2, q3, [sp, #128]
    ldp q4, q5, [sp, #160]
    ldp q6, q7, [sp, #192]
    ldp x29, x30, [sp], #224
    .cfi_def_cfa_offset 0
    .cfi_restore x29
    .cfi_restore x30
    br x16
    .cfi_endproc
    .size ask, .-ask

#endif

#define LATE(group, name) jump name;
#include "names.inc"
#undef LATE

    .section .note.GNU-stack, "", %progbits

#endif
