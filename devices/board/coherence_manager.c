/*
 * MIPS Coherence Manager 2: global control registers.
 *
 * Register table (32-bit; 64-bit registers have their high half, which is zero, 4 bytes on)
 *
 *   global block
 *   0x0000  CONFIG (RO)       19:16 address regions, 11:8 I/O units (0), 7:0 cores - 1
 *   0x0008  BASE              31:15 base of the GCRs (RO here), 7:0 default target and cacheability (stored)
 *   0x0020 0x0024  ACCESS     one bit a core, 31:0 and 63:32: it may write GCRs (7:0 on real hardware)
 *   0x0030  REV (RO)          15:8 major (6 = CM2), 7:0 minor
 *   0x0038  ERR_CONTROL (RO)  0: the L2 has no ECC
 *   0x0040  ERROR_MASK        stored
 *   0x0048  ERROR_CAUSE       0: the model has no errors
 *   0x0050  ERROR_ADDR        0
 *   0x0058  ERROR_MULT        0
 *   0x0070  L2_ONLY_SYNC_BASE 31:12 base, 0 enable
 *   0x0080  GIC_BASE          31:17 base, 0 enable
 *   0x0088  CPC_BASE          31:15 base, 0 enable
 *   0x0090 0x00a0 0x00b0 0x00c0  REG0..3_BASE  31:16 base
 *   0x0098 0x00a8 0x00b8 0x00c8  REG0..3_MASK  31:16 mask, 7:5 4 2 attributes, 1:0 target (0 = disabled)
 *   0x00d0  GIC_STATUS (RO)   0 GIC present
 *   0x00f0  CPC_STATUS (RO)   0 CPC present
 *
 *   core-local block at 0x2000 (the requester's) and core-other block at 0x4000 (that of the core in its OTHER)
 *   0x0008  COHERENCE         15:0 coherent domains of this core (7:0 on real hardware); 0: the core is not coherent
 *   0x0010  CONFIG (RO)       11:10 type (0 = core), 9:0 VPEs - 1
 *   0x0018  OTHER             31:16 core seen at 0x4000
 *   0x0020  RESET_BASE        31:12 where the core fetches after reset
 *   0x0028  ID (RO)           number of this core
 *   0x0030  RESET_EXT_BASE    30 use RESET_BASE unchanged (else it is forced into kseg1), 27:20 and 7:1 stored,
 *                             0 present (RO, 1)
 *
 * The other offsets, the debug block at 0x6000 among them, read as zero and ignore writes. Names and layout follow the
 * MIPS32 interAptiv Multiprocessing System software manual and arch/mips/include/asm/mips-cm.h of Linux.
 */
#include "devices/board/coherence_manager.h"
#include "src/base/board.h"
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_LOCAL = 0x2000,
    BLOCK_OTHER = 0x4000,
    BLOCK_DEBUG = 0x6000,

    GCR_CONFIG = 0x0000,
    GCR_BASE = 0x0008,
    GCR_ACCESS = 0x0020,
    GCR_ACCESS_HIGH = 0x0024,
    GCR_REV = 0x0030,
    GCR_ERROR_MASK = 0x0040,
    GCR_L2_ONLY_SYNC_BASE = 0x0070,
    GCR_GIC_BASE = 0x0080,
    GCR_CPC_BASE = 0x0088,
    GCR_REG_BASE = 0x0090,
    GCR_REG_MASK = 0x0098,
    GCR_REG_STRIDE = 0x0010,
    GCR_GIC_STATUS = 0x00d0,
    GCR_CPC_STATUS = 0x00f0,

    CORE_COHERENCE = 0x0008,
    CORE_CONFIG = 0x0010,
    CORE_OTHER = 0x0018,
    CORE_RESET_BASE = 0x0020,
    CORE_ID = 0x0028,
    CORE_RESET_EXT_BASE = 0x0030,

    REGIONS = 4,
    ACCESS_WORDS = COHERENCE_MANAGER_MAX_CPUS / 32,
    REVISION = 6 << 8,
    BASE_LOW_BITS = 0x7fff,
    BASE_STORED = 0xf3,
    COHERENCE_BITS = 0xffff,
    ENABLE = 1,
    UNIT_PRESENT = 1,
    REGION_TARGET = 3,
    EXT_PRESENT = 1,
};

#define L2_SYNC_BITS     0xfffff001u
#define GIC_BASE_BITS    0xfffe0000u
#define CPC_BASE_BITS    0xffff8000u
#define REGION_BASE_BITS 0xffff0000u
#define REGION_MASK_BITS 0xffff00f7u
#define OTHER_SHIFT      16
#define RESET_BASE_BITS  0xfffff000u
#define RESET_BASE_START 0xbfc00000u
#define EXT_USE_BASE     (1u << 30)
#define EXT_STORED       (EXT_USE_BASE | 0x0ff00000u | 0x000000feu)

