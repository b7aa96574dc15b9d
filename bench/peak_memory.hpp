// The most anonymous memory that this process had while some work ran: RssAnon, sampled. Mapped
// pages of files do not count.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

namespace etl::bench {

/// In bytes; 0 where the system does not say.
inline std::uint64_t anonymous_memory() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("RssAnon:")) {
            return std::stoull(line.substr(8)) << 10U;
        }
    }
    return 0;
}

/// How much more than before `work` it came to, sampled each millisecond.
inline std::uint64_t peak_memory(const std::function<void()>& work) {
    const std::uint64_t before = anonymous_memory();
    std::atomic<bool> done = false;
    std::uint64_t most = before;
    std::thread sampler([&] {
        while (!done) {
            most = std::max(most, anonymous_memory());
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    });
    work();
    done = true;
    sampler.join();
    return most - before;
}

} // namespace etl::bench
