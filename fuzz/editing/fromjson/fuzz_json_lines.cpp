// A byte of options, then lines of JSON as etl write takes them. Beyond "does not crash": what is
// accepted is read back, as many records as were accepted, from a trace without findings.
#include "base/text.hpp"
#include "fromjson/line_trace.hpp"
#include "fuzz/require.hpp"
#include "trace/reader.hpp"
#include "trace/writer.hpp"

#include <algorithm>

using namespace etl;

namespace {

/// A line with what must follow it.
std::string padded(std::string_view line) {
    return std::string(line).append(etl::fromjson::line_padding, '\0');
}

template <typename Visit>
void for_each_line(std::string_view text, Visit visit) {
    for (std::uint64_t number = 1; !text.empty(); ++number) {
        const std::string_view line = text.substr(0, text.find('\n'));
        const std::string copy = padded(line);
        visit(std::string_view(copy).substr(0, line.size()), number);
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
}

class Findings final : public DiagnosticSink {
public:
    void report(const Diagnostic& finding) override {
        count += finding.severity == Severity::warning ? 1U : 0U;
    }

    std::size_t count = 0;
};

// Those of the header buffer do not count: they are what the trace says of itself.
std::uint64_t records_in(std::vector<std::byte> file) {
    Findings findings;
    auto reader = trace::Reader::open(io::InputFile::from_memory(std::move(file), "made"),
                                      {.diagnostics = &findings});
    fuzz::require(reader.has_value());
    std::uint64_t count = 0;
    for (flow::Run run = (*reader)->next_run(); !run.empty(); run = (*reader)->next_run()) {
        count += static_cast<std::uint64_t>(std::ranges::count_if(
            run, [](const flow::Event& event) { return event.buffer->number > 0; }));
    }
    fuzz::require(findings.count == 0);
    return count;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) {
        return 0;
    }
    const std::string_view text = as_text(std::as_bytes(std::span(data, size))).substr(1);
    etl::fromjson::LineTrace trace({}, (data[0] & 1U) != 0
                                           ? etl::fromjson::PreferredSource::data
                                           : etl::fromjson::PreferredSource::payload);
    for_each_line(text, [&](std::string_view line, std::uint64_t n) { trace.inspect(line, n); });
    io::MemoryFiles files;
    auto writer = trace::Writer::create("made", {.recording = trace.begin(), .files = &files});
    if (!writer) { // names that do not fit into a header buffer
        return 0;
    }
    std::uint64_t accepted = 0;
    for_each_line(text, [&](std::string_view line, std::uint64_t number) {
        const auto made = trace.make(line, (data[0] & 2U) != 0 ? 0 : number);
        if (made && !made->record.empty() && (*writer)->add(made->processor, made->record)) {
            ++accepted;
        }
    });
    fuzz::require((*writer)->close().has_value());
    fuzz::require(records_in(files.files()["made"]) == accepted);
    return 0;
}
