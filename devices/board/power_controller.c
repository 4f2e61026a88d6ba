/*
 * MIPS Cluster Power Controller.
 *
 * Register table (32-bit)
 *
 *   global block
 *   0x0000 0x0004  ACCESS     one bit a core, 31:0 and 63:32: it may write CPC registers (7:0 on real hardware)
 *   0x0008  SEQDEL            delays of the sequencer: stored, without effect
 *   0x0010  RAIL              stored, without effect
 *   0x0018  RESETLEN          stored, without effect
 *   0x0020  REVISION (RO)     15:8 major, 7:0 minor
 *
 *   core-local block at 0x2000 (the requester's) and core-other block at 0x4000 (that of the core in its OTHER)
 *   0x0000  CMD               3:0 1 clock off, 2 power down, 3 power up, 4 reset; reads back the last one
 *   0x0008  STAT_CONF (RO)    22:19 state of the sequencer, 16 power-down is implemented, 3:0 last command
 *   0x0010  OTHER             23:16 core seen at 0x4000
 *
 * Sequencer states in the model: 0 (D0) off, 6 (U5) running and not coherent, 7 (U6) running and coherent. All
 * other offsets read as zero and ignore writes. Names and layout follow the MIPS32 interAptiv Multiprocessing System
 * software manual and arch/mips/include/asm/mips-cpc.h of Linux.
 */
#include "devices/board/power_controller.h"
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_LOCAL = 0x2000,
    BLOCK_OTHER = 0x4000,
    BLOCK_END = 0x6000,

    CPC_ACCESS = 0x0000,
    CPC_ACCESS_HIGH = 0x0004,
    CPC_SEQDEL = 0x0008,
    CPC_RAIL = 0x0010,
    CPC_RESETLEN = 0x0018,
    CPC_REVISION = 0x0020,

    CORE_CMD = 0x0000,
    CORE_STAT_CONF = 0x0008,
    CORE_OTHER = 0x0010,

    REVISION = 2 << 8,
    ACCESS_WORDS = COHERENCE_MANAGER_MAX_CPUS / 32,
    DELAY_BITS = 0x3ff,
    CMD_BITS = 0xf,
    CMD_CLOCK_OFF = 1,
    CMD_POWER_DOWN = 2,
    CMD_POWER_UP = 3,
    CMD_RESET = 4,
    OTHER_SHIFT = 16,
    OTHER_BITS = 0xff,
    STATE_SHIFT = 19,
    STATE_D0 = 0,
    STATE_U5 = 6,
    STATE_U6 = 7,
    STAT_POWER_DOWN_IMPLEMENTED = 1 << 16,
};

struct cpc_core_state {
    bool on;
    uint32_t command;
    uint32_t other; /* number of a core */
};

/* Architectural state, held by a checkpoint. */
struct cpc_state {
    uint32_t access[ACCESS_WORDS];
    uint32_t seqdel, rail, resetlen;
    struct cpc_core_state core[COHERENCE_MANAGER_MAX_CPUS];
};

struct power_controller {
    unsigned cpus;
    struct coherence_manager *manager;
    const struct power_ops *ops;
    void *opaque;
    struct log *log;
    struct cpc_state state;
};

static uint32_t global_read(const struct cpc_state *state, uint32_t offset)
{
    switch (offset) {
    case CPC_ACCESS: return state->access[0];
    case CPC_ACCESS_HIGH: return state->access[1];
    case CPC_SEQDEL: return state->seqdel;
    case CPC_RAIL: return state->rail;
    case CPC_RESETLEN: return state->resetlen;
    case CPC_REVISION: return REVISION;
    default: return 0;
    }
}

static void global_write(struct cpc_state *state, uint32_t offset, uint32_t value)
{
    switch (offset) {
    case CPC_ACCESS: state->access[0] = value; break;
    case CPC_ACCESS_HIGH: state->access[1] = value; break;
    case CPC_SEQDEL: state->seqdel = value & DELAY_BITS; break;
    case CPC_RAIL: state->rail = value & DELAY_BITS; break;
    case CPC_RESETLEN: state->resetlen = value & DELAY_BITS; break;
    default: break;
    }
}

static uint32_t core_read(const struct power_controller *controller, unsigned cpu, uint32_t offset)
{
    const struct cpc_core_state *core = &controller->state.core[cpu];
    uint32_t sequencer = STATE_D0;
    switch (offset) {
    case CORE_CMD: return core->command;
    case CORE_STAT_CONF:
        if (core->on)
            sequencer = coherence_manager_is_coherent(controller->manager, cpu) ? STATE_U6 : STATE_U5;
        return sequencer << STATE_SHIFT | STAT_POWER_DOWN_IMPLEMENTED | core->command;
    case CORE_OTHER: return core->other << OTHER_SHIFT;
    default: return 0;
    }
}

static void core_start(struct power_controller *controller, unsigned cpu)
{
    controller->state.core[cpu].on = true;
    controller->state.core[cpu].other = 0;
    coherence_manager_core_reset(controller->manager, cpu);
    controller->ops->start(controller->opaque, cpu, coherence_manager_reset_base(controller->manager, cpu));
}

static void core_stop(struct power_controller *controller, unsigned cpu)
{
    controller->state.core[cpu].on = false;
    controller->state.core[cpu].other = 0;
    coherence_manager_core_reset(controller->manager, cpu);
    controller->ops->stop(controller->opaque, cpu);
}

