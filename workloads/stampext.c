/*
 * stampext: gives the files of a new ext4 image their owners and times, without root and without mounting it.
 *
 *     stampext IMAGE SECONDS <LIST
 *
 * `mke2fs -d` takes owners and three of a file's four times from the host, where the files belong to whoever builds the
 * image. Afterwards every file belongs to root, except those that LIST names ("UID GID PATH" a line), its times are all
 * the time of its last change, and the file system's own times are SECONDS (since 1970). The image's bytes then depend
 * on names, modes and contents alone.
 */
#include <ext2fs/ext2fs.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *image;

__attribute__((noreturn, format(printf, 1, 2))) static void die(const char *format, ...)
{
    va_list args;

    fprintf(stderr, "stampext: %s: ", image);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(1);
}

static void check(errcode_t error, const char *what)
{
    if (error)
        die("%s: error %ld", what, (long)error);
}

static void read_inode(ext2_filsys fs, ext2_ino_t number, struct ext2_inode_large *inode)
{
    check(ext2fs_read_inode_full(fs, number, (struct ext2_inode *)inode, sizeof *inode), "reading an inode");
}

static void write_inode(ext2_filsys fs, ext2_ino_t number, struct ext2_inode_large *inode)
{
    check(ext2fs_write_inode_full(fs, number, (struct ext2_inode *)inode, sizeof *inode), "writing an inode");
}

static void set_owner(struct ext2_inode_large *inode, unsigned uid, unsigned gid)
{
    inode->i_uid = (uint16_t)uid;
    inode->osd2.linux2.l_i_uid_high = (uint16_t)(uid >> 16);
    inode->i_gid = (uint16_t)gid;
    inode->osd2.linux2.l_i_gid_high = (uint16_t)(gid >> 16);
}

static void stamp_all(ext2_filsys fs, uint32_t seconds)
{
    for (ext2_ino_t number = 1; number <= fs->super->s_inodes_count; number++) {
        struct ext2_inode_large inode;
        bool reserved = number < EXT2_FIRST_INO(fs->super) && number != EXT2_ROOT_INO;

        if (!ext2fs_test_inode_bitmap2(fs->inode_map, number))
            continue;
        read_inode(fs, number, &inode);
        if (inode.i_links_count == 0)
            continue;
        set_owner(&inode, 0, 0);
        if (reserved || inode.i_mtime > seconds)
            inode.i_mtime = seconds;
        inode.i_atime = inode.i_ctime = inode.i_crtime = inode.i_mtime;
        inode.i_atime_extra = inode.i_ctime_extra = inode.i_mtime_extra = inode.i_crtime_extra = 0;
        write_inode(fs, number, &inode);
    }
}

static void read_owners(ext2_filsys fs)
{
    char *line = NULL;
    size_t room = 0;

    while (getline(&line, &room, stdin) > 0) {
        struct ext2_inode_large inode;
        ext2_ino_t number;
        unsigned uid, gid;
        int path = 0;

        line[strcspn(line, "\n")] = 0;
        if (sscanf(line, "%u %u %n", &uid, &gid, &path) != 2 || !path || !line[path])
            die("'%s' is not UID GID PATH", line);
        if (ext2fs_namei(fs, EXT2_ROOT_INO, EXT2_ROOT_INO, line + path, &number))
            die("holds no %s", line + path);
        read_inode(fs, number, &inode);
        set_owner(&inode, uid, gid);
        write_inode(fs, number, &inode);
    }
    free(line);
}

int main(int argc, char **argv)
{
    ext2_filsys fs;
    uint32_t seconds;

    if (argc != 3) {
        fputs("usage: stampext IMAGE SECONDS <LIST\n", stderr);
        return 1;
    }
    image = argv[1];
    seconds = (uint32_t)strtoul(argv[2], NULL, 10);
    check(ext2fs_open(image, EXT2_FLAG_RW | EXT2_FLAG_64BITS, 0, 0, unix_io_manager, &fs), "opening");
    check(ext2fs_read_bitmaps(fs), "reading the bitmaps");
    fs->now = seconds;
    fs->super->s_mkfs_time = fs->super->s_wtime = fs->super->s_lastcheck = seconds;
    stamp_all(fs, seconds);
    read_owners(fs);
    ext2fs_mark_super_dirty(fs);
    check(ext2fs_close(fs), "writing");
    return 0;
}
