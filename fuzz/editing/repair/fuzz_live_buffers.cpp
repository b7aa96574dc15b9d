// A file of live buffers, however damaged, beside a log file that is sound. Property: the repair
// makes a trace that `etl check` has no warning of, that holds all events of the log file, and as
// many more as the report says.
#include "format/encode.hpp"
#include "fuzz/require.hpp"
#include "repair/repair.hpp"
#include "trace/summary.hpp"

using namespace etl;

namespace {

using fuzz::require;

constexpr std::int64_t start = 133'603'920'000'000'000;
constexpr std::uint64_t events_in_log = 2;

/// Buffers 1 and 2, an event in each; nobody finished it.
std::shared_ptr<const io::InputFile> log_file() {
    io::MemoryFiles files;
    auto log = trace::LogFile::open("t.etl", trace::begin_recording({start}), {.buffer_size = 4096},
                                    files);
    for (std::int64_t i = 1; i <= 2; ++i) {
        ByteWriter record;
        require(
            format::encode(format::EventRecord{.time = start + i, .descriptor = {.id = 1}}, record)
                .has_value());
        trace::FilledBuffer buffer{.memory = (*log)->memory(),
                                   .used = format::buffer_header::size,
                                   .sequence = i,
                                   .time_stamp = start + i,
                                   .newest_time = start + i};
        std::ranges::copy(record.view(), buffer.memory.get() + buffer.used);
        buffer.used += static_cast<std::uint32_t>(record.view().size());
        (*log)->write(std::move(buffer));
    }
    return io::InputFile::from_memory(files.files().at("t.etl"), "t.etl");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes bytes = std::as_bytes(std::span(data, size));
    io::MemoryFiles files;
    const auto report = repair::run(
        log_file(), "out.etl",
        {.files = &files,
         .live_buffers = io::InputFile::from_memory({bytes.begin(), bytes.end()}, "fuzz")});
    require(report.has_value());
    DiagnosticList findings;
    const auto made =
        trace::Reader::open(io::InputFile::from_memory(files.files().at("out.etl"), "made"),
                            {.diagnostics = &findings});
    require(made.has_value() && (*made)->info().has_header);
    require(trace::check(**made, findings) == 0);
    std::uint64_t records = 0;
    (*made)->for_each_buffer(
        1, [&](unsigned, const trace::BufferEntry&, flow::Run run) { records += run.size(); });
    // The header, and the event that says that losses are unknown.
    const std::uint64_t own = report->are_losses_known ? 1 : 2;
    require(records == own + events_in_log + report->live.records);
    return 0;
}
