// bench_relog [FOLDER [MEGABYTES]]: what is done to traces on their way, all ratios measured in one
// run over the same bytes, best of five, taking turns. The reference is memcpy of the input's
// bytes, out of the mapped file into one destination as large.
//
// In parentheses the ratio of the time of processors, which a busy machine blurs less. What goes to
// a file can be no faster than write(2) of the same bytes, which is measured, too.
//
// Aims: relogging without change 0.3 of memcpy, a filter that keeps 1 % 0.5, merging 8 files 0.2;
// XPRESS scales with the threads; no more than 64 MB of anonymous memory. The inputs are made in
// FOLDER ($TMPDIR or /tmp; /dev/shm leaves the disk out) and removed afterwards.
#include "bench/peak_memory.hpp"
#include "merge/merge.hpp"
#include "relog/context_filter.hpp"
#include "tests/support/traces/sample_bytes.hpp"
#include "tests/support/traces/trace_content.hpp"
#include "trace/reader.hpp"
#include "trace/writer.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <functional>
#include <malloc.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using namespace etl;
using namespace etl::literals;
using Clock = std::chrono::steady_clock;

constexpr std::uint16_t processors = 4;
constexpr std::size_t parts = 8;
constexpr std::uint32_t rare_process = 4242; // of one event in a hundred
constexpr Guid rare_provider = "cafe0001-1111-2222-3333-444455556666"_guid;
constexpr Guid common_provider = "cafe0002-1111-2222-3333-444455556666"_guid;

[[noreturn]] void give_up(const char* what) {
    std::fprintf(stderr, "%s\n", what);
    std::exit(1);
}

template <typename T>
T must(Result<T> result, const char* what) {
    if (!result) {
        give_up(what);
    }
    return *std::move(result);
}

/// The inputs: a trace, and the same events dealt out to several.
struct Inputs {
    std::string whole;
    std::vector<std::string> pieces;

    explicit Inputs(const std::filesystem::path& folder) {
        const std::string stem =
            (folder / ("etl-bench-relog-" + std::to_string(::getpid()))).string();
        whole = stem + ".etl";
        for (std::size_t i = 0; i < parts; ++i) {
            pieces.push_back(stem + "-" + std::to_string(i) + ".etl");
        }
    }

    Inputs(const Inputs&) = delete;
    Inputs& operator=(const Inputs&) = delete;

    ~Inputs() {
        std::error_code ignored;
        std::filesystem::remove(whole, ignored);
        for (const std::string& piece : pieces) {
            std::filesystem::remove(piece, ignored);
        }
    }

    void make(std::size_t bytes) const;
};

std::unique_ptr<trace::Writer> writer_of(const std::string& path, io::FileFactory& files) {
    trace::WriterOptions options{
        .recording = trace::begin_recording(Filetime{test::story_start}, processors),
        .files = &files};
    return must(trace::Writer::create(path, std::move(options)), "a trace cannot be made");
}

/// Events of 80 bytes of header and 8 to 135 of payload, which is text-like and numbers; each
/// processor gets a hundred in turn.
void Inputs::make(std::size_t bytes) const {
    const auto text = test::event_like_bytes(1U << 20U, 1);
    std::vector<std::unique_ptr<trace::Writer>> writers;
    for (const std::string& piece : pieces) {
        writers.push_back(writer_of(piece, io::disk()));
    }
    const auto all = writer_of(whole, io::disk());
    std::size_t from = 0;
    std::size_t made = 0;
    for (std::int64_t i = 0; made < bytes; ++i) {
        const std::size_t size = 8 + static_cast<std::size_t>(i * 37 % 128);
        from = from + size < text.size() ? from + size : 0;
        const bool is_rare = i % 100 == 0;
        const format::EventRecord event{
            .process_id = is_rare ? rare_process : 100,
            .thread_id = 104,
            .time = test::story_start + i * 11,
            .provider = is_rare ? rare_provider : common_provider,
            .descriptor = {.id = static_cast<std::uint16_t>(i % 13), .level = 4},
            .payload = Bytes(text).subspan(from, size)};
        const auto turn = static_cast<std::size_t>(i / 100);
        const auto processor = static_cast<std::uint16_t>(turn % processors);
        if (!all->add(event, processor) ||
            !writers[turn / processors % parts]->add(event, processor)) {
            give_up("an event cannot be written");
        }
        made += 80 + size;
    }
    if (!all->close() || !std::ranges::all_of(writers, [](auto& one) { return !!one->close(); })) {
        give_up("the inputs cannot be written");
    }
}

std::shared_ptr<const io::InputFile> map(const std::string& path) {
    return must(io::InputFile::map(path), "an input cannot be mapped");
}

std::unique_ptr<trace::Reader> open(const std::string& path, const trace::ReaderOptions& options) {
    return must(trace::Reader::open(map(path), options), "an input cannot be read");
}

struct Output {
    std::string path;
    io::FileFactory& files;
    codec::Format compression = codec::Format::none;
    unsigned threads = 1;
};

void copy_to(flow::Source& source, trace::Recording recording, const Output& to) {
    trace::WriterOptions options{.recording = std::move(recording), .files = &to.files};
    options.file.compression = to.compression;
    options.file.threads = to.threads;
    const auto writer = must(trace::Writer::create(to.path, std::move(options)), "no output");
    const auto result = must(trace::copy(source, *writer), "the source ended early");
    if (!writer->close() || writer->status().buffers_lost != 0 || result.events == 0) {
        give_up("something was lost");
    }
}

void copy_whole(const std::string& input, const Output& to) {
    const auto reader = open(input, {.order = trace::Order::buffers});
    copy_to(*reader, trace::relogged(reader->info()), to);
}

