// A whole trace as a profile of each format. Beyond "does not crash": what is written is UTF-8 if
// it is JSON, the samples are those of the table, and a second run writes the same.
#include "analysis/pass.hpp"
#include "base/text.hpp"
#include "fuzz/kernel_classes.hpp"
#include "fuzz/require.hpp"
#include "fuzz/small_trace.hpp"
#include "profiles/profile.hpp"
#include "trace/reader.hpp"

using namespace etl;

namespace {

using fuzz::File;
using fuzz::kernel_classes;
using fuzz::require;

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
    const File file = fuzz::small_trace(data, size);
    if (file == nullptr) {
        return 0;
    }
    analysis::PassOptions options{.facts = fuzz::facts_of(file, store)};
    options.schemas = store;
    options.progress = [](std::uint64_t events, const flow::Event&) {
        return events < fuzz::most_events;
    };
    for (const profiles::Format& format : profiles::formats()) {
        const std::string profile = profile_of(file, format, options);
        require(!format.extension.ends_with(".json") || is_valid_utf8(profile));
        require(profile == profile_of(file, format, options));
    }
    return 0;
}
