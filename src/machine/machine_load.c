/*
 * Loads the guest into a machine: kernel, initrd, symbols, and what its board describes it with to the kernel
 * (src/machine/boards.h).
 *
 * Layout: the kernel at its link address; the initrd at the top of low RAM, the description below it, so that the
 * kernel does not overwrite them.
 */
#include "cpu/registers.h"
#include "src/machine/machine.h"

#include "src/machine/board_disks.h"
#include "src/machine/boards.h"
#include "src/machine/machine_guest.h"
#include "src/guest/random_numbers.h"
#include "src/host/copy_files.h"
#include "src/host/external.h"
#include "src/image/loader.h"
#include "src/base/shipped_files.h"
#include "src/base/symbols.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct board *board_of(const struct params *params)
{
    return params ? board_named(params_string(params, "machine.board")) : board_at(0);
}

/* Find the file NAME of the guest of PARAMS' board: beside the executable, or one directory up (builds of other kinds).
 */
static bool find_guest_file(const struct params *params, const char *name, char *path, size_t size)
{
    char file[PATH_MAX];
    int length = snprintf(file, sizeof file, "%s/%s", board_of(params)->guest, name);
    return length > 0 && (size_t)length < sizeof file && shipped_file_find(file, 1, path, size);
}

/* Path of the guest's part WHAT from parameter NAME; if that is empty, of FILE of the board's guest. */
static bool guest_path(const struct params *params, const char *what, const char *name, const char *file, char *path,
                       size_t size, struct err *err)
{
    const char *given = params_string(params, name), *guest = board_of(params)->guest;
    if (*given) {
        if ((size_t)snprintf(path, size, "%s", given) >= size)
            return err_set(err, "%s: path too long (at most %zu bytes)", name, size - 1);
        return true;
    }
    if (find_guest_file(params, file, path, size))
        return true;
    return err_set(err, "no %s: %s/%s is not there beside simos; type \"make %s\", or name one with --%s", what, guest,
                   file, guest, what);
}

bool machine_default_kernel(const struct params *params, char *path, size_t size, struct err *err)
{
    const char *guest = board_of(params)->guest;
    return find_guest_file(params, "vmlinux", path, size) ||
           err_set(err, "no kernel: %s/vmlinux is not there beside simos; type \"make %s\"", guest, guest);
}

/* Path and format of the kernel. */
static bool find_kernel(const struct params *params, struct kernel_source *source, struct err *err)
{
    char path[PATH_MAX];
    if (!guest_path(params, "kernel", "guest.kernel", "vmlinux", path, sizeof path, err))
        return false;
    if (*params_string(params, "guest.kernel"))
        return loader_split_source(source, path, err);
    *source = (struct kernel_source){.raw = false};
    memcpy(source->path, path, sizeof path);
    return true;
}

/* Find the file NAME in the directory of KERNEL. False if it does not exist. */
static bool find_beside(const char *kernel, const char *name, char *path, size_t size)
{
    const char *slash = strrchr(kernel, '/');
    return (size_t)snprintf(path, size, "%.*s%s", slash ? (int)(slash + 1 - kernel) : 0, kernel, name) < size &&
           access(path, F_OK) == 0;
}

static bool is_none(const struct params *params, const char *name)
{
    return strcmp(params_string(params, name), "none") == 0;
}

/* Physical addresses of the loaded parts. */
struct guest {
    struct loaded_image kernel;
    struct guest_places places;
};

/* For an explicitly named kernel use the initrd beside it, if there is one: it holds that kernel's modules. */
static bool initrd_path(const struct params *params, char *path, size_t size, struct err *err)
{
    const char *kernel = params_string(params, "guest.kernel");
    if (*kernel && !*params_string(params, "guest.initrd") && find_beside(kernel, "initrd.cpio", path, size))
        return true;
    return guest_path(params, "initrd", "guest.initrd", "initrd.cpio", path, size, err);
}

/* A boot ROM fetches what it starts, so the default initrd is not put beside it. */
static bool takes_initrd(const struct params *params, const struct loaded_image *kernel)
{
    return !is_none(params, "guest.initrd") && (!kernel->reset || *params_string(params, "guest.initrd"));
}

