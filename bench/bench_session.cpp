// bench_session: what writing to a session costs, as ratios measured in one run, best of five,
// taking turns. The reference is a bare loop: the time (clock_gettime), and memcpy of the record to
// where the last one ended.
#include <etl/base/layout.hpp>
#include <etl/host/clock.hpp>

#include "bench/best_seconds.hpp"
#include "session/buffers.hpp"

#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

namespace {

using namespace etl;

constexpr std::uint32_t record_size = 112; // EVENT_HEADER and a payload of 32 bytes
constexpr std::uint32_t buffer_size = 64U << 10U;
constexpr std::uint64_t events = 2'000'000;

double nanoseconds(double seconds) {
    return seconds * 1e9 / static_cast<double>(events);
}

/// Time and memcpy, as little as a record can cost.
void bare_loop(std::byte* to, std::size_t size, std::span<const std::byte> record) {
    std::size_t at = 0;
    for (std::uint64_t i = 0; i < events; ++i) {
        if (at + record.size() > size) {
            at = 0;
        }
        store_le(to + at, host::monotonic_ticks());
        std::memcpy(to + at + 8, record.data() + 8, record.size() - 8);
        at += record.size();
    }
}

/// The same into the buffers of a session; a ring, so that no logger runs beside it.
void buffers_loop(session::Buffers& buffers, std::uint16_t ticket,
                  std::span<const std::byte> record) {
    for (std::uint64_t i = 0; i < events; ++i) {
        if (const auto place = buffers.reserve(ticket, record_size)) {
            std::memcpy(place->at + 4, record.data() + 4, record.size() - 4);
            store_le(place->at + 16, place->time);
            buffers.commit(*place, 0xC0130000 | record_size);
        }
    }
}

void on_threads(unsigned count, const std::function<void()>& work) {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < count; ++i) {
        threads.emplace_back(work);
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
}

void bench_buffers() {
    const std::array<std::byte, record_size> record{};
    const auto memory = std::make_unique<std::byte[]>(4 * buffer_size);
    session::Buffers buffers;
    const auto ticket = buffers.open(
        {.buffer_size = buffer_size, .minimum = 16, .maximum = 16, .stripes = 4, .is_ring = true});
    if (!ticket) {
        return;
    }
    const double bare =
        bench::best_seconds([&] { bare_loop(memory.get(), 4 * buffer_size, record); });
    std::printf("bare loop: time and memcpy     %6.1f ns\n", nanoseconds(bare));
    for (const unsigned threads : {1U, 2U}) {
        const double taken = bench::best_seconds(
            [&] { on_threads(threads, [&] { buffers_loop(buffers, *ticket, record); }); });
        std::printf("reserve and commit, %u threads  %6.1f ns per event of a thread, %.2f of it\n",
                    threads, nanoseconds(taken), taken / bare);
    }
    std::printf("events lost: %llu\n", static_cast<unsigned long long>(buffers.events_lost()));
}

} // namespace

int main() {
    bench_buffers();
}
