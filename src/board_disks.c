#include "src/board_disks.h"

#include "src/external.h"
#include <stdio.h>
#include <string.h>

void board_disk_parse(struct disk_text *disk, const char *text)
{
    static const char overlay[] = ",overlay=";
    snprintf(disk->path, sizeof disk->path, "%s", text);
    disk->mode = DISK_COPY_ON_WRITE;
    disk->overlay = NULL;
    char *place = strstr(disk->path, overlay), *comma = strrchr(disk->path, ',');
    if (place) {
        *place = 0;
        disk->overlay = place + sizeof overlay - 1;
    } else if (comma && (strcmp(comma, ",ro") == 0 || strcmp(comma, ",write") == 0)) {
        disk->mode = strcmp(comma, ",ro") == 0 ? DISK_READ_ONLY : DISK_WRITE_THROUGH;
        *comma = 0;
    }
}

/* The image that parameter NAME asks for. */
static struct disk_image *open_image(const struct machine *machine, const char *name, struct err *err)
{
    struct disk_text disk;
    char role[64];
    board_disk_parse(&disk, params_string(machine->params, name));
    snprintf(role, sizeof role, "%s.overlay", name);
    if (disk.overlay && !*disk.overlay) {
        err_set(err, "%s: \"%s\": overlay= names no file", name, params_string(machine->params, name));
        return NULL;
    }
    struct disk_image *image = disk.overlay ? disk_image_open_overlay(disk.path, disk.overlay, err)
                                            : disk_image_open(disk.path, disk.mode, err);
    if (image && external_note_file(machine->external, name, disk.path, err) &&
        (!disk.overlay || external_note_file(machine->external, role, disk.overlay, err)))
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
    disks->uses_bus = config->model != DISK_FIXED;
    if (!disks->bus)
        disks->bus = scsi_bus_create((struct disk_clock){.queue = machine->queue, .speed = config->speed});
    snprintf(id, sizeof id, "disk%u", number);
    disk->block = virtio_block_create_drive(machine->queue, machine->mem, disk->image, id, config, disks->bus, number,
                                            gic_input(gic, BOARD_IRQ_VIRTIO + number), machine->log);
    return true;
}

bool board_disks_create(struct board_disks *disks, const struct machine *machine, struct gic *gic, struct err *err)
{
    const struct disk_config config = disk_config_of(machine->params, machine->queue->clock_hz);
    if (config.latency && config.model != DISK_FIXED)
        return err_set(err, "disk.latency: only disks of disk.model=fixed have one");
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

bool board_disks_first_is_bare(const struct board_disks *disks, const struct params *params, char *text, size_t size)
{
    unsigned number = 0;
    while (number < BOARD_DISKS && !disks->disk[number].image)
        number++;
    if (number == BOARD_DISKS || disk_image_has_ext(disks->disk[number].image))
        return false;
    char name[32];
    struct disk_text disk;
    snprintf(name, sizeof name, "machine.disk%u", number);
    board_disk_parse(&disk, params_string(params, name));
    snprintf(text, size, "%s %s", name, disk.path);
    return true;
}

void board_disks_register_stats(const struct board_disks *disks, struct stats *stats)
{
    char prefix[32];
    for (unsigned i = 0; i < BOARD_DISKS; i++) {
        snprintf(prefix, sizeof prefix, "disk%u", i);
        if (disks->disk[i].block)
            virtio_block_register_stats(disks->disk[i].block, stats, prefix);
    }
    if (disks->uses_bus)
        scsi_bus_register_stats(disks->bus, stats, "scsi");
}
