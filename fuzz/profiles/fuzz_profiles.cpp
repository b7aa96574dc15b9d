// A whole trace as a profile of each format. Beyond "does not crash": what is written is UTF-8 if
// it is JSON, the samples are those of the table, and a second run writes the same.
#include <etl/analysis/pass.hpp>
#include <etl/base/text.hpp>
#include <etl/facts/collector.hpp>
#include <etl/profiles/profile.hpp>
#include <etl/trace/reader.hpp>

#include "fuzz/kernel_classes.hpp"
#include "fuzz/require.hpp"

using namespace etl;

namespace {

using fuzz::kernel_classes;
using fuzz::require;
using File = std::shared_ptr<const io::InputFile>;

constexpr std::uint64_t most_events = 20'000;

std::shared_ptr<const facts::FactsByTrace>
collect_facts(const File& file, const std::shared_ptr<const schema::SchemaStore>& store) {
    auto reader = trace::Reader::open(file, {});
    facts::Collector collector(store, {}, 1);
    const trace::BufferEntry* const first = (*reader)->buffers().data();
    (*reader)->for_each_buffer(
        1, [&](unsigned worker, const trace::BufferEntry& entry, flow::Run events) {
            collector.add(worker, static_cast<std::size_t>(&entry - first), events);
        });
    auto facts = std::make_shared<facts::FactsByTrace>();
    facts->push_back(collector.finish());
    return facts;
}

std::string profile_of(const File& file, const profiles::Format& format,
                       const analysis::PassOptions& options) {
    auto reader = trace::Reader::open(file, {});
    StringOutput output;
    const auto writer = format.make(output, {.exporter = "fuzz", .title = "fuzz"});
    const auto activity = analysis::make_activity(*writer);
    const auto table = analysis::run(**reader, (*reader)->info(), *activity, options);
    require(table.has_value() && writer->error() == nullptr);
    return output.text();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto store = kernel_classes();
    const Bytes bytes = std::as_bytes(std::span(data, size));
    const File file = io::InputFile::from_memory({bytes.begin(), bytes.end()}, "fuzz");
    auto reader = trace::Reader::open(file, {});
    if (!reader) {
        return 0;
    }
    std::uint64_t claimed = 0;
    for (const trace::BufferEntry& entry : (*reader)->buffers()) {
        claimed += entry.used;
    }
    if (claimed > (4U << 20U)) {
        return 0; // sound, but it takes a while
    }
    analysis::PassOptions options{.facts = collect_facts(file, store)};
    options.schemas = store;
    options.progress = [](std::uint64_t events, const flow::Event&) {
        return events < most_events;
    };
    for (const profiles::Format& format : profiles::formats()) {
        const std::string profile = profile_of(file, format, options);
        require(!format.extension.ends_with(".json") || is_valid_utf8(profile));
        require(profile == profile_of(file, format, options));
    }
    return 0;
}
