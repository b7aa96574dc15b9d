// bench_write [FOLDER]: writing ready records through trace::Writer, all ratios measured in one run
// over the same records, best of five, taking turns.
//
// The reference of a file is write(2) of the bytes of the finished file, from memory, in pieces of
// 64 KB, into a new file of the same folder (default: $TMPDIR or /tmp); that of compression is
// memcpy of the uncompressed file into one destination larger than the last-level cache. The aims
// are 0.5 for a file, and 0.05 for each thread that compresses with XPRESS.
#include "tests/support/traces/sample_bytes.hpp"
#include "tests/support/traces/trace_content.hpp"
#include "trace/writer.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using namespace etl;
using Clock = std::chrono::steady_clock;

constexpr std::size_t total_bytes = 192U << 20U;
constexpr std::size_t piece = 64U << 10U;
constexpr std::uint16_t processors = 4;

/// Records, ready to write, one behind the other.
struct Records {
    std::vector<std::byte> bytes;
    std::vector<std::uint32_t> sizes;
};

/// Events of 80 bytes of header and 8 to 135 of payload, which is text-like and numbers.
Records make_records() {
    Records records;
    const auto text = test::event_like_bytes(1U << 20U, 1);
    ByteWriter record;
    std::size_t from = 0;
    for (std::int64_t time = 0; records.bytes.size() < total_bytes; ++time) {
        const std::size_t size = 8 + static_cast<std::size_t>(time * 37 % 128);
        from = from + size < text.size() ? from + size : 0;
        record.clear();
        if (!format::encode(
                format::EventRecord{
                    .process_id = 100,
                    .thread_id = 104,
                    .time = time * 11,
                    .descriptor = {.id = static_cast<std::uint16_t>(time % 13), .level = 4},
                    .payload = Bytes(text).subspan(from, size)},
                record)) {
            std::abort();
        }
        records.sizes.push_back(static_cast<std::uint32_t>(record.size()));
        records.bytes.insert(records.bytes.end(), record.view().begin(), record.view().end());
    }
    return records;
}

/// Each processor gets a hundred records in turn.
void write_records(const Records& records, const std::string& path, io::FileFactory& files,
                   codec::Format compression, unsigned threads) {
    trace::WriterOptions options;
    options.recording = trace::begin_recording(Filetime{test::story_start}, processors);
    options.files = &files;
    options.file.compression = compression;
    options.file.threads = threads;
    auto writer = trace::Writer::create(path, std::move(options));
    if (!writer) {
        std::abort();
    }
    Bytes rest = records.bytes;
    std::size_t count = 0;
    bool good = true;
    for (const std::uint32_t size : records.sizes) {
        const auto processor = static_cast<std::uint16_t>(count++ / 100 % processors);
        good = (*writer)->add(processor, rest.first(size)).has_value() && good;
        rest = rest.subspan(size);
    }
    good = (*writer)->close().has_value() && good;
    if (!good || (*writer)->status().buffers_lost != 0) {
        std::fputs("something was lost\n", stderr);
        std::exit(1);
    }
}

void write_pieces(Bytes bytes, const std::string& path) {
    const int file = ::open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        const Bytes part = clamped(bytes, at, piece);
        if (::write(file, part.data(), part.size()) != static_cast<ssize_t>(part.size())) {
            std::perror("write");
            std::exit(1);
        }
    }
    ::close(file);
}

/// One thing to measure.
struct Path {
    std::string name;
    std::function<void()> work;
    const char* reference; // the path that it is stated as a ratio to, or null
    double seconds = 1e9;
    double processor_seconds = 1e9; // of all threads: what scaling costs, also on a busy machine
};

void measure(std::vector<Path>& paths) {
    for (int i = 0; i < 5; ++i) {
        for (Path& path : paths) {
            const auto start = Clock::now();
            const std::clock_t processor_start = std::clock();
            path.work();
            const auto used = static_cast<double>(std::clock() - processor_start) / CLOCKS_PER_SEC;
            path.processor_seconds = std::min(path.processor_seconds, used);
            const std::chrono::duration<double> took = Clock::now() - start;
            path.seconds = std::min(path.seconds, took.count());
        }
    }
}

void print(const std::vector<Path>& paths, double gigabytes) {
    for (const Path& path : paths) {
        std::printf("%-30s %8.3f s (of processors %6.3f s)  %6.2f GB/s", path.name.c_str(),
                    path.seconds, path.processor_seconds, gigabytes / path.seconds);
        const auto reference = std::ranges::find_if(paths, [&](const Path& other) {
            return path.reference != nullptr && other.name == path.reference;
        });
        if (reference != paths.end()) {
            std::printf("  %5.3f of %s", reference->seconds / path.seconds, path.reference);
        }
        std::printf("\n");
    }
}

} // namespace

int main(int count, char** arguments) {
    namespace fs = std::filesystem;
    const fs::path folder = count > 1 ? fs::path(arguments[1]) : fs::temp_directory_path();
    const std::string ours =
        (folder / ("etl-bench-" + std::to_string(::getpid()) + ".etl")).string();
    const std::string plain = ours + ".plain";
    const Records records = make_records();
    io::MemoryFiles finished;
    write_records(records, "t.etl", finished, codec::Format::none, 1);
    const std::vector<std::byte>& file = finished.files().at("t.etl");
    std::vector<std::byte> copy(file.size());
    test::NullFiles null;
    const auto to_null = [&](codec::Format format, unsigned threads) {
        return [&, format, threads] { write_records(records, "t.etl", null, format, threads); };
    };
    using codec::Format;
    std::vector<Path> paths{
        {"write(2), 64 KB", [&] { write_pieces(file, plain); }, nullptr},
        {"writer, to a file", [&] { write_records(records, ours, io::disk(), Format::none, 1); },
         "write(2), 64 KB"},
        {"memcpy", [&] { std::memcpy(copy.data(), file.data(), file.size()); }, nullptr},
        {"writer, to nowhere", to_null(Format::none, 1), "memcpy"},
        {"writer, to memory",
         [&] {
             io::MemoryFiles files;
             write_records(records, "t.etl", files, Format::none, 1);
         },
         "memcpy"},
        {"XPRESS, 1 thread", to_null(Format::xpress, 1), "memcpy"},
        {"XPRESS, 2 threads", to_null(Format::xpress, 2), "memcpy"},
    };
    measure(paths);
    fs::remove(ours);
    fs::remove(plain);
    std::printf("%zu records, %.0f MB, %u processors of the machine\n", records.sizes.size(),
                static_cast<double>(file.size()) / 1e6, std::thread::hardware_concurrency());
    print(paths, static_cast<double>(file.size()) / 1e9);
    return 0;
}