static bool place_initrd(struct machine *machine, struct guest *guest, struct err *err)
{
    char path[PATH_MAX];
    uint64_t size = 0, low = params_u64(machine->params, "machine.memory");
    if (low > BOARD_LOW_RAM_MAX)
        low = BOARD_LOW_RAM_MAX;
    const bool wanted = takes_initrd(machine->params, &guest->kernel);
    if (wanted &&
        (!initrd_path(machine->params, path, sizeof path, err) || !loader_file_size(INPUT_INITRD, path, &size, err) ||
         !external_note_file(machine->external, INPUT_INITRD, "guest.initrd", path, err)))
        return false;
    uint64_t below = ((uint64_t)guest->kernel.last + PAGE_SIZE) & ~(uint64_t)(PAGE_SIZE - 1);
    const uint32_t description = machine->board->description_size;
    if (below < machine->board->reserved_end)
        below = machine->board->reserved_end;
    below += description;
    if (below > low)
        return err_set(err, "machine.memory: the kernel leaves no room for the device tree");
    if (size > low - below)
        return err_set(err, "initrd %s: %llu bytes do not fit; RAM has room for %llu", path, (unsigned long long)size,
                       (unsigned long long)(low - below));
    const paddr page = (paddr)params_u64(machine->params, "guest.page_size"),
                initrd = (paddr)(low - size) & ~(page - 1);
    if (initrd < below)
        return err_set(err, "guest.page_size is %u bytes: RAM has no room for the initrd at a multiple of it", page);
    guest->places = (struct guest_places){.initrd = initrd,
                                          .initrd_size = (uint32_t)size,
                                          .free = (paddr)(below - description),
                                          .free_end = initrd - description};
    return size == 0 || loader_load_file(machine->mem, INPUT_INITRD, path, initrd, (uint32_t)size, err);
}

/* Set the kernel image: it begins at the first symbol, and its tables are in the first 64 MB. */
static void set_image(struct machine *machine)
{
    enum { IMAGE_MAX = 64 << 20 };
    const struct symbol *first = symbols_get(machine->symbols, 0);
    if (!first || !vaddr_in_kseg0(first->address))
        return;
    const paddr begin = vaddr_physical(first->address) & ~(paddr)(PAGE_SIZE - 1);
    uint32_t size = IMAGE_MAX;
    while (size >= PAGE_SIZE && !physmem_is_ram(machine->mem, begin, size))
        size /= 2;
    if (size >= PAGE_SIZE)
        symbols_set_image(machine->symbols,
                          &(struct symbols_image){physmem_host(machine->mem, begin), vaddr_of_kseg0(begin), size});
}

/* Path of the symbol file: as configured, otherwise beside the kernel (NULL: not known). False if there is none. */
static bool symbols_path(const struct params *params, const char *kernel, char *path, size_t size)
{
    const char *given = params_string(params, "guest.symbols");
    if (is_none(params, "guest.symbols"))
        return false;
    if (*given)
        return (size_t)snprintf(path, size, "%s", given) < size;
    return kernel && find_beside(kernel, "kernel.sym", path, size);
}

bool machine_guest_file(const struct params *params, const char *name, char *path, size_t size)
{
    struct kernel_source kernel;
    bool found = find_kernel(params, &kernel, NULL);
    if (strcmp(name, "guest.kernel") == 0)
        return found && (size_t)snprintf(path, size, "%s", kernel.path) < size;
    if (strcmp(name, "guest.symbols") == 0)
        return symbols_path(params, found ? kernel.path : NULL, path, size);
    if (strcmp(name, "guest.initrd") == 0)
        return !is_none(params, name) && initrd_path(params, path, size, NULL);
    return *params_string(params, name) && (size_t)snprintf(path, size, "%s", params_string(params, name)) < size;
}

struct symbols *machine_read_symbols(const char *path, struct err *err)
{
    char beside[PATH_MAX + 16];
    struct symbols *symbols = NULL;
    if (loader_is_elf(path))
        symbols =
            find_beside(path, "kernel.sym", beside, sizeof beside) ? symbols_load(beside, err) : loader_symbols(path);
    else
        return symbols_load(path, err);
    if (!symbols && !err->text[0])
        err_set(err, "kernel %.200s: it has no symbols, and no kernel.sym is beside it", path);
    return symbols;
}

/* The symbols of an ELF kernel's or program's own table. Other programs, too, have a panic(). */
static void take_own_symbols(struct machine *machine, const char *kernel)
{
    machine->symbols = is_none(machine->params, "guest.symbols") ? NULL : loader_symbols(kernel);
    if (machine->symbols && symbols_find(machine->symbols, "start_kernel"))
        machine_watch_linux(machine);
}

static bool load_symbols(struct machine *machine, const char *kernel, struct err *err)
{
    char path[PATH_MAX + 16];
    if (!symbols_path(machine->params, kernel, path, sizeof path)) {
        if (kernel)
            take_own_symbols(machine, kernel);
        return true;
    }
    machine->symbols = symbols_load(path, err);
    machine->symbols_path = checked_memory(strdup(path));
    if (!machine->symbols || !external_note_file(machine->external, INPUT_SYMBOLS, "guest.symbols", path, err))
        return false;
    set_image(machine);
    machine_watch_linux(machine);
    return true;
}

