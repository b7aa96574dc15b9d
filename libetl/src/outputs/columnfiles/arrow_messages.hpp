// Messages of Arrow IPC: a schema, and arrays with their buffers. Private to columnfiles.
// Format: github.com/apache/arrow, format/Schema.fbs and format/Message.fbs.
#pragma once

#include "columnfiles/flatbuffer.hpp"
#include "columnfiles/table_file.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace etl::columnfiles {

/// Metadata and body of a message, ready to be written.
struct ArrowMessage {
    std::string bytes;
    std::uint64_t metadata_size = 0; // of `bytes`; the rest is the body
};

/// MetadataVersion: V5.
inline constexpr std::int16_t arrow_version = 4;

/// Numbers of a dictionary are those of its column.
FlatTable arrow_schema(std::span<const columns::Column> columns, const Properties& properties);

ArrowMessage arrow_schema_message(std::span<const columns::Column> columns,
                                  const Properties& properties);

ArrowMessage arrow_record_batch(std::span<const columns::Column> columns,
                                std::span<const columns::Batch> batches);

/// `is_more`: the texts follow those of an earlier message of the same number.
ArrowMessage arrow_dictionary(std::size_t number, const columns::Array& texts, bool is_more);

} // namespace etl::columnfiles
