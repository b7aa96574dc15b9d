// bench_json_write FILE: lines of JSON back into records, on one thread. FILE holds lines as
// `etl dump --format jsonl` writes them, with --raw or without. They are brought into memory first;
// then they are read, made into records, and written into a trace that is thrown away. Stated as a
// ratio to a memcpy of the lines, measured in the same run.
#include "best_seconds.hpp"

#include "base/text.hpp"
#include "catalog/catalog.hpp"
#include "fromjson/event_line.hpp"
#include "fromjson/line_trace.hpp"
#include "io/input_file.hpp"
#include "schema/schema_store.hpp"
#include "trace/writer.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

namespace {

using etl::bench::best_seconds;

struct Line {
    std::string_view text;
    std::uint64_t number;
};

std::vector<Line> split(std::string_view text) {
    std::vector<Line> all;
    std::uint64_t number = 0;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        all.push_back({line, ++number});
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
    return all;
}

std::shared_ptr<const etl::schema::SchemaStore> built_in() {
    auto store = std::make_shared<etl::schema::SchemaStore>();
    if (auto catalog = etl::catalog::Catalog::open({.environment = false})) {
        catalog->load_all(*store);
    }
    store->freeze();
    return store;
}

/// Takes what is written and forgets it.
class Nowhere final : public etl::io::FileFactory {
public:
    etl::Result<std::unique_ptr<etl::io::WritableFile>> open(const std::string&, Open) override {
        return std::make_unique<File>();
    }

private:
    class File final : public etl::io::WritableFile {
    public:
        etl::Result<void> write_at(etl::FileOffset, etl::Bytes) override { return {}; }

        etl::Result<std::size_t> read_at(etl::FileOffset, etl::MutableBytes) override { return 0; }

        etl::Result<std::uint64_t> size() override { return 0; }

        etl::Result<void> resize(std::uint64_t) override { return {}; }

        etl::Result<void> allocate(std::uint64_t) override { return {}; }

        etl::Result<void> sync() override { return {}; }

        etl::Result<void> close() override { return {}; }
    };
};

void report(const char* name, double bytes, std::size_t count, double seconds, double copy) {
    std::printf("%-24s %7.1f MB %8.1f ns/line %7.1f MB/s  %.3f of memcpy\n", name, bytes / 1e6,
                seconds * 1e9 / static_cast<double>(count), bytes / seconds / 1e6, copy / seconds);
}

} // namespace

int main(int count, char** arguments) {
    const auto file = count == 2 ? etl::io::InputFile::map(arguments[1])
                                 : etl::Result<std::shared_ptr<const etl::io::InputFile>>(
                                       etl::fail(etl::ErrorCode::none, ""));
    if (!file) {
        std::fprintf(stderr, "usage: bench_json_write FILE.jsonl\n");
        return 64;
    }
    std::string text(etl::as_text((*file)->bytes()));
    text.append(etl::fromjson::line_padding, ' ');
    const std::string_view whole =
        std::string_view(text).substr(0, text.size() - etl::fromjson::line_padding);
    const std::vector<Line> all = split(whole);
    const auto bytes = static_cast<double>(whole.size());
    std::vector<char> to(whole.size(), 'y');
    const double copy = best_seconds([&] { std::memcpy(to.data(), whole.data(), whole.size()); });
    const auto store = built_in();
    const auto run = [&](etl::fromjson::PreferredSource prefer, bool writes) {
        Nowhere nowhere;
        etl::fromjson::LineTrace trace([&](const etl::Guid*) { return store; }, prefer);
        trace.inspect(all.front().text, 1);
        const auto writer =
            etl::trace::Writer::create("out", {.recording = trace.begin(), .files = &nowhere});
        std::size_t bad = 0;
        for (const Line& line : all) {
            const auto made = trace.make(line.text, line.number);
            const bool is_good = made && (!writes || made->record.empty() ||
                                          (*writer)->add(made->processor, made->record));
            bad += is_good ? 0U : 1U;
        }
        return bad;
    };
    const auto measure = [&](const char* name, etl::fromjson::PreferredSource prefer, bool writes) {
        if (const std::size_t bad = run(prefer, writes); bad > 0) {
            std::printf("%-24s %zu bad lines\n", name, bad);
        }
        report(name, bytes, all.size(),
               best_seconds([&] { static_cast<void>(run(prefer, writes)); }), copy);
    };
    etl::fromjson::EventLineReader reader;
    const double parsing = best_seconds([&] {
        for (const Line& line : all) {
            static_cast<void>(reader.read(line.text).has_value());
        }
    });
    report("lines read", bytes, all.size(), parsing, copy);
    measure("records made", etl::fromjson::PreferredSource::payload, false);
    measure("records written", etl::fromjson::PreferredSource::payload, true);
    measure("written from data", etl::fromjson::PreferredSource::data, true);
    return 0;
}