_Static_assert((int)BOARD_MAX_CPUS <= (int)COHERENCE_MANAGER_MAX_CPUS, "every core of a board has its registers");

struct cm_core_state {
    uint32_t coherence;
    uint32_t other; /* number of a core */
    uint32_t reset_base;
    uint32_t reset_ext_base;
};

/* Architectural state, held by a checkpoint. */
struct cm_state {
    uint32_t base_low; /* BASE without the address bits */
    uint32_t access[ACCESS_WORDS];
    uint32_t error_mask;
    uint32_t l2_sync_base;
    bool gic_enabled, cpc_enabled;
    uint32_t region_base[REGIONS], region_mask[REGIONS];
    struct cm_core_state core[COHERENCE_MANAGER_MAX_CPUS];
};

struct coherence_manager {
    struct coherence_manager_config config;
    struct log *log;
    struct cm_state state;
};

static uint32_t global_read(const struct coherence_manager *manager, uint32_t offset)
{
    const struct cm_state *state = &manager->state;
    if (offset >= GCR_REG_BASE && offset < GCR_REG_BASE + REGIONS * GCR_REG_STRIDE) {
        unsigned region = (offset - GCR_REG_BASE) / GCR_REG_STRIDE;
        switch ((offset - GCR_REG_BASE) % GCR_REG_STRIDE) {
        case 0: return state->region_base[region];
        case GCR_REG_MASK - GCR_REG_BASE: return state->region_mask[region];
        default: return 0;
        }
    }
    switch (offset) {
    case GCR_CONFIG: return REGIONS << 16 | (manager->config.cpus - 1);
    case GCR_BASE: return manager->config.gcr_base | state->base_low;
    case GCR_ACCESS: return state->access[0];
    case GCR_ACCESS_HIGH: return state->access[1];
    case GCR_REV: return REVISION;
    case GCR_ERROR_MASK: return state->error_mask;
    case GCR_L2_ONLY_SYNC_BASE: return state->l2_sync_base;
    case GCR_GIC_BASE: return manager->config.gic_base | (state->gic_enabled ? ENABLE : 0);
    case GCR_CPC_BASE: return manager->config.cpc_base | (state->cpc_enabled ? ENABLE : 0);
    case GCR_GIC_STATUS: return UNIT_PRESENT;
    case GCR_CPC_STATUS: return UNIT_PRESENT;
    default: return 0;
    }
}

/* Warn if the guest tried to move block NAME, fixed at address FIXED, to WANTED. */
static void check_base(struct coherence_manager *manager, const char *site, const char *name, uint32_t wanted,
                       uint32_t fixed)
{
    if (wanted != fixed)
        log_guest(manager->log, site, "coherence manager: %s moved to 0x%08x: it stays at 0x%08x", name, wanted, fixed);
}

static void global_write(struct coherence_manager *manager, uint32_t offset, uint32_t value)
{
    struct cm_state *state = &manager->state;
    const struct coherence_manager_config *config = &manager->config;
    if (offset >= GCR_REG_BASE && offset < GCR_REG_BASE + REGIONS * GCR_REG_STRIDE) {
        unsigned region = (offset - GCR_REG_BASE) / GCR_REG_STRIDE;
        switch ((offset - GCR_REG_BASE) % GCR_REG_STRIDE) {
        case 0: state->region_base[region] = value & REGION_BASE_BITS; break;
        case GCR_REG_MASK - GCR_REG_BASE:
            state->region_mask[region] = value & REGION_MASK_BITS;
            if (value & REGION_TARGET)
                log_guest(manager->log, "cm.region", "coherence manager: address region %u has no effect", region);
            break;
        default: break;
        }
        return;
    }
    switch (offset) {
    case GCR_BASE:
        check_base(manager, "cm.gcr-base", "GCRs", value & ~(uint32_t)BASE_LOW_BITS, config->gcr_base);
        state->base_low = value & BASE_STORED;
        break;
    case GCR_ACCESS: state->access[0] = value; break;
    case GCR_ACCESS_HIGH: state->access[1] = value; break;
    case GCR_ERROR_MASK: state->error_mask = value; break;
    case GCR_L2_ONLY_SYNC_BASE:
        if (value & ENABLE)
            check_base(manager, "cm.l2-sync-base", "L2-only sync region", value & ~0xfffu,
                       config->gcr_base + COHERENCE_MANAGER_L2_SYNC_OFFSET);
        state->l2_sync_base = value & L2_SYNC_BITS;
        break;
    case GCR_GIC_BASE:
        check_base(manager, "cm.gic-base", "GIC", value & GIC_BASE_BITS, config->gic_base);
        state->gic_enabled = value & ENABLE;
        break;
    case GCR_CPC_BASE:
        check_base(manager, "cm.cpc-base", "CPC", value & CPC_BASE_BITS, config->cpc_base);
        state->cpc_enabled = value & ENABLE;
        break;
    default: break;
    }
}

