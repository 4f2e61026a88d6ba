#include "src/board_disks.h"

#include "src/external.h"
#include <stdio.h>
#include <string.h>

/* Parameter NAME is "FILE", "FILE,ro" or "FILE,write". */
static struct disk_image *open_image(const struct machine *machine, const char *name, struct err *err)
{
    static const struct {
        const char *suffix;
        enum disk_mode mode;
    } modes[] = {{",ro", DISK_READ_ONLY}, {",write", DISK_WRITE_THROUGH}};
    enum disk_mode mode = DISK_COPY_ON_WRITE;
    char path[4200];
    snprintf(path, sizeof path, "%s", params_string(machine->params, name));
    char *comma = strrchr(path, ',');
    for (size_t i = 0; comma && i < sizeof modes / sizeof modes[0]; i++)
        if (strcmp(comma, modes[i].suffix) == 0) {
            mode = modes[i].mode;
            *comma = 0;
            break;
        }
    struct disk_image *image = disk_image_open(path, mode, err);
    if (image && external_note_file(machine->external, name, path, err))
        return image;
    disk_image_close(image);
    return NULL;
}

static bool add_disk(struct board_disks *disks, const struct machine *machine, struct gic *gic,
                     const struct disk_config *config, unsigned number, struct err *err)
{
    char name[32], id[16];
    struct board_disk *disk = &disks->disk[number];
    snprintf(name, sizeof name, "machine.disk%u", number);
    if (!*params_string(machine->params, name))
        return true;
    disk->image = open_image(machine, name, err);
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
