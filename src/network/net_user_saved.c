#include "src/network/net_user_state.h"

#include <stdlib.h>
#include <string.h>

/*
 * Checkpoint: the guest's frames in flight, first those that have arrived but not been taken; from version 2 on the
 * guest's addresses, libslirp's own state, and the list of connections.
 */

static const struct saved_field fields[] = {
    SAVED_LIMITED(struct net_user, clock_hz, SAVED_U64, 10000000000),
    SAVED_LIMITED(struct net_user, coming_count, SAVED_U32, QUEUE_MAX),
    SAVED_FIELD(struct net_user, arrival, SAVED_EVENT),
    SAVED_STATISTIC(struct net_user, dropped),
    SAVED_STATISTIC(struct net_user, refused),
};

/* libslirp's state: the number of its next packet, and the addresses that it has assigned. It could also hold
 * connections to programs started by libslirp; there are none. */
struct state {
    uint8_t bytes[STATE_MAX];
    size_t size, at;
};

static ssize_t put_bytes(const void *bytes, size_t count, void *opaque)
{
    struct state *state = opaque;
    if (count <= sizeof state->bytes - state->size)
        memcpy(state->bytes + state->size, bytes, count);
    state->size += count;
    return (ssize_t)count;
}

static ssize_t get_bytes(void *bytes, size_t count, void *opaque)
{
    struct state *state = opaque;
    memset(bytes, 0, count);
    if (count > state->size - state->at)
        return -1;
    memcpy(bytes, state->bytes + state->at, count);
    state->at += count;
    return (ssize_t)count;
}

/* The present state; empty if it is unexpected: too long, or with connections. */
static struct state present_state(const struct net_user *user)
{
    struct state state = {.size = 0};
    if (user->slirp)
        slirp_state_save(user->slirp, put_bytes, &state);
    if (state.size > sizeof state.bytes || (state.size && state.bytes[0] != 0))
        state.size = 0;
    return state;
}

static void put_state(const struct net_user *user, struct saved_out *out)
{
    const struct state state = present_state(user);
    saved_put_u32(out, (uint32_t)slirp_state_version());
    saved_put_u32(out, (uint32_t)state.size);
    saved_put(out, state.bytes, state.size);
}

/* libslirp does not validate the state that it loads. Therefore it is loaded only if its length equals that of the
 * present state here and its first byte is 0, which means that no connections follow: the rest are numbers and
 * addresses of fixed size. A state of another version is not loaded. */
static bool get_state(struct net_user *user, struct saved_in *in, struct err *err)
{
    uint32_t version, size;
    struct state state = {.size = 0};
    if (!saved_get_u32(in, &version) || !saved_get_u32(in, &size))
        return false;
    if (size > sizeof state.bytes)
        return err_set(err, "%u bytes of libslirp's state", size);
    state.size = size;
    if (!saved_get(in, state.bytes, size))
        return false;
    if (size && state.bytes[0] != 0)
        return err_set(err, "libslirp's state has connections");
    if (size && user->slirp && version == (uint32_t)slirp_state_version() && size == present_state(user).size)
        slirp_state_load(user->slirp, (int)version, get_bytes, &state);
    return true;
}

/* Send the new libslirp a gratuitous ARP reply with the guest's addresses: otherwise it would send an ARP request
 * before its first frame, which the saved one would not. */
static void introduce_guest(struct net_user *user)
{
    static const uint8_t head[] = {8, 6, 0, 1, 8, 0, 6, 4, 0, 2}; /* ARP; Ethernet, IPv4, a reply */
    uint8_t frame[NET_CONNECTION_FRAME] = {0};
    memset(frame, 0xff, ETHERNET_ADDRESS_BYTES);
    memcpy(frame + 6, user->guest_mac, sizeof user->guest_mac);
    memcpy(frame + 12, head, sizeof head);
    memcpy(frame + 22, user->guest_mac, sizeof user->guest_mac);
    memcpy(frame + 28, user->guest_address, sizeof user->guest_address);
    memcpy(frame + 38, user->guest_address, sizeof user->guest_address);
    slirp_input(user->slirp, frame, sizeof frame);
}

