// packet_provider COUNT PAUSE: a program that logs packets as PktMon does, and runs until it has
// logged COUNT of them, one every PAUSE milliseconds. For captures from a running session.

#include <etl/machine.hpp>
#include <etl/provider.hpp>
#include <etl/session.hpp>

#include "tests/support/captures/capture_events.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

using namespace etl;

int main(int argc, char** argv) {
    const int count = argc > 1 ? std::atoi(argv[1]) : 10;
    const std::chrono::milliseconds pause(argc > 2 ? std::atoi(argv[2]) : 0);
    const provider::Provider pktmon("Microsoft-Windows-PktMon", {.guid = test::pktmon_provider});
    session::Runtime runtime;
    const auto attached = session::attach(runtime);
    if (!attached) {
        std::fprintf(stderr, "%s\n", describe(attached.error()).c_str());
        return 1;
    }
    const auto events = runtime.add(pktmon);
    for (int i = 0; i < count; ++i) {
        const test::CaptureEvent packet =
            test::pktmon_packet(test::tcp_frame({.sequence = static_cast<std::uint32_t>(i)}));
        const Bytes payload(packet.payload);
        events->write({.id = packet.id, .level = 4, .keyword = packet.keyword},
                      std::span(&payload, 1));
        std::this_thread::sleep_for(pause);
    }
    std::printf("logged %d packets\n", count);
}
