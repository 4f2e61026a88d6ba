#include "src/machine/board_disks.h"

#include "devices/disk/disk_partitions.h"
#include "devices/virtio/virtio_mmio.h"
#include "src/machine/board_devices.h"
#include "src/machine/boards.h"
#include "src/host/external.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void board_disk_parse(struct disk_text *disk, const char *text)
{
    static const char overlay[] = ",overlay=";
    snprintf(disk->path, sizeof disk->path, "%s", text);
    disk->mode = DISK_COPY_ON_WRITE;
    disk->overlay = NULL;
    char *found = strstr(disk->path, overlay), *comma = strrchr(disk->path, ',');
    if (found) {
        *found = 0;
        disk->overlay = found + sizeof overlay - 1;
    } else if (comma && (strcmp(comma, ",ro") == 0 || strcmp(comma, ",write") == 0)) {
        disk->mode = strcmp(comma, ",ro") == 0 ? DISK_READ_ONLY : DISK_WRITE_THROUGH;
        *comma = 0;
    }
}

/* Open the image that parameter NAME configures. */
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
    if (image && external_note_file(machine->external, INPUT_DISK, name, disk.path, err) &&
        (!disk.overlay || external_note_file(machine->external, INPUT_DISK, role, disk.overlay, err)))
        return image;
    disk_image_close(image);
    return NULL;
}

static bool add_disk(struct board_disks *disks, const struct device_board *board, const struct disk_config *config,
                     unsigned number, struct err *err)
{
    char name[32], id[16];
    struct board_disk *disk = &disks->disk[number];
    snprintf(name, sizeof name, "machine.disk%u", number);
    if (!*params_string(board->params, name))
        return true;
    disk->image = open_image(board->machine, name, err);
    if (!disk->image)
        return false;
    disks->uses_bus = config->model != DISK_FIXED;
    if (!disks->bus)
        disks->bus = scsi_bus_create((struct disk_clock){.queue = board->queue, .speed = config->speed});
    snprintf(id, sizeof id, "disk%u", number);
    disk->block = virtio_block_create_drive(board->queue, board->mem, disk->image, id, config, disks->bus, number,
                                            device_irq(board, number), board->log);
    physmem_add_device(board->mem, board->base + number * BOARD_VIRTIO_STRIDE, VIRTIO_MMIO_SIZE,
                       &virtio_block_device_ops, disk->block);
    return true;
}

static bool create(const struct device_board *board, void **device, struct err *err)
{
    struct board_disks *disks = *device = checked_memory(calloc(1, sizeof *disks));
    const struct disk_config config = disk_config_of(board->params, board->queue->clock_hz);
    if (config.latency && config.model != DISK_FIXED)
        return err_set(err, "disk.latency: only disks of disk.model=fixed have one");
    for (unsigned number = 0; number < BOARD_DISKS; number++)
        if (!add_disk(disks, board, &config, number, err))
            return false;
    return true;
}

static void free_disks(void *device)
{
    struct board_disks *disks = device;
    for (unsigned i = 0; i < BOARD_DISKS; i++) {
        virtio_block_free(disks->disk[i].block);
        disk_image_close(disks->disk[i].image);
    }
    scsi_bus_free(disks->bus);
    free(disks);
}

struct board_disks *board_disks_of(const struct machine *machine)
{
    return board_device(machine, machine->board->disks);
}

bool board_disks_first_has_no_fs(const struct board_disks *disks, const struct params *params, char *text, size_t size)
{
    unsigned number = 0;
    while (number < BOARD_DISKS && !disks->disk[number].image)
        number++;
    if (number == BOARD_DISKS || disk_image_has_ext(disks->disk[number].image) ||
        disk_root_partition(disks->disk[number].image))
        return false;
    char name[32];
    struct disk_text disk;
    snprintf(name, sizeof name, "machine.disk%u", number);
    board_disk_parse(&disk, params_string(params, name));
    snprintf(text, size, "%s %s", name, disk.path);
    return true;
}

bool board_disks_finish(struct board_disks *disks, const struct params *params, struct err *err)
{
    bool done = true;
    for (unsigned number = 0; number < BOARD_DISKS; number++) {
        struct disk_image *image = disks->disk[number].image;
        struct disk_text disk;
        char name[32];
        int reason = 0;
        uint64_t failures = image ? disk_image_finish(image, &reason) : 0;
        if (!failures)
            continue;
        snprintf(name, sizeof name, "machine.disk%u", number);
        board_disk_parse(&disk, params_string(params, name));
        struct err line = {""};
        err_set(&line, "%s %s%.300s: %s: %llu writes of the guest failed", name, disk.overlay ? "overlay " : "",
                disk.overlay ? disk.overlay : disk.path, strerror(reason), (unsigned long long)failures);
        done = err_add(err, &line);
    }
    return done;
}

static void register_stats(void *device, struct stats *stats)
{
    const struct board_disks *disks = device;
    char prefix[32];
    for (unsigned i = 0; i < BOARD_DISKS; i++) {
        snprintf(prefix, sizeof prefix, "disk%u", i);
        if (disks->disk[i].block)
            virtio_block_register_stats(disks->disk[i].block, stats, prefix);
    }
    if (disks->uses_bus)
        scsi_bus_register_stats(disks->bus, stats, "scsi");
}

static bool register_saved(void *device, struct saved *saved, struct err *err)
{
    if (!board_disks_check_saved(device, err))
        return false;
    board_disks_register_saved(device, saved);
    return true;
}

static void write_nodes(const void *device, const struct device_board *board, struct tree_writer *tree)
{
    const struct board_disks *disks = device;
    for (unsigned i = 0; i < BOARD_DISKS; i++) {
        if (!disks->disk[i].block)
            continue;
        virtio_mmio_begin_node(tree, "disk", board->base + i * BOARD_VIRTIO_STRIDE, board->irq + i);
        unsigned root = disk_root_partition(disks->disk[i].image);
        char text[16];
        snprintf(text, sizeof text, "%u", root);
        if (root) /* for /init, which mounts it */
            tree_text(tree, "simos,root-partition", text);
        tree_end(tree);
    }
}

const struct device_type board_disks_type = {
    .name = "disk",
    .summary = "disks (virtio), machine.disk0 to machine.disk7, and the SCSI bus that they share",
    .size = BOARD_DISKS * BOARD_VIRTIO_STRIDE,
    .interrupts = BOARD_DISKS,
    .params = {{disk_params, &disk_param_count}},
    .create = create,
    .free = free_disks,
    .register_stats = register_stats,
    .register_saved = register_saved,
    .write_node = write_nodes,
};
