// Records of a file that a session wrote, for tests.
#pragma once

#include "flow/event.hpp"
#include "format/known_guids.hpp"
#include "io/input_file.hpp"
#include "trace/reader.hpp"

#include <string>
#include <vector>

namespace etl::test {

/// A record and its decoded header. Views in `header` are not valid any more.
struct Record {
    flow::EventHeader header;
    format::RecordKind kind{};
    std::int64_t raw_time = 0;
    std::string payload;
    Guid related; // zero: none
};

/// All records but the log file header record and those about enabled providers. Empty: the file
/// cannot be read.
inline std::vector<Record> records_of(const std::string& path) {
    std::vector<Record> records;
    auto file = io::InputFile::map(path);
    if (!file) {
        return records;
    }
    auto reader = trace::Reader::open(*file);
    if (!reader) {
        return records;
    }
    flow::EventCursor events(**reader);
    events.next();
    while (const flow::Event* event = events.next()) {
        const flow::EventHeader header = flow::read_header(*event);
        if (header.provider == format::kernel_event_tracing_guid) {
            continue;
        }
        Record record{header, event->kind, event->raw_time,
                      std::string(reinterpret_cast<const char*>(header.payload.data()),
                                  header.payload.size()),
                      Guid{}};
        const auto item = flow::find_item(header, format::ItemType::related_activity_id);
        if (item.data.size() == sizeof(Guid)) {
            std::memcpy(&record.related, item.data.data(), sizeof(Guid));
        }
        records.push_back(std::move(record));
    }
    return records;
}

} // namespace etl::test
