#include "src/boards/board_copy.h"

#include "devices/disk/disk_image.h"
#include "devices/virtio/virtio_block.h"
#include "devices/virtio/virtio_mmio.h"
#include "src/machine/board_devices.h"
#include "src/host/copy_files.h"
#include "src/host/external.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct copy_disk {
    struct disk_image *image; /* NULL: no disk */
    struct virtio_block *block;
};

struct copy {
    struct copy_disk in, out;
};

enum { SLOT_IN = 0, SLOT_OUT = BOARD_SLOT_COPY_OUT - BOARD_SLOT_COPY_IN }; /* relative to the row's slot */

static bool add_disk(struct copy_disk *disk, const struct device_board *board, int file, enum disk_mode mode,
                     unsigned slot, const char *name, struct err *err)
{
    disk->image = disk_image_open_fd(file, mode, name, err);
    if (!disk->image)
        return false;
    disk->block =
        virtio_block_create(board->queue, board->mem, disk->image, name, 0, device_irq(board, slot), board->log);
    physmem_add_device(board->mem, board->base + slot * BOARD_VIRTIO_STRIDE, VIRTIO_MMIO_SIZE, &virtio_block_device_ops,
                       disk->block);
    return true;
}

static bool host_failed(const char *option, struct err *err)
{
    return err_set(err, "--%s: %s", option, strerror(errno));
}

/* Note the valid bytes of the stream in the record, then extend the file to the size of the guest's disk. */
static bool note_stream(const struct machine *machine, int file, struct err *err)
{
    return external_note_fd(machine->external, "copy-in", file, machine->copy->stream_size, "--copy-in", err) &&
           (ftruncate(file, (off_t)COPY_IN_CAPACITY) == 0 || host_failed("copy-in", err));
}

static bool add_in(struct copy *copy, const struct device_board *board, struct err *err)
{
    const struct machine *machine = board->machine;
    if (!copy_in_pack(machine->copy, params_u64(machine->params, "rtc.start"), err))
        return false;
    int file = dup(machine->copy->stream);
    if (file < 0)
        return host_failed("copy-in", err);
    if (note_stream(machine, file, err))
        return add_disk(&copy->in, board, file, DISK_READ_ONLY, SLOT_IN, "copy-in", err);
    close(file);
    return false;
}

static bool add_out(struct copy *copy, const struct device_board *board, struct err *err)
{
    const struct machine *machine = board->machine;
    char *header = checked_memory(malloc(COPY_HEADER_SIZE));
    uint64_t size = params_u64(machine->params, "guest.copy_out") & ~(uint64_t)(DISK_BLOCK_SIZE - 1);
    int file = memfd_create("simos-copy-out", MFD_CLOEXEC);
    copy_out_write_header(machine->copy, header);
    bool done = file >= 0 && ftruncate(file, (off_t)size) == 0 &&
                pwrite(file, header, COPY_HEADER_SIZE, 0) == (ssize_t)COPY_HEADER_SIZE;
    free(header);
    if (done &&
        !external_note_fd(machine->external, "copy-out", file, COPY_HEADER_SIZE, "what --copy-out asks for", err)) {
        close(file);
        return false;
    }
    if (done && add_disk(&copy->out, board, file, DISK_COPY_ON_WRITE, SLOT_OUT, "copy-out", err)) {
        disk_image_drop_zeros(copy->out.image);
        return true;
    }
    if (done)
        return false;
    host_failed("copy-out", err);
    if (file >= 0)
        close(file);
    return false;
}

static bool create(const struct device_board *board, void **device, struct err *err)
{
    const struct copy_files *files = board->machine->copy;
    if (!files)
        return true;
    struct copy *copy = *device = checked_memory(calloc(1, sizeof *copy));
    return (files->in_count == 0 || add_in(copy, board, err)) && (files->out_count == 0 || add_out(copy, board, err));
}

static void free_disk(struct copy_disk *disk)
{
    if (!disk->image)
        return;
    virtio_block_free(disk->block);
    disk_image_close(disk->image);
}

static void free_copy(void *device)
{
    struct copy *copy = device;
    free_disk(&copy->in);
    free_disk(&copy->out);
    free(copy);
}

static void register_disk(const struct copy_disk *disk, struct saved *saved, const char *name)
{
    char part[SAVED_NAME_MAX + 1];
    if (!disk->block)
        return;
    virtio_block_register_saved(disk->block, saved, name);
    snprintf(part, sizeof part, "%s.image", name);
    disk_image_register_saved(disk->image, saved, part);
}

static bool register_saved(void *device, struct saved *saved, struct err *err)
{
    const struct copy *copy = device;
    (void)err;
    register_disk(&copy->in, saved, "copy_in");
    register_disk(&copy->out, saved, "copy_out");
    return true;
}

static void write_disk(const struct copy_disk *disk, const struct device_board *board, const char *name, unsigned slot,
                       struct tree_writer *tree)
{
    if (!disk->block)
        return;
    virtio_mmio_begin_node(tree, name, board->base + slot * BOARD_VIRTIO_STRIDE, board->irq + slot);
    tree_end(tree);
}

static void write_nodes(const void *device, const struct device_board *board, struct tree_writer *tree)
{
    const struct copy *copy = device;
    write_disk(&copy->in, board, "copy-in", SLOT_IN, tree);
    write_disk(&copy->out, board, "copy-out", SLOT_OUT, tree);
}

static bool read_disk(void *opaque, uint64_t offset, void *buffer, uint32_t size)
{
    return disk_image_read(opaque, offset, buffer, size);
}

bool board_copy_unpack(const struct machine *machine, struct err *err)
{
    const struct copy *copy =
        board_has_device(machine, &board_copy_type) ? board_device(machine, &board_copy_type) : NULL;
    struct disk_image *image = copy ? copy->out.image : NULL;
    return !image ||
           copy_out_unpack(machine->copy, read_disk, image, disk_image_sectors(image) * DISK_SECTOR_SIZE, err);
}

static const struct param_def params[] = {
    {"guest.copy_out", PARAM_SIZE, TRAIT_FIXED, "bytes", "256M", 1 << 20, 1ull << 40, false, NULL,
     "maximum total size of the files copied by --copy-out"},
};
static const size_t param_count = sizeof params / sizeof params[0];

const struct device_type board_copy_type = {
    .name = "copy",
    .summary = "disks (virtio) for --copy-in and --copy-out",
    .size = 2 * BOARD_VIRTIO_STRIDE,
    .interrupts = 2,
    .params = {{params, &param_count}},
    .create = create,
    .free = free_copy,
    .register_saved = register_saved,
    .write_node = write_nodes,
};