static bool read_network(struct net_user *user, struct saved_in *in, struct err *err)
{
    uint8_t known;
    if (!saved_get(in, &known, 1) || !saved_get(in, user->guest_mac, sizeof user->guest_mac) ||
        !saved_get(in, user->guest_address, sizeof user->guest_address) ||
        !net_connections_read(&user->lost, in, err) || !get_state(user, in, err))
        return false;
    if (known > 1)
        return err_set(err, "%u is not yes or no", known);
    user->guest_known = known;
    if (known && user->slirp)
        introduce_guest(user);
    user->connections = user->lost; /* until they are reset */
    if (!known || !user->slirp)
        user->lost.count = 0;
    return true;
}

static void write_frames(void *base, struct saved_out *out)
{
    const struct net_user *user = base;
    uint32_t count = 0;
    for (const struct frame *frame = user->queue_head; frame; frame = frame->next)
        count++;
    saved_put_u32(out, count);
    for (const struct frame *frame = user->queue_head; frame; frame = frame->next) {
        saved_put_u64(out, frame->arrival);
        saved_put_u32(out, frame->length);
        saved_put(out, frame->bytes, frame->length);
    }
    const uint8_t known = user->guest_known;
    saved_put(out, &known, 1);
    saved_put(out, user->guest_mac, sizeof user->guest_mac);
    saved_put(out, user->guest_address, sizeof user->guest_address);
    net_connections_write(&user->connections, out);
    put_state(user, out);
}

/* Convert TIME from the saved machine's clock, rounded up. */
static cycles convert(const struct net_user *user, cycles time)
{
    __extension__ unsigned __int128 product = (unsigned __int128)time * user->queue->clock_hz;
    return (cycles)((product + user->clock_hz - 1) / user->clock_hz);
}

static bool read_frame(struct net_user *user, struct saved_in *in, struct err *err)
{
    uint64_t arrival;
    uint32_t length;
    if (!saved_get_u64(in, &arrival) || !saved_get_u32(in, &length))
        return false;
    if (length < ETHERNET_HEADER_BYTES || length > ETHERNET_MAX_BYTES || arrival > UINT64_C(1) << 60)
        return err_set(err, "a frame of %u bytes", length);
    struct frame *frame = checked_memory(malloc(sizeof *frame + length));
    *frame = (struct frame){.arrival = convert(user, arrival), .length = length};
    net_user_append(user, frame);
    return saved_get(in, frame->bytes, length);
}

/* Frames of this machine that were in flight before the load are dropped. */
static bool read_frames(void *base, struct saved_in *in, struct err *err)
{
    struct net_user *user = base;
    uint32_t count;
    if (!saved_get_u32(in, &count))
        return false;
    if (count < user->coming_count || user->clock_hz == 0)
        return err_set(err, "%u frames, %u of them still to arrive", count, user->coming_count);
    while (user->queue_head)
        net_user_drop_first(user);
    for (uint32_t i = 0; i < count; i++) {
        if (!read_frame(user, in, err))
            return false;
        if (i == count - user->coming_count)
            for (user->in_flight = user->queue_head; user->in_flight->next;)
                user->in_flight = user->in_flight->next;
    }
    user->clock_hz = user->queue->clock_hz;
    return in->version == 1 || read_network(user, in, err);
}

static bool after_load(void *base, struct err *err)
{
    const struct net_user *user = base;
    return event_is_scheduled(&user->arrival) == (user->in_flight != NULL) ||
           err_set(err, "%u frames are in flight, but %s is scheduled", user->coming_count,
                   user->in_flight ? "none" : "one");
}

void net_user_register_saved(struct net_user *user, struct saved *saved, const char *name)
{
    static const struct saved_ops ops = {.write = write_frames, .read = read_frames, .after_load = after_load};
    saved_add(saved, &(struct saved_section){
                         .name = name, .version = 2, .oldest = 1, .base = user, SAVED_TABLE(fields), .ops = &ops});
}
