/*
 * Samples every event of the performance counters, of each CPU as a whole, as `perf record -a` does, while the CPUs
 * idle. Prints how many events could be opened.
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { EVENTS = 256 }; /* raw: 128 of each counter */

int main(void)
{
    int opened = 0;
    for (int event = -1; event < EVENTS; event++) {
        struct perf_event_attr attr = {.size = sizeof attr,
                                       .type = event < 0 ? PERF_TYPE_HARDWARE : PERF_TYPE_RAW,
                                       .config = event < 0 ? PERF_COUNT_HW_CPU_CYCLES : (unsigned)event,
                                       .sample_period = event < 0 ? 100000 : 1000000,
                                       .sample_type = PERF_SAMPLE_IP};
        const int counter = (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0);
        usleep(event < 0 ? 60000 : 100);
        opened += counter >= 0;
        close(counter);
    }
    printf("%d\n", opened);
    return 0;
}
