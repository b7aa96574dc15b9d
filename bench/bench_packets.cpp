// bench_packets FILE: a capture as pcapng to a null output, as a ratio to a memcpy of the same
// number of bytes measured in the same run, best of five, in parentheses by the time of processors,
// which a busy machine blurs less; with the anonymous memory beyond what was there before. The
// survey for the rundown is part of the figure, as it is part of `etl pcapng`, so the file is read
// twice. What that alone takes is printed as well: where reading costs more than memcpy, it is the
// bound.
//
// Aims: 0.3 of memcpy or better, at most 16 MB of memory beyond the largest buffers.
// etl generate --capture --events 1500K --rate 100000 -o capture.etl makes a file of 1 GB.
#include "base/output.hpp"
#include "bench/peak_memory.hpp"
#include "packets/capture_file.hpp"
#include "packets/survey.hpp"
#include "trace/reader.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <thread>
#include <vector>

namespace {

using namespace etl;
using Clock = std::chrono::steady_clock;

struct Outcome {
    std::uint64_t packets = 0, bytes = 0;
};

/// Elapsed, and of processors.
struct Seconds {
    double elapsed = 1e9, busy = 1e9;

    void improve(const std::function<void()>& work) {
        const auto start = Clock::now();
        const std::clock_t busy_before = std::clock();
        work();
        elapsed = std::min(elapsed, std::chrono::duration<double>(Clock::now() - start).count());
        busy = std::min(busy, static_cast<double>(std::clock() - busy_before) / CLOCKS_PER_SEC);
    }
};

packets::Survey survey_of(trace::Reader& reader, unsigned threads) {
    std::vector<packets::Survey> parts(threads);
    reader.for_each_buffer(threads, [&](unsigned worker, const trace::BufferEntry&, flow::Run run) {
        parts[worker].add(run);
    });
    for (std::size_t i = 1; i < parts.size(); ++i) {
        parts.front().combine(std::move(parts[i]));
    }
    parts.front().rundown.finish();
    return std::move(parts.front());
}

Outcome convert(const char* path, unsigned threads) {
    constexpr std::size_t batch = 256U << 10U; // as PacketOutput
    auto file = io::InputFile::map(path);
    auto reader =
        file
            ? trace::Reader::open(
                  *file,
                  {.is_single_pass = true,
                   .threads = threads,
                   .select = [](const auto& event) { return has_packet(packets::kind_of(event)); }})
            : std::unexpected(file.error());
    if (!reader) {
        std::puts(describe(reader.error()).c_str());
        std::exit(1);
    }
    auto survey = survey_of(**reader, threads);
    packets::Extractor extractor(
        {std::make_shared<const packets::Rundown>(std::move(survey.rundown))});
    packets::CaptureFile capture(extractor, {.application = "bench"});
    NullOutput output;
    std::string bytes;
    capture.begin(bytes, (*reader)->info());
    flow::EventCursor events(**reader);
    const auto take = [&](const packets::Packet& packet) {
        capture.add(packet, bytes);
        if (bytes.size() >= batch) {
            static_cast<void>(output.write(bytes));
            bytes.clear();
        }
    };
    while (const flow::Event* const event = events.next()) {
        extractor.add(*event, take);
    }
    extractor.finish(take);
    capture.finish(bytes);
    static_cast<void>(output.write(bytes));
    return {capture.packets(), output.bytes()};
}

/// All bytes of a file through a small buffer, as readers of this project do.
void read_file(const io::InputFile& file) {
    std::vector<std::byte> buffer(64U << 10U);
    FileOffset at{0};
    while (const std::size_t bytes = file.read(at, buffer)) {
        at.value += bytes;
    }
}

} // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::puts("usage: bench_packets FILE");
        return 64;
    }
    const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
    const auto mapped = io::InputFile::map(arguments[1]);
    if (!mapped) {
        std::puts(describe(mapped.error()).c_str());
        return 1;
    }
    const Bytes input = (*mapped)->bytes();
    std::vector<std::byte> copy(input.size());
    Seconds memcpy_time, reading_time, time;
    Outcome outcome;
    for (int i = 0; i < 5; ++i) {
        memcpy_time.improve([&] { std::memcpy(copy.data(), input.data(), input.size()); });
        reading_time.improve([&] {
            read_file(**mapped);
            read_file(**mapped);
        });
        time.improve([&] { outcome = convert(arguments[1], threads); });
    }
    const std::uint64_t memory =
        bench::peak_memory([&] { outcome = convert(arguments[1], threads); });
    constexpr double mega = 1 << 20U;
    std::printf(
        "%.0f MB, %llu packets, %u threads: memcpy %.2f s (%.2f s), reading twice with one thread "
        "%.2f s (%.2f s), pcapng %.2f s (%.2f s): %.2f of memcpy (%.2f); %.1f MB of memory\n",
        static_cast<double>(input.size()) / mega, static_cast<unsigned long long>(outcome.packets),
        threads, memcpy_time.elapsed, memcpy_time.busy, reading_time.elapsed, reading_time.busy,
        time.elapsed, time.busy, memcpy_time.elapsed / time.elapsed, memcpy_time.busy / time.busy,
        static_cast<double>(memory) / mega);
    return 0;
}