bool is_rare(const flow::Event& event) {
    return flow::read_header(event).provider == rare_provider;
}

bool is_of_rare_process(const flow::Event& event) {
    return flow::read_header(event).process_id == rare_process;
}

void filter(const std::string& input, bool (*kept)(const flow::Event&), const Output& to) {
    const auto reader = open(input, {.order = trace::Order::buffers, .select = kept});
    copy_to(*reader, trace::relogged(reader->info()), to);
}

void filter_with_context(const std::string& input, bool (*kept)(const flow::Event&),
                         const Output& to) {
    const auto may_be_kept = [kept](const flow::Event& event) {
        return kept(event) || flow::context_of(event) != flow::Context::none ||
               flow::stack_target(event).has_value();
    };
    const auto reader = open(input, {.select = may_be_kept});
    relog::ContextFilter filtered(*reader, kept);
    copy_to(filtered, trace::relogged(reader->info()), to);
}

void merge_all(const std::vector<std::string>& pieces, const Output& to) {
    std::vector<merge::Input> inputs;
    for (const std::string& piece : pieces) {
        const std::shared_ptr<trace::Reader> reader = open(piece, {});
        inputs.push_back({.trace = {reader, &reader->info()},
                          .open = [piece]() -> Result<std::unique_ptr<flow::Source>> {
                              return open(piece, {});
                          }});
    }
    const auto merged = must(merge::MergedSource::create(std::move(inputs)), "they do not fit");
    copy_to(*merged, merged->recording(), to);
}

void write_pieces(Bytes bytes, const std::string& path) {
    constexpr std::size_t piece = 64U << 10U;
    const auto file = must(io::disk().open(path, io::FileFactory::Open::replace), "no output");
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        if (!file->write_at({at}, clamped(bytes, at, piece))) {
            give_up("the disk is full");
        }
    }
}

struct Path {
    std::string name;
    double aim; // of memcpy; 0: none
    std::function<void()> work;
    double seconds = 1e9;
    double processor_seconds = 1e9; // of all threads
    std::uint64_t peak = 0;
};

void measure(std::vector<Path>& paths) {
    // By itself, for sampling takes time, and first: the heap keeps what it once had.
    for (Path& path : paths) {
        ::malloc_trim(0);
        path.peak = bench::peak_memory(path.work);
    }
    for (int i = 0; i < 5; ++i) {
        for (Path& path : paths) {
            const auto start = Clock::now();
            const std::clock_t processor_start = std::clock();
            path.work();
            const auto used = static_cast<double>(std::clock() - processor_start) / CLOCKS_PER_SEC;
            const std::chrono::duration<double> took = Clock::now() - start;
            path.seconds = std::min(path.seconds, took.count());
            path.processor_seconds = std::min(path.processor_seconds, used);
        }
    }
}

} // namespace

int main(int count, char** arguments) {
    namespace fs = std::filesystem;
    const fs::path folder = count > 1 ? fs::path(arguments[1]) : fs::temp_directory_path();
    const std::size_t megabytes = count > 2 ? std::strtoul(arguments[2], nullptr, 10) : 256;
    const Inputs inputs(folder);
    inputs.make(megabytes << 20U);
    const auto file = map(inputs.whole);
    const Bytes bytes = file->bytes();
    std::vector<std::byte> destination(bytes.size());
    const std::string out = inputs.whole + ".out";
    test::NullFiles nowhere;
    const Output to_file{out, io::disk()};
    const Output to_nowhere{out, nowhere};
    const auto compressing = [&](unsigned threads) {
        return Output{out, nowhere, codec::Format::xpress, threads};
    };
    const std::string& whole = inputs.whole;
    std::vector<Path> paths{
        {"memcpy", 0, [&] { std::memcpy(destination.data(), bytes.data(), bytes.size()); }},
        {"write(2), 64 KB", 0, [&] { write_pieces(bytes, out); }},
        {"relog, to a file", 0.3, [&] { copy_whole(whole, to_file); }},
        {"relog, to nowhere", 0.3, [&] { copy_whole(whole, to_nowhere); }},
        {"1 % by provider", 0.5, [&] { filter(whole, is_rare, to_file); }},
        {"1 % by process", 0.5, [&] { filter(whole, is_of_rare_process, to_file); }},
        {"1 % by provider, with context", 0.5,
         [&] { filter_with_context(whole, is_rare, to_file); }},
        {"merge of 8, to a file", 0.2, [&] { merge_all(inputs.pieces, to_file); }},
        {"merge of 8, to nowhere", 0.2, [&] { merge_all(inputs.pieces, to_nowhere); }},
        {"relog, XPRESS, 1 thread", 0, [&] { copy_whole(whole, compressing(1)); }},
        {"relog, XPRESS, 2 threads", 0, [&] { copy_whole(whole, compressing(2)); }},
    };
    measure(paths);
    fs::remove(out);
    std::printf("%.0f MB, %u processors\n", static_cast<double>(bytes.size()) / 1e6,
                std::thread::hardware_concurrency());
    for (const Path& path : paths) {
        const double ratio = paths.front().seconds / path.seconds;
        std::printf("%-30s %8.3f s (of processors %6.3f s) %6.3f of memcpy (%5.3f)",
                    path.name.c_str(), path.seconds, path.processor_seconds, ratio,
                    paths.front().processor_seconds / path.processor_seconds);
        if (path.aim > 0) {
            std::printf(" (aim %.1f%s)", path.aim, ratio < path.aim ? ", MISSED" : "");
        }
        std::printf("  peak +%.1f MB\n", static_cast<double>(path.peak) / (1U << 20U));
    }
    return 0;
}
