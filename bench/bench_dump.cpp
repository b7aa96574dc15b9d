// bench_dump FILE [SCHEMAS]: JSON lines to a null output, as a ratio to a memcpy of the same number
// of bytes measured in the same run; with the greatest anonymous memory seen on the way. The cost
// of looking through the trace and of loading schemas (SCHEMAS, and the kernel's classes) is part
// of the figure, as it is part of `etl dump`.
#include "base/output.hpp"
#include "base/task_pool.hpp"
#include "catalog/catalog.hpp"
#include "decode/harvest.hpp"
#include "flow/pipeline.hpp"
#include "io/input_file.hpp"
#include "schema/schema_store.hpp"
#include "sink/json.hpp"
#include "trace/reader.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <thread>

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// RssAnon of this process in kilobytes.
long anonymous_kilobytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("RssAnon:")) {
            return std::strtol(line.c_str() + 8, nullptr, 10);
        }
    }
    return 0;
}

/// Samples anonymous memory every few milliseconds while it lives.
class MemoryWatch {
public:
    MemoryWatch()
        : thread_([this](const std::stop_token& stop) {
              while (!stop.stop_requested()) {
                  peak_ = std::max(peak_.load(), anonymous_kilobytes());
                  std::this_thread::sleep_for(std::chrono::milliseconds(2));
              }
          }) {}

    long peak() const { return peak_; }

private:
    std::atomic<long> peak_ = 0;
    std::jthread thread_;
};

/// Bytes per second of memcpy between blocks larger than any cache; best of five.
double memcpy_rate() {
    constexpr std::size_t size = std::size_t{512} << 20U;
    std::vector<char> from(size, 'x');
    std::vector<char> to(size, 'y');
    double best = 1e9;
    for (int i = 0; i < 5; ++i) {
        const auto start = Clock::now();
        std::memcpy(to.data(), from.data(), size);
        best = std::min(best, seconds_since(start));
        from[static_cast<std::size_t>(i)] =
            to[size - 1 - static_cast<std::size_t>(i)]; // keeps the copy alive
    }
    return static_cast<double>(size) / best;
}

enum class What : unsigned char { raw_undecoded, decoded };

struct Outcome {
    double seconds = 1e9;
    std::uint64_t bytes = 0;
    std::uint64_t events = 0;
    long kilobytes = 0;
};

std::shared_ptr<etl::schema::SchemaStore> gather(etl::trace::Reader& reader, const char* schemas,
                                                 unsigned threads) {
    auto store = std::make_shared<etl::schema::SchemaStore>();
    std::vector<etl::decode::Harvest> parts(threads);
    reader.for_each_buffer(
        threads, [&](unsigned worker, const auto&, etl::flow::Run run) { parts[worker].add(run); });
    for (unsigned i = 1; i < threads; ++i) {
        parts[0].combine(std::move(parts[i]));
    }
    parts[0].finish(*store);
    std::vector<std::string> paths;
    if (schemas != nullptr) {
        paths.emplace_back(schemas);
    }
    if (auto catalog = etl::catalog::Catalog::open({.paths = paths, .environment = false})) {
        catalog->load(parts[0].providers(), *store);
    }
    store->freeze();
    return store;
}

Outcome dump(const char* path, const char* schemas, What what, unsigned threads) {
    Outcome outcome;
    const MemoryWatch memory;
    const auto start = Clock::now();
    auto reader = etl::trace::Reader::open(*etl::io::InputFile::map(path), {.threads = threads});
    etl::sink::Options options;
    options.raw = what == What::raw_undecoded;
    options.decode = what == What::decoded;
    options.schemas = gather(**reader, schemas, threads);
    etl::NullOutput output;
    const auto result =
        etl::flow::run(**reader, etl::sink::JsonLines(options), output, {.threads = threads});
    outcome.seconds = seconds_since(start);
    outcome.bytes = output.bytes();
    outcome.events = result ? result->events : 0;
    outcome.kilobytes = memory.peak();
    return outcome;
}

} // namespace

int main(int count, char** arguments) {
    if (count < 2 || !etl::io::InputFile::map(arguments[1])) {
        std::fprintf(stderr, "usage: bench_dump FILE [SCHEMAS]\n");
        return 64;
    }
    const char* schemas = count > 2 ? arguments[2] : nullptr;
    const double rate = memcpy_rate();
    std::printf("memcpy                          %6.2f GB/s\n", rate / 1e9);
    for (const What what : {What::raw_undecoded, What::decoded}) {
        for (const unsigned threads : {1U, etl::hardware_threads()}) {
            Outcome best;
            for (int i = 0; i < 3; ++i) {
                const Outcome one = dump(arguments[1], schemas, what, threads);
                best = one.seconds < best.seconds ? one : best;
            }
            const double speed = static_cast<double>(best.bytes) / best.seconds;
            std::printf("%-20s %2u threads %6.2f GB/s of JSON  %5.2f M events/s  %5.3f of memcpy  "
                        "%ld MB anonymous\n",
                        what == What::decoded ? "decoded" : "--raw, not decoded", threads,
                        speed / 1e9, static_cast<double>(best.events) / best.seconds / 1e6,
                        speed / rate, best.kilobytes / 1024);
        }
    }
    return 0;
}