static uint32_t core_read(const struct coherence_manager *manager, unsigned cpu, uint32_t offset)
{
    const struct cm_core_state *core = &manager->state.core[cpu];
    switch (offset) {
    case CORE_COHERENCE: return core->coherence;
    case CORE_CONFIG: return 0; /* a core with one VPE */
    case CORE_OTHER: return core->other << OTHER_SHIFT;
    case CORE_RESET_BASE: return core->reset_base;
    case CORE_ID: return cpu;
    case CORE_RESET_EXT_BASE: return core->reset_ext_base | EXT_PRESENT;
    default: return 0;
    }
}

static void core_write(struct coherence_manager *manager, unsigned cpu, uint32_t offset, uint32_t value)
{
    struct cm_core_state *core = &manager->state.core[cpu];
    switch (offset) {
    case CORE_COHERENCE: core->coherence = value & COHERENCE_BITS; break;
    case CORE_OTHER: core->other = value >> OTHER_SHIFT; break;
    case CORE_RESET_BASE: core->reset_base = value & RESET_BASE_BITS; break;
    case CORE_RESET_EXT_BASE: core->reset_ext_base = value & EXT_STORED; break;
    default: break;
    }
}

/* Find the core whose registers appear at OFFSET (in the local or the other block) for REQUESTER. False if the block
 * selects a core that does not exist. */
static bool core_block(const struct coherence_manager *manager, uint32_t offset, unsigned requester, unsigned *cpu)
{
    *cpu = offset < BLOCK_OTHER ? requester : manager->state.core[requester].other;
    if (*cpu < manager->config.cpus)
        return true;
    log_guest(manager->log, "cm.other", "coherence manager: access to core %u: there are %u", *cpu,
              manager->config.cpus);
    return false;
}

static uint32_t cm_read(void *opaque, uint32_t offset, unsigned size, unsigned requester)
{
    const struct coherence_manager *manager = opaque;
    uint32_t aligned = offset & ~3u, word = 0;
    unsigned cpu;
    if (requester >= manager->config.cpus)
        return 0;
    if (aligned < BLOCK_LOCAL)
        word = global_read(manager, aligned);
    else if (aligned < BLOCK_DEBUG && core_block(manager, aligned, requester, &cpu))
        word = core_read(manager, cpu, aligned % 0x2000);
    word >>= offset % 4 * 8;
    return size >= 4 ? word : word & ((1u << size * 8) - 1);
}

static void cm_write(void *opaque, uint32_t offset, unsigned size, uint32_t value, unsigned requester)
{
    struct coherence_manager *manager = opaque;
    unsigned cpu;
    if (requester >= manager->config.cpus)
        return;
    if (size != 4) {
        log_guest(manager->log, "cm.size", "coherence manager: write of %u bytes at 0x%x ignored: registers have 4",
                  size, offset);
        return;
    }
    if (!(manager->state.access[requester / 32] >> requester % 32 & 1)) {
        log_guest(manager->log, "cm.access", "coherence manager: write by core %u, which GCR_ACCESS forbids",
                  requester);
        return;
    }
    if (offset < BLOCK_LOCAL)
        global_write(manager, offset, value);
    else if (offset < BLOCK_DEBUG && core_block(manager, offset, requester, &cpu))
        core_write(manager, cpu, offset % 0x2000, value);
}

const struct device_ops coherence_manager_device_ops = {"coherence manager", cm_read, cm_write};

static uint32_t l2_sync_read(void *opaque, uint32_t offset, unsigned size, unsigned cpu)
{
    (void)opaque, (void)offset, (void)size, (void)cpu;
    return 0;
}

static void l2_sync_write(void *opaque, uint32_t offset, unsigned size, uint32_t value, unsigned cpu)
{
    const struct coherence_manager *manager = opaque;
    (void)value;
    /* a boot ROM may be there too, whose first page this is (devices/board/boot_rom.h) */
    if (!(manager->state.l2_sync_base & ENABLE))
        log_guest(manager->log, "cm.l2-sync",
                  "CPU %u: store of %u bytes at physical address 0x%08x ignored: ROM, and no enabled L2 sync region",
                  cpu, size, manager->config.gcr_base + COHERENCE_MANAGER_L2_SYNC_OFFSET + offset);
}

const struct device_ops coherence_manager_l2_sync_ops = {"L2-only sync", l2_sync_read, l2_sync_write};

static const struct cm_core_state *core_state(const struct coherence_manager *manager, unsigned cpu)
{
    if (cpu >= manager->config.cpus)
        log_bug("coherence manager: core %u: there are %u", cpu, manager->config.cpus);
    return &manager->state.core[cpu];
}

