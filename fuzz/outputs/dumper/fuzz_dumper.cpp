// A whole trace as the text of xperf's dumper. Beyond "does not crash": the text is one of lines of
// known kinds, without control characters, and two runs yield the same.
#include "dumper/dumper.hpp"
#include "flow/source.hpp"
#include "fuzz/kernel_classes.hpp"
#include "fuzz/require.hpp"
#include "fuzz/small_trace.hpp"
#include "trace/reader.hpp"

#include <algorithm>

using namespace etl;

namespace {

using fuzz::File;
using fuzz::kernel_classes;
using fuzz::require;

template <typename Visit>
void visit_events(trace::Reader& reader, Visit visit) {
    std::uint64_t events = 0;
    flow::EventCursor cursor(reader);
    for (const flow::Event* event = cursor.next(); event != nullptr && events < fuzz::most_events;
         event = cursor.next(), ++events) {
        visit(*event);
    }
}

std::string dumped_text(const File& file, dumper::Options options) {
    auto reader = trace::Reader::open(file, {});
    dumper::Survey survey(options);
    dumper::Survey part(options);
    visit_events(**reader, [&](const flow::Event& event) { part.add(event); });
    survey.combine(part);
    const flow::TraceInfo* const traces[] = {&(*reader)->info()};
    std::string text = survey.head(traces);
    auto again = trace::Reader::open(file, {});
    dumper::Dumper dumper(options, survey);
    visit_events(**again, [&](const flow::Event& event) { dumper.add(event, text); });
    return text;
}

void require_lines(const std::string& text) {
    require(text.starts_with("BeginHeader\n"));
    require(text.find("\nEndHeader\n") != text.npos);
    require(text.ends_with('\n'));
    require(std::ranges::none_of(text, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte != '\n' && (byte < 0x20 || byte == 0x7F);
    }));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto store = kernel_classes();
    const File file = fuzz::small_trace(data, size);
    if (file == nullptr) {
        return 0;
    }
    const auto facts = fuzz::facts_of(file, store);
    dumper::Options options{.schemas = store, .facts = facts};
    const std::string text = dumped_text(file, options);
    require_lines(text);
    require(text == dumped_text(file, options));
    options.has_raw_data = options.has_symbols = options.joins_stacks = true;
    require_lines(dumped_text(file, options));
    return 0;
}
