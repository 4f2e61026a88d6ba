#include "src/board_copy.h"

#include "devices/disk_image.h"
#include "src/board_devices.h"
#include "src/copy_files.h"
#include "src/external.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const struct param_def board_copy_params[] = {
    {"guest.copy_out", PARAM_SIZE, "bytes", "256M", 1 << 20, 1ull << 40, false, NULL,
     "room for the files that --copy-out brings, all of them together"},
};
const size_t board_copy_param_count = sizeof board_copy_params / sizeof board_copy_params[0];

static bool add_disk(struct board_copy_disk *disk, struct machine *machine, struct gic *gic, int file,
                     enum disk_mode mode, unsigned slot, const char *name, struct err *err)
{
    disk->image = disk_image_open_fd(file, mode, name, err);
    if (!disk->image)
        return false;
    disk->block = virtio_block_create(machine->queue, machine->mem, disk->image, name, 0,
                                      gic_input(gic, BOARD_IRQ_VIRTIO + slot), machine->log);
    return true;
}

static bool host_failed(const char *option, struct err *err)
{
    return err_set(err, "--%s: %s", option, strerror(errno));
}

/* The record of a run is about the bytes that mean something, the guest's disk has more. */
static bool note_stream(const struct machine *machine, int file, struct err *err)
{
    return external_note_fd(machine->external, "copy-in", file, machine->copy->stream_size, "--copy-in", err) &&
           (ftruncate(file, (off_t)COPY_IN_CAPACITY) == 0 || host_failed("copy-in", err));
}

static bool add_in(struct board_copy *copy, struct machine *machine, struct gic *gic, struct err *err)
{
    if (!copy_in_pack(machine->copy, params_u64(machine->params, "rtc.start"), err))
        return false;
    int file = dup(machine->copy->stream);
    if (file < 0)
        return host_failed("copy-in", err);
    if (note_stream(machine, file, err))
        return add_disk(&copy->in, machine, gic, file, DISK_READ_ONLY, BOARD_SLOT_COPY_IN, "copy-in", err);
    close(file);
    return false;
}

static bool add_out(struct board_copy *copy, struct machine *machine, struct gic *gic, struct err *err)
{
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
    if (done)
        return add_disk(&copy->out, machine, gic, file, DISK_COPY_ON_WRITE, BOARD_SLOT_COPY_OUT, "copy-out", err);
    host_failed("copy-out", err);
    if (file >= 0)
        close(file);
    return false;
}

bool board_copy_create(struct board_copy *copy, struct machine *machine, struct gic *gic, struct err *err)
{
    const struct copy_files *files = machine->copy;
    if (!files)
        return true;
    return (files->in_count == 0 || add_in(copy, machine, gic, err)) &&
           (files->out_count == 0 || add_out(copy, machine, gic, err));
}

static void free_disk(struct board_copy_disk *disk)
{
    if (!disk->image)
        return;
    virtio_block_free(disk->block);
    disk_image_close(disk->image);
}

void board_copy_free(struct board_copy *copy)
{
    free_disk(&copy->in);
    free_disk(&copy->out);
}

static void register_disk(const struct board_copy_disk *disk, struct saved *saved, const char *name)
{
    char part[SAVED_NAME_MAX + 1];
    if (!disk->block)
        return;
    virtio_block_register_saved(disk->block, saved, name);
    snprintf(part, sizeof part, "%s.image", name);
    disk_image_register_saved(disk->image, saved, part);
}

void board_copy_register_saved(const struct board_copy *copy, struct saved *saved)
{
    register_disk(&copy->in, saved, "copy_in");
    register_disk(&copy->out, saved, "copy_out");
}

static bool read_disk(void *opaque, uint64_t offset, void *buffer, uint32_t size)
{
    return disk_image_read(opaque, offset, buffer, size);
}

bool board_copy_unpack(const struct machine *machine, struct err *err)
{
    struct disk_image *image = machine->devices->copy.out.image;
    return !image ||
           copy_out_unpack(machine->copy, read_disk, image, disk_image_sectors(image) * DISK_SECTOR_SIZE, err);
}
