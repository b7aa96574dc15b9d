/* Writes events in bursts through an LTTng-UST tracepoint: what bench_session_bursts does through a
 * session. Says the time of the median burst, in ns per event of one thread.
 *     lttng_bursts THREADS BURSTS EVENTS PAUSE_MS
 */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "tracepoints.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static pthread_barrier_t together;
static unsigned long bursts, events, pause_ms;
static double* times; /* of bursts, ns per event */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void* run(void* argument) {
    const int is_first = argument != NULL;
    uint8_t payload[32] = {1, 2, 3};
    for (unsigned long burst = 0; burst < bursts; ++burst) {
        pthread_barrier_wait(&together);
        const double begin = now();
        for (unsigned long i = 0; i < events; ++i) {
            payload[0] = (uint8_t)i;
            lttng_ust_tracepoint(etl_bench, payload32, payload);
        }
        if (is_first) {
            times[burst] = (now() - begin) / (double)events;
        }
        pthread_barrier_wait(&together);
        const struct timespec rest = {0, (long)(pause_ms * 1000000)};
        nanosleep(&rest, NULL);
    }
    return NULL;
}

static int ascending(const void* a, const void* b) {
    const double x = *(const double*)a;
    const double y = *(const double*)b;
    return (x > y) - (x < y);
}

int main(int argc, char** argv) {
    if (argc != 5) {
        fprintf(stderr, "usage: lttng_bursts THREADS BURSTS EVENTS PAUSE_MS\n");
        return 64;
    }
    const unsigned threads = (unsigned)strtoul(argv[1], NULL, 10);
    bursts = strtoul(argv[2], NULL, 10);
    events = strtoul(argv[3], NULL, 10);
    pause_ms = strtoul(argv[4], NULL, 10);
    times = malloc(bursts * sizeof *times);
    pthread_t* others = malloc(threads * sizeof *others);
    if (threads == 0 || bursts == 0 || times == NULL || others == NULL) {
        return 64;
    }
    pthread_barrier_init(&together, NULL, threads);
    for (unsigned i = 1; i < threads; ++i) {
        pthread_create(&others[i], NULL, run, NULL);
    }
    run(&together);
    for (unsigned i = 1; i < threads; ++i) {
        pthread_join(others[i], NULL);
    }
    qsort(times, bursts, sizeof *times, ascending);
    printf("%.1f %lu\n", times[bursts / 2], threads * bursts * events);
    free(times);
    free(others);
    return 0;
}