vaddr coherence_manager_reset_base(const struct coherence_manager *manager, unsigned cpu)
{
    const struct cm_core_state *core = core_state(manager, cpu);
    /* The legacy memory map starts in kseg1. With EXT_USE_BASE, only bits 29:12 of the base select the address. */
    if (core->reset_ext_base & EXT_USE_BASE)
        return 0x80000000u | (core->reset_base & 0x3ffff000u);
    return 0xa0000000u | (core->reset_base & 0x1ffff000u);
}

bool coherence_manager_is_coherent(const struct coherence_manager *manager, unsigned cpu)
{
    return core_state(manager, cpu)->coherence != 0;
}

void coherence_manager_core_reset(struct coherence_manager *manager, unsigned cpu)
{
    core_state(manager, cpu);
    manager->state.core[cpu].coherence = 0;
    manager->state.core[cpu].other = 0;
}

struct coherence_manager *coherence_manager_create(const struct coherence_manager_config *config, struct log *log)
{
    if (config->cpus < 1 || config->cpus > COHERENCE_MANAGER_MAX_CPUS)
        log_bug("coherence manager for %u cores: 1 to %d", config->cpus, COHERENCE_MANAGER_MAX_CPUS);
    struct coherence_manager *manager = checked_memory(calloc(1, sizeof *manager));
    manager->config = *config;
    manager->log = log;
    struct cm_state *state = &manager->state;
    memset(state->access, 0xff, sizeof state->access);
    state->gic_enabled = true;
    state->cpc_enabled = true;
    for (unsigned region = 0; region < REGIONS; region++)
        state->region_mask[region] = REGION_BASE_BITS;
    for (unsigned cpu = 0; cpu < COHERENCE_MANAGER_MAX_CPUS; cpu++)
        state->core[cpu].reset_base = RESET_BASE_START;
    state->core[0].coherence = 0xff;
    return manager;
}

void coherence_manager_free(struct coherence_manager *manager)
{
    free(manager);
}

static const struct saved_field fields[] = {
    SAVED_LIMITED(struct coherence_manager, state.base_low, SAVED_U32, BASE_LOW_BITS),
    SAVED_FIELD(struct coherence_manager, state.access, SAVED_U32),
    SAVED_FIELD(struct coherence_manager, state.error_mask, SAVED_U32),
    SAVED_FIELD(struct coherence_manager, state.l2_sync_base, SAVED_U32),
    SAVED_FIELD(struct coherence_manager, state.gic_enabled, SAVED_BOOL),
    SAVED_FIELD(struct coherence_manager, state.cpc_enabled, SAVED_BOOL),
    SAVED_FIELD(struct coherence_manager, state.region_base, SAVED_U32),
    SAVED_FIELD(struct coherence_manager, state.region_mask, SAVED_U32),
    SAVED_EACH(struct coherence_manager, state.core, coherence, SAVED_U32),
    SAVED_EACH(struct coherence_manager, state.core, other, SAVED_U32),
    SAVED_EACH(struct coherence_manager, state.core, reset_base, SAVED_U32),
    SAVED_EACH(struct coherence_manager, state.core, reset_ext_base, SAVED_U32),
};

void coherence_manager_register_saved(struct coherence_manager *manager, struct saved *saved)
{
    saved_add(saved,
              &(struct saved_section){.name = "cm", .version = 2, .oldest = 1, .base = manager, SAVED_TABLE(fields)});
}

/* Board device */

static bool create_on_board(const struct device_board *board, void **device, struct err *err)
{
    (void)err;
    const struct coherence_manager_config config = {
        .cpus = board->cpus, .gcr_base = board->base, .gic_base = BOARD_GIC_BASE, .cpc_base = BOARD_CPC_BASE};
    *device = coherence_manager_create(&config, board->log);
    physmem_add_device(board->mem, board->base, BOARD_GCR_SIZE, &coherence_manager_device_ops, *device);
    physmem_add_device(board->mem, board->base + COHERENCE_MANAGER_L2_SYNC_OFFSET, COHERENCE_MANAGER_L2_SYNC_SIZE,
                       &coherence_manager_l2_sync_ops, *device);
    return true;
}

static void free_on_board(void *device)
{
    coherence_manager_free(device);
}

static bool register_saved(void *device, struct saved *saved, struct err *err)
{
    (void)err;
    coherence_manager_register_saved(device, saved);
    return true;
}

const struct device_type coherence_manager_type = {
    .name = "coherence-manager",
    .summary = "coherence manager: number, start and coherence of processors (MIPS CM2)",
    .size = COHERENCE_MANAGER_L2_SYNC_OFFSET + COHERENCE_MANAGER_L2_SYNC_SIZE,
    .create = create_on_board,
    .free = free_on_board,
    .register_saved = register_saved,
};
