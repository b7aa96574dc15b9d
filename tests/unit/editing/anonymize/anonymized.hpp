// Traces in memory, anonymized as the command line does it. For the tests of this room.
#pragma once

#include "anonymize/anonymize.hpp"
#include "tests/support/traces/kernel_store.hpp"
#include "tests/support/traces/written.hpp"
#include "trace/writer.hpp"

#include <gtest/gtest.h>

namespace etl::anonymize {

using test::kernel_store;

inline Key key_of_text(std::string_view text) {
    return key_of(std::as_bytes(std::span(text)));
}

inline Names names_in(trace::Reader& reader,
                      const std::shared_ptr<const schema::SchemaStore>& store) {
    NameCollector collector(store);
    collector.add(reader.info().header);
    reader.for_each_buffer(
        1, [&](unsigned, const trace::BufferEntry&, flow::Run run) { collector.add(run); });
    return collector.take();
}

struct Anonymized {
    test::Image image;
    Report report;
    Names names;
    std::uint64_t events = 0;
};

inline Anonymized anonymized(trace::Reader& reader,
                             const std::shared_ptr<const schema::SchemaStore>& store,
                             Options options = {.key = key_of_text("tests")}) {
    Anonymized result;
    result.names = options.names = names_in(reader, store);
    Anonymizer edit(store, options);
    relog::EditedSource edited(reader, edit);
    io::MemoryFiles files;
    trace::WriterOptions writing;
    writing.recording = trace::recording_of(reader.info());
    edit.anonymize(writing.recording->header);
    writing.file.buffer_size = trace::buffer_size_for(reader.info());
    writing.files = &files;
    auto writer = trace::Writer::create("out.etl", writing);
    EXPECT_TRUE(writer);
    const auto copied = trace::copy(edited, **writer);
    EXPECT_TRUE(copied && copied->lost == 0);
    result.events = copied ? copied->events : 0;
    EXPECT_TRUE((*writer)->close());
    result.image = files.files().at("out.etl");
    result.report = edit.report();
    return result;
}

inline std::unique_ptr<trace::Reader> open(const test::Image& image) {
    auto reader = trace::Reader::open(test::in_memory(image));
    EXPECT_TRUE(reader);
    return std::move(*reader);
}

/// Whether a text stands in the bytes, in any case, as 8-bit text or as UTF-16.
inline bool occurs(Bytes bytes, std::string_view text) {
    const auto is_at = [&](std::size_t at, std::size_t unit) {
        for (std::size_t i = 0; i < text.size(); ++i) {
            const auto c = std::to_integer<unsigned char>(bytes[at + i * unit]);
            const bool is_low = unit == 1 || bytes[at + i * unit + 1] == std::byte{0};
            if (!is_low || std::tolower(c) != std::tolower(static_cast<unsigned char>(text[i]))) {
                return false;
            }
        }
        return true;
    };
    for (std::size_t at = 0; at + text.size() <= bytes.size(); ++at) {
        if (is_at(at, 1) || (at + 2 * text.size() <= bytes.size() && is_at(at, 2))) {
            return true;
        }
    }
    return false;
}

} // namespace etl::anonymize
