/* Reserves the whole bus for one transfer of the block-transfer engine (Xia and Torrellas, IEEE TC 1999, section 4.3).
 */
#include "cache/timing/bus_dma.h"
#include "cache/timing/bus_state.h"

cycles bus_hold(struct bus *bus, cycles now, cycles duration)
{
    if (bus->model == BUS_MODEL_NONE)
        return 0;
    const cycles requested = now + bus->arbitration;
    cycles start = requested, found = requested;
    dma_run(bus, requested);
    do {
        start = resource_find(&bus->address_wires, found, duration);
        found = resource_find(&bus->data_wires, start, duration);
    } while (found != start);
    resource_reserve(&bus->address_wires, start, duration, NULL);
    resource_reserve(&bus->data_wires, start, duration, NULL);
    return start - now;
}
