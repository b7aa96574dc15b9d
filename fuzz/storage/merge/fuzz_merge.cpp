// The first bytes say how two traces are merged, the others are the traces. Property: whatever
// opens is merged, or refused for a reason that the header allows; what comes out opens, `etl
// check` has nothing to say about it, and it holds every event of both but context that they
// repeat, byte for byte (but for claims to items that do not parse) and in the order of each
// processor.
#include "flow/merged_inputs.hpp"
#include "format/records.hpp"
#include "fuzz/require.hpp"
#include "merge/merge.hpp"
#include "tests/support/random_edits.hpp"

#include <cstdio>

using namespace etl;

namespace {

using fuzz::require;

constexpr std::size_t steering_bytes = 6;
constexpr std::uint64_t max_claimed = 8U << 20U; // runs of zeros unpack to 16 MB a buffer

merge::Options options_of(unsigned how, std::int8_t offset) {
    merge::Options options;
    options.tag_sources = (how & 1U) != 0;
    const bool moves = (how & 12U) != 0;
    if ((how & 2U) != 0 || moves) {
        options.timestamps = merge::Timestamps::system_time;
        options.offsets = {0, std::int64_t{offset} << (how >> 5U) * 8};
    }
    options.align = (how & 4U) != 0   ? merge::Align::start
                    : (how & 8U) != 0 ? merge::Align::first_event
                                      : merge::Align::none;
    options.relation = (how & 16U) != 0 ? merge::Relation::series : merge::Relation::sessions;
    return options;
}

/// What is known of the inputs before they are merged.
struct Before {
    std::uint64_t events = 0;  // beside log file headers, and what a merge says of its inputs
    std::uint64_t sources = 0; // inputs; of a merge those that it records, which count one by one
    bool has_merge = false;
};

std::uint64_t sources_in(const test::Streams& streams) {
    std::uint64_t count = 0;
    for (const auto& [processor, records] : streams) {
        count += static_cast<std::uint64_t>(std::ranges::count_if(records, [](const auto& record) {
            return flow::is_source_event(
                {.record = record.data(), .kind = format::record_at(record).kind});
        }));
    }
    return count;
}

/// An input; nothing for what is no trace.
std::optional<merge::Input> input_of(Bytes bytes, Before& before) {
    const auto file = test::in_memory({bytes.begin(), bytes.end()});
    auto reader = trace::Reader::open(file);
    if (!reader) {
        return std::nullopt;
    }
    std::uint64_t claimed = 0;
    for (const trace::BufferEntry& entry : (*reader)->buffers()) {
        claimed += entry.used;
    }
    if (claimed > max_claimed) {
        return std::nullopt;
    }
    test::Remembering counted(**reader);
    while (!counted.next_run().empty()) {
    }
    const std::uint64_t recorded = (*reader)->info().merged_inputs.size();
    before.events += counted.events - (recorded != 0 ? sources_in(counted.streams) : 0);
    before.sources += std::max<std::uint64_t>(1, recorded);
    before.has_merge = before.has_merge || recorded != 0;
    return merge::Input{.trace = std::make_shared<const flow::TraceInfo>((*reader)->info()),
                        .open = [file]() -> Result<std::unique_ptr<flow::Source>> {
                            return trace::Reader::open(file);
                        }};
}

void merge_and_check(std::vector<merge::Input> inputs, const merge::Options& options,
                     const Before& before) {
    auto merged = merge::MergedSource::create(std::move(inputs), options);
    if (!merged) {
        require(merged.error().code == ErrorCode::unsupported ||
                merged.error().code == ErrorCode::limit);
        return;
    }
    test::Remembering given(**merged);
    io::MemoryFiles files;
    trace::WriterOptions output = (*merged)->writer_options();
    output.file.buffer_size = 0x10200; // for all records
    output.files = &files;
    auto writer = trace::Writer::create("out.etl", output);
    require(writer.has_value());
    const auto copied = trace::copy(given, **writer);
    require(copied && copied->lost == 0 && copied->events == given.events);
    // Events about inputs, where machines or boots could not be told apart without them.
    const std::uint64_t sources = given.events + (*merged)->repeated_context() - before.events;
    const bool must_tell = options.tag_sources || before.has_merge;
    require(sources == before.sources || (sources == 0 && !must_tell) ||
            (before.has_merge && 0 < sources && sources < before.sources)); // parts of one merge
    require((*writer)->close().has_value());
    if (sources != 0) {
        given.streams.clear(); // buffers of two origins follow each other in the file
        given.streams = test::content_of(files.files().at("out.etl")).streams;
    }
    const std::string complaint = test::complaint_about(files.files().at("out.etl"), given);
    if (!complaint.empty()) {
        std::fprintf(stderr, "%s\n", complaint.c_str());
        require(false);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes bytes = std::as_bytes(std::span(data, size));
    if (bytes.size() < steering_bytes) {
        return 0;
    }
    const Bytes traces = bytes.subspan(steering_bytes);
    const std::size_t cut =
        std::min<std::size_t>(load_le<std::uint32_t>(bytes.data() + 2), traces.size());
    const merge::Options options = options_of(data[0], static_cast<std::int8_t>(data[1]));
    std::vector<merge::Input> inputs;
    Before before;
    for (const Bytes part : {traces.first(cut), traces.subspan(cut)}) {
        if (auto input = input_of(part, before)) {
            if (options.align == merge::Align::first_event) {
                input->beginning = *merge::beginning_of(**input->open());
            }
            inputs.push_back(*std::move(input));
        }
    }
    if (!inputs.empty()) {
        merge_and_check(std::move(inputs), options, before);
    }
    return 0;
}
