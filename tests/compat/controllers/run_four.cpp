// Runs the four programs in one process: the session outlives the controller that started it, the
// consumer hears every event of several providers, and another controller ends it. The argument is
// the file of the trace.
#include "four.h"

#include <chrono>
#include <cstdio>
#include <evntrace.h>
#include <thread>

namespace {

constexpr int providers = 4;

void wait_for_consumer() {
    for (int i = 0; i < 6000 && g_ConsumerRuns == 0; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

} // namespace

int main(int argc, char** argv) {
    TCHAR program[] = TEXT("four");
    TCHAR session[] = TEXT("Tea of four");
    TCHAR file[1024] = TEXT("");
    for (int i = 0; argc > 1 && i < 1023 && argv[1][i] != 0; ++i) {
        file[i] = static_cast<TCHAR>(argv[1][i]);
    }
    TCHAR* arguments[] = {program, session, file, nullptr};
    if (const int failed = StartMain(3, arguments); failed != 0) {
        return failed;
    }
    int heard = 0;
    std::thread consumer([&] { heard = ConsumerMain(3, arguments); });
    wait_for_consumer();
    int wrote = 0;
    for (int i = 0; i < providers; ++i) {
        wrote |= ProviderMain(3, arguments);
    }
    const int stopped = StopMain(3, arguments);
    consumer.join();
    const bool is_well = wrote == 0 && stopped == 0 && heard == 0 &&
                         g_EventsHeard == providers * EVENTS_PER_PROVIDER &&
                         StopMain(3, arguments) == ERROR_WMI_INSTANCE_NOT_FOUND;
    std::printf("wrote %d, stopped %d, heard %d\n", wrote, stopped, heard);
    return is_well ? 0 : 1;
}
