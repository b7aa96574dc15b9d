// bench_session: what writing to a session costs, as ratios measured in one run, best of five,
// taking turns. The reference of buffers is a bare loop: the time (clock_gettime), and memcpy of
// the record to where the last one ended. That of a provider that nobody enabled is a load and a
// branch.

#include <etl/provider.hpp>
#include <etl/session.hpp>

#include "base/layout.hpp"
#include "bench/best_seconds.hpp"
#include "host/clock.hpp"
#include "session/buffers/buffers.hpp"

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

/// What `work` does with each number in turn; nothing of it is left out or done at once.
template <typename Work>
double each_event(Work work) {
    return bench::best_seconds([&] {
               for (std::uint64_t i = 0; i < events * 20; ++i) {
                   work(i);
                   std::atomic_signal_fence(std::memory_order_seq_cst);
               }
           }) /
           20;
}

void bench_disabled() {
    session::Runtime runtime;
    const auto provider = runtime.add(*parse_guid("9e7a3f52-0c41-4a86-b5ad-4c1f7ad2e606"));
    if (!provider) {
        return;
    }
    const std::array<std::byte, 32> payload{};
    const std::array<Bytes, 1> parts{payload};
    std::atomic<std::uint32_t> nobody{0};
    std::uint64_t written = 0;
    const auto tell = [](const char* what, double taken, double reference) {
        std::printf("%-30s %6.2f ns, %.2f of it\n", what, nanoseconds(taken), taken / reference);
    };
    const double reference = each_event([&](std::uint64_t i) {
        if (nobody.load(std::memory_order_relaxed) != 0) [[unlikely]] {
            written += i;
        }
    });
    tell("a load and a branch", reference, reference);
    tell("disabled: is_enabled()", each_event([&](std::uint64_t i) {
             if (provider->is_enabled()) {
                 written += i;
             }
         }),
         reference);
    tell("disabled: write(record)", each_event([&](std::uint64_t i) {
             written += provider->write({.descriptor = {.keyword = i}, .payload = payload}).written;
         }),
         reference);
    constexpr std::u16string_view drink = u"espresso";
    const provider::Provider name("Bench");
    provider::StaticEvent<"Cup", provider::EventOptions{.level = 4},
                          provider::Field<"Number", std::uint64_t>,
                          provider::Field<"Drink", std::u16string_view>>
        cup(name);
    tell("disabled: write(values)",
         each_event([&](std::uint64_t i) { written += provider->write(cup, i, drink).written; }),
         reference);
    tell("disabled: write(parts)", each_event([&](std::uint64_t i) {
             written += provider->write({.keyword = i}, parts).written;
         }),
         reference);
    if (written != 0) {
        std::puts("somebody enabled it");
    }
}

} // namespace

int main() {
    bench_buffers();
    bench_disabled();
}