static void core_command(struct power_controller *controller, unsigned cpu, uint32_t command)
{
    struct cpc_core_state *core = &controller->state.core[cpu];
    core->command = command;
    switch (command) {
    case CMD_POWER_UP:
        if (!core->on)
            core_start(controller, cpu);
        break;
    case CMD_RESET: core_start(controller, cpu); break;
    case CMD_POWER_DOWN:
        if (!core->on)
            break;
        if (coherence_manager_is_coherent(controller->manager, cpu))
            log_guest(controller->log, "cpc.coherent", "power controller: core %u powered down while coherent", cpu);
        core_stop(controller, cpu);
        break;
    case CMD_CLOCK_OFF:
        log_guest(controller->log, "cpc.clock-off", "power controller: clock gating is not implemented");
        break;
    default: log_guest(controller->log, "cpc.command", "power controller: unknown command %u", command); break;
    }
}

static void core_write(struct power_controller *controller, unsigned cpu, uint32_t offset, uint32_t value)
{
    switch (offset) {
    case CORE_CMD: core_command(controller, cpu, value & CMD_BITS); break;
    case CORE_OTHER: controller->state.core[cpu].other = value >> OTHER_SHIFT & OTHER_BITS; break;
    default: break;
    }
}

/* Find the core whose registers appear at OFFSET (in the local or the other block) for REQUESTER. False if the block
 * selects a core that does not exist. */
static bool core_block(const struct power_controller *controller, uint32_t offset, unsigned requester, unsigned *cpu)
{
    *cpu = offset < BLOCK_OTHER ? requester : controller->state.core[requester].other;
    if (*cpu < controller->cpus)
        return true;
    log_guest(controller->log, "cpc.other", "power controller: access to core %u: there are %u", *cpu,
              controller->cpus);
    return false;
}

static uint32_t cpc_read(void *opaque, uint32_t offset, unsigned size, unsigned requester)
{
    const struct power_controller *controller = opaque;
    uint32_t aligned = offset & ~3u, word = 0;
    unsigned cpu;
    if (requester >= controller->cpus)
        return 0;
    if (aligned < BLOCK_LOCAL)
        word = global_read(&controller->state, aligned);
    else if (aligned < BLOCK_END && core_block(controller, aligned, requester, &cpu))
        word = core_read(controller, cpu, aligned % 0x2000);
    word >>= offset % 4 * 8;
    return size >= 4 ? word : word & ((1u << size * 8) - 1);
}

static void cpc_write(void *opaque, uint32_t offset, unsigned size, uint32_t value, unsigned requester)
{
    struct power_controller *controller = opaque;
    unsigned cpu;
    if (requester >= controller->cpus)
        return;
    if (size != 4) {
        log_guest(controller->log, "cpc.size", "power controller: write of %u bytes at 0x%x ignored: registers have 4",
                  size, offset);
        return;
    }
    if (!(controller->state.access[requester / 32] >> requester % 32 & 1)) {
        log_guest(controller->log, "cpc.access", "power controller: write by core %u, which CPC_ACCESS forbids",
                  requester);
        return;
    }
    if (offset < BLOCK_LOCAL)
        global_write(&controller->state, offset, value);
    else if (offset < BLOCK_END && core_block(controller, offset, requester, &cpu))
        core_write(controller, cpu, offset % 0x2000, value);
}

const struct device_ops power_controller_device_ops = {"power controller", cpc_read, cpc_write};

bool power_controller_is_on(const struct power_controller *controller, unsigned cpu)
{
    return cpu < controller->cpus && controller->state.core[cpu].on;
}

struct power_controller *power_controller_create(unsigned cpus, struct coherence_manager *manager,
                                                 const struct power_ops *ops, void *opaque, struct log *log)
{
    if (cpus < 1 || cpus > COHERENCE_MANAGER_MAX_CPUS)
        log_bug("power controller for %u cores: 1 to %d", cpus, COHERENCE_MANAGER_MAX_CPUS);
    struct power_controller *controller = checked_memory(calloc(1, sizeof *controller));
    controller->cpus = cpus;
    controller->manager = manager;
    controller->ops = ops;
    controller->opaque = opaque;
    controller->log = log;
    memset(controller->state.access, 0xff, sizeof controller->state.access);
    controller->state.core[0].on = true;
    return controller;
}

void power_controller_free(struct power_controller *controller)
{
    free(controller);
}

static const struct saved_field fields[] = {
    SAVED_FIELD(struct power_controller, state.access, SAVED_U32),
    SAVED_FIELD(struct power_controller, state.seqdel, SAVED_U32),
    SAVED_FIELD(struct power_controller, state.rail, SAVED_U32),
    SAVED_FIELD(struct power_controller, state.resetlen, SAVED_U32),
    SAVED_EACH(struct power_controller, state.core, on, SAVED_BOOL),
    SAVED_EACH_LIMITED(struct power_controller, state.core, command, SAVED_U32, CMD_BITS),
    SAVED_EACH_LIMITED(struct power_controller, state.core, other, SAVED_U32, OTHER_BITS),
};

void power_controller_register_saved(struct power_controller *controller, struct saved *saved)
{
    saved_add(saved, &(struct saved_section){
                         .name = "cpc", .version = 2, .oldest = 1, .base = controller, SAVED_TABLE(fields)});
}
