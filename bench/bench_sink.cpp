// bench_sink FILE [SCHEMAS]: decoding and formatting alone, on one thread. All events of a trace
// are brought into memory first, in order; then each encoder runs over them into a string that is
// reused. Stated as a ratio to a memcpy of the bytes it wrote, measured in the same run.
#include "best_seconds.hpp"

#include "catalog/catalog.hpp"
#include "decode/harvest.hpp"
#include "io/input_file.hpp"
#include "schema/schema_store.hpp"
#include "sink/csv.hpp"
#include "sink/json.hpp"
#include "sink/text.hpp"
#include "trace/reader.hpp"

#include <cstdio>
#include <cstring>

namespace {

using etl::bench::best_seconds;

constexpr std::size_t flush_bytes = std::size_t{256} << 10U; // as the pipeline does

/// All events of a trace, with what they point into.
struct Events {
    std::unique_ptr<etl::trace::Reader> reader;
    std::vector<etl::flow::Pin> pins;
    std::vector<std::vector<etl::flow::Event>> runs;
    std::uint64_t count = 0;
};

Events load(const char* path) {
    Events events;
    events.reader = std::move(*etl::trace::Reader::open(*etl::io::InputFile::map(path)));
    for (auto run = events.reader->next_run(); !run.empty(); run = events.reader->next_run()) {
        events.runs.emplace_back(run.begin(), run.end());
        events.pins.push_back(events.reader->pin());
        events.count += run.size();
    }
    return events;
}

std::shared_ptr<const etl::schema::SchemaStore> gather(const Events& events, const char* schemas) {
    auto store = std::make_shared<etl::schema::SchemaStore>();
    etl::decode::Harvest harvest;
    for (const auto& run : events.runs) {
        harvest.add(run);
    }
    harvest.finish(*store);
    if (schemas != nullptr) {
        if (auto catalog =
                etl::catalog::Catalog::open({.paths = {schemas}, .environment = false})) {
            catalog->load(harvest.providers(), *store);
        }
    }
    store->freeze();
    return store;
}

std::uint64_t encode(const Events& events, etl::flow::Encoder& encoder, std::string& text) {
    std::uint64_t bytes = 0;
    text.clear();
    for (const auto& run : events.runs) {
        for (const etl::flow::Event& event : run) {
            encoder.encode(event, text);
        }
        if (text.size() >= flush_bytes) {
            bytes += text.size();
            text.clear();
        }
    }
    return bytes + text.size();
}

void report(const char* name, const Events& events, etl::flow::Encoder& encoder) {
    std::string text;
    const std::uint64_t bytes = encode(events, encoder, text); // learns the kinds of events
    const double seconds = best_seconds([&] { encode(events, encoder, text); });
    const std::vector<char> from(bytes, 'x');
    std::vector<char> to(bytes, 'y');
    const double copy = best_seconds([&] { std::memcpy(to.data(), from.data(), bytes); });
    std::printf("%-24s %7.1f MB %8.1f ns/event %6.2f GB/s  %.3f of memcpy (%.2f GB/s)\n", name,
                static_cast<double>(bytes) / 1e6, seconds * 1e9 / static_cast<double>(events.count),
                static_cast<double>(bytes) / seconds / 1e9, copy / seconds,
                static_cast<double>(bytes) / copy / 1e9);
}

} // namespace

int main(int count, char** arguments) {
    if (count < 2 || !etl::io::InputFile::map(arguments[1])) {
        std::fprintf(stderr, "usage: bench_sink FILE [SCHEMAS]\n");
        return 64;
    }
    const Events events = load(arguments[1]);
    const auto store = gather(events, count > 2 ? arguments[2] : nullptr);
    etl::sink::JsonLines raw({.schemas = store, .raw = true, .decode = false});
    report("json, undecoded", events, raw);
    etl::sink::JsonLines json({.schemas = store});
    report("json", events, json);
    etl::sink::JsonLines full({.schemas = store, .raw = true, .message = true});
    report("json, raw and message", events, full);
    etl::sink::Text text({.schemas = store}, {});
    report("text", events, text);
    etl::sink::Csv table({.schemas = store}, {});
    report("csv", events, table);
    return 0;
}
