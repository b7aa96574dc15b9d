/* Four programs as one: each has a main of this form, which takes the name of the session and the
 * file of the trace. */
#ifndef FOUR_H
#define FOUR_H

#include <tchar.h>
#include <windows.h>

/* Events that the provider writes for each call. */
#define EVENTS_PER_PROVIDER 1000

#ifdef __cplusplus
extern "C" {
#endif
int StartMain(int argc, TCHAR** argv);
int ProviderMain(int argc, TCHAR** argv);
int ConsumerMain(int argc, TCHAR** argv);
int StopMain(int argc, TCHAR** argv);
/* Of the consumer: set once it runs, and when it ends. */
extern volatile LONG g_ConsumerRuns;
extern volatile LONG g_EventsHeard;
#ifdef __cplusplus
}
#endif

#endif
