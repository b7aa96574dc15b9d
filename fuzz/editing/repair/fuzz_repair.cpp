// A whole file, or a container, however damaged. Property: where a reader opens it, a repair makes
// a trace of it that `etl check` has no warning of and that holds at least the events which the
// reader saw, each buffer once; repairing that again changes nothing.
#include "base/limits.hpp"
#include "fuzz/require.hpp"
#include "repair/limits.hpp"
#include "repair/repair.hpp"
#include "trace/summary.hpp"

using namespace etl;

namespace {

using fuzz::require;

constexpr std::uint64_t max_bytes = 8U << 20U;

std::uint64_t count_events(trace::Reader& reader) {
    std::uint64_t events = 0;
    reader.for_each_buffer(
        1, [&](unsigned, const trace::BufferEntry&, flow::Run run) { events += run.size(); });
    return events;
}

/// How many bytes the output may have: sound, but large ones take a while.
std::uint64_t size_of_output(const trace::Reader& reader) {
    std::uint64_t largest = trace::buffer_size_for(reader.info());
    std::uint64_t packed = 0;
    for (const trace::BufferEntry& entry : reader.buffers()) {
        largest = std::max<std::uint64_t>({largest, entry.disk_size, entry.used});
        largest = entry.used == 0 && entry.is_compressed() ? etl::limits::buffer_bytes : largest;
        packed += entry.is_packed() ? entry.disk_size : 0;
    }
    return std::max(packed, largest * (reader.buffers().size() + 1));
}

struct Repaired {
    std::vector<std::byte> trace;
    bool lacks_repeated_buffers = false;
};

Repaired repaired(const std::shared_ptr<const io::InputFile>& file) {
    io::MemoryFiles files;
    const auto report = repair::run(file, "out.etl", {.files = &files});
    require(report.has_value());
    require(report->losses.size() <= repair::limits::losses);
    return {.trace = std::move(files.files().at("out.etl")),
            .lacks_repeated_buffers =
                std::ranges::any_of(report->corrections, [](const std::string& one) {
                    return one.starts_with("omitted");
                })};
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes bytes = std::as_bytes(std::span(data, size));
    const auto file = io::InputFile::from_memory({bytes.begin(), bytes.end()}, "fuzz");
    const auto reader = trace::Reader::open(file, {});
    if (!reader) {
        io::MemoryFiles files;
        require(!repair::run(file, "out.etl", {.files = &files}) && files.files().empty());
        return 0;
    }
    if (size_of_output(**reader) > max_bytes) {
        return 0;
    }
    Repaired first = repaired(file);
    const auto made = io::InputFile::from_memory(std::move(first.trace), "made");
    DiagnosticList findings;
    const auto result = trace::Reader::open(made, {.diagnostics = &findings});
    require(result.has_value() && (*result)->info().has_header);
    require(trace::check(**result, findings) == 0);
    require(first.lacks_repeated_buffers || count_events(**result) >= count_events(**reader));
    const Repaired again = repaired(made);
    require(std::ranges::equal(again.trace, made->bytes()));
    return 0;
}
