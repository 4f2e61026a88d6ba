#include "src/board_disks.h"

#include <stdio.h>
#include <string.h>

/* "FILE", "FILE,ro" or "FILE,write". */
static struct disk_image *open_image(const char *text, struct err *err)
{
    static const struct {
        const char *suffix;
        enum disk_mode mode;
    } modes[] = {{",ro", DISK_READ_ONLY}, {",write", DISK_WRITE_THROUGH}};
    char path[4200];
    snprintf(path, sizeof path, "%s", text);
    char *comma = strrchr(path, ',');
    for (size_t i = 0; comma && i < sizeof modes / sizeof modes[0]; i++)
        if (strcmp(comma, modes[i].suffix) == 0) {
            *comma = 0;
            return disk_image_open(path, modes[i].mode, err);
        }
    return disk_image_open(path, DISK_COPY_ON_WRITE, err);
}

static bool add_disk(struct board_disks *disks, const struct machine *machine, struct gic *gic,
                     const struct disk_config *config, unsigned number, struct err *err)
{
    char name[32], id[16];
    struct board_disk *disk = &disks->disk[number];
    snprintf(name, sizeof name, "machine.disk%u", number);
    const char *text = params_string(machine->params, name);
    if (!*text)
        return true;
    disk->image = open_image(text, err);
    if (!disk->image)
        return false;
    if (config->model != DISK_FIXED && !disks->bus)
        disks->bus = scsi_bus_create((struct disk_clock){.queue = machine->queue, .speed = config->speed});
    snprintf(id, sizeof id, "disk%u", number);
    disk->block = virtio_block_create_drive(machine->queue, machine->mem, disk->image, id, config, disks->bus, number,
                                            gic_input(gic, BOARD_IRQ_VIRTIO + number), machine->log);
    return true;
}

bool board_disks_create(struct board_disks *disks, const struct machine *machine, struct gic *gic, struct err *err)
{
    const struct disk_config config = disk_config_of(machine->params, machine->queue->clock_hz);
    for (unsigned number = 0; number < BOARD_DISKS; number++)
        if (!add_disk(disks, machine, gic, &config, number, err)) {
            board_disks_free(disks);
            return false;
        }
    return true;
}

void board_disks_free(struct board_disks *disks)
{
    for (unsigned i = 0; i < BOARD_DISKS; i++) {
        virtio_block_free(disks->disk[i].block);
        disk_image_close(disks->disk[i].image);
    }
    scsi_bus_free(disks->bus);
    *disks = (struct board_disks){0};
}

void board_disks_register_stats(const struct board_disks *disks, struct stats *stats)
{
    char prefix[32];
    for (unsigned i = 0; i < BOARD_DISKS; i++) {
        snprintf(prefix, sizeof prefix, "disk%u", i);
        if (disks->disk[i].block)
            virtio_block_register_stats(disks->disk[i].block, stats, prefix);
    }
    if (disks->bus)
        scsi_bus_register_stats(disks->bus, stats, "scsi");
}