/* Find the layout file; who reads it: annotations/symbols/guest_layouts.h. */
static bool find_layout(struct machine *machine, const char *kernel, struct err *err)
{
    char path[PATH_MAX + 16];
    if (!kernel || !find_beside(kernel, "kernel.layout", path, sizeof path))
        return true;
    machine->layout_path = checked_memory(strdup(path));
    return external_note_file(machine->external, INPUT_LAYOUTS, "guest.layout", path, err);
}

static bool load_symbols_of(struct machine *machine, const char *kernel, struct err *err)
{
    return load_symbols(machine, kernel, err) && find_layout(machine, kernel, err) &&
           machine_watch_kernel(machine, err);
}

bool machine_load_symbols(struct machine *machine, struct err *err)
{
    struct kernel_source kernel;
    struct err missing = {""};
    /* Files beside a kernel named only by the checkpoint are not used. */
    bool foreign =
        *params_string(machine->params, "guest.kernel") && params_value_origin(machine->params, "guest.kernel");
    if (foreign)
        return load_symbols_of(machine, NULL, err);
    uint64_t size;
    bool there = find_kernel(machine->params, &kernel, &missing);
    if (*params_string(machine->params, "guest.kernel") && params_is_set(machine->params, "guest.kernel") &&
        !(there ? loader_file_size(INPUT_KERNEL, kernel.path, &size, err) : err_add(err, &missing)))
        return false;
    /* in the directory of the default kernel */
    there = there || find_guest_file(machine->params, "kernel.sym", kernel.path, sizeof kernel.path);
    return load_symbols_of(machine, there ? kernel.path : NULL, err);
}

/* Note a first disk without a file system: intended for raw disks, but an error for a root file system. */
static void note_bare_disk(const struct machine *machine)
{
    char disk[300];
    if (!is_none(machine->params, "guest.initrd") &&
        board_disks_first_has_no_fs(board_disks_of(machine), machine->params, disk, sizeof disk))
        log_note(machine->log,
                 "%s: no file system known to the guest (ext2, ext3, ext4); a command runs without it, in the initrd",
                 disk);
}

static bool has_disk(const struct params *params)
{
    char name[32];
    for (unsigned slot = 0; slot < BOARD_DISKS; slot++) {
        snprintf(name, sizeof name, "machine.disk%u", slot);
        if (*params_string(params, name))
            return true;
    }
    return false;
}

bool machine_lacks_userland(const struct params *params)
{
    return !has_disk(params) && is_none(params, "guest.initrd");
}

/* Is the loaded kernel Linux? It has its version in its image, unless it is compressed. */
static bool is_linux(const struct machine *machine, const struct loaded_image *kernel)
{
    static const char banner[] = "Linux version ";
    return memmem(physmem_host(machine->mem, kernel->first), (size_t)kernel->last - kernel->first + 1, banner,
                  sizeof banner - 1);
}

/* A bare program has no user land that would ask for a command or for files: refuse them. */
static bool check_job(const struct machine *machine, const char *path, const struct loaded_image *kernel,
                      struct err *err)
{
    const struct copy_files *copy = machine->copy;
    const char *what = machine->job              ? "the command for the guest"
                       : copy && copy->in_count  ? "--copy-in"
                       : copy && copy->out_count ? "--copy-out"
                                                 : NULL;
    const bool lacks = machine_lacks_userland(machine->params) ||
                       (!has_disk(machine->params) && !takes_initrd(machine->params, kernel));
    return !what || !lacks || is_linux(machine, kernel) ||
           err_set(err, "%s: %.200s is not Linux, and without an initrd or a disk it has no user land to do this", what,
                   path);
}

bool machine_load(struct machine *machine, struct err *err)
{
    struct kernel_source kernel;
    struct guest guest = {0};
    if (!find_kernel(machine->params, &kernel, err))
        return false;
    kernel.architecture = machine->cores[0]->architecture;
    kernel.no_rom = !machine->board->takes_rom;
    if (!loader_load_kernel(machine->mem, &kernel, &guest.kernel, err) ||
        !check_job(machine, kernel.path, &guest.kernel, err) ||
        !external_note_file(machine->external, INPUT_KERNEL, "guest.kernel", kernel.path, err) ||
        !place_initrd(machine, &guest, err))
        return false;
    machine->entry = guest.kernel.entry;
    machine->kernel_first = guest.kernel.first;
    machine->kernel_last = guest.kernel.last;
    if (!machine->board->describe(machine, &guest.places, err) || !load_symbols_of(machine, kernel.path, err))
        return false;
    const struct machine_view view = machine_view_of(machine);
    if (params_bool(machine->params, "guest.fixed_random") && !random_numbers_fix(&view, err))
        return false;
    note_bare_disk(machine);
    core_reset(machine->cores[0], machine->entry);
    if (!guest.kernel.reset)
        machine->board->start(machine, &guest.places);
    return true;
}
