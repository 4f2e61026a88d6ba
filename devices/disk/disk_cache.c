#include "devices/disk/disk_cache.h"

static void account(struct disk_cache *cache, const struct disk_pass *pass, bool moved)
{
    if (cache->run == DISK_RUN_READ && cache->next >= cache->wanted) {
        cache->work.read_ahead++;
        return;
    }
    cache->work.seeks += moved;
    cache->work.seek += pass->seek;
    cache->work.rotation += pass->rotation;
    cache->work.transfer += pass->transfer;
}

void disk_cache_advance(struct disk_cache *cache, const struct disk_geometry *geometry, nsec now)
{
    while (cache->next < cache->limit) {
        struct disk_arm arm = cache->arm;
        struct disk_pass pass = disk_mechanism_pass(geometry, &arm, cache->next, cache->when, cache->ready);
        if (pass.end > now)
            return;
        account(cache, &pass, arm.cylinder != cache->arm.cylinder);
        cache->arm = arm;
        cache->when = pass.end;
        cache->next++;
        if (cache->next > cache->first + DISK_CACHE_SECTORS)
            cache->first = cache->next - DISK_CACHE_SECTORS;
    }
}

void disk_cache_start(struct disk_cache *cache, enum disk_run run, uint64_t sector, nsec now)
{
    cache->run = run;
    cache->first = cache->next = cache->limit = cache->wanted = sector;
    cache->when = cache->ready = now;
}

void disk_cache_extend(struct disk_cache *cache, const struct disk_geometry *geometry, uint64_t limit, nsec now)
{
    disk_cache_advance(cache, geometry, now);
    if (limit <= cache->limit)
        return;
    if (cache->next == cache->limit)
        cache->ready = now;
    cache->limit = limit;
}

nsec disk_cache_time(const struct disk_cache *cache, const struct disk_geometry *geometry, uint64_t end)
{
    struct disk_arm arm = cache->arm;
    nsec time = cache->when;
    for (uint64_t sector = cache->next; sector < end; sector++)
        time = disk_mechanism_pass(geometry, &arm, sector, time, cache->ready).end;
    return time;
}
