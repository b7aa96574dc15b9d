// An event of the tests, and the record that it must be.
#pragma once

#include <etl/byte_writer.hpp>

#include "format/encode.hpp"
#include "host/process.hpp"
#include "tests/unit/sessions/session/bare_session.hpp"
#include "tests/unit/sessions/session/guids.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace etl::session {

inline constexpr Guid order = "7f3b9d10-66aa-4c8e-8f21-0d9c5be1a442"_guid;
inline constexpr format::EventDescriptor steeped{.id = 7,
                                                 .version = 2,
                                                 .channel = 16,
                                                 .level = 4,
                                                 .opcode = 3,
                                                 .task = 21,
                                                 .keyword = 0x8000000000000001};

inline std::vector<std::byte> bytes_of(std::string_view text) {
    const Bytes bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

/// The record that `written` must be, by the encoder that traces are made with. Time is taken over.
inline test::Image expected(const test::Image& written, format::EventRecord record,
                            const format::EventDescriptor& descriptor, const Guid& provider = tea) {
    record.process_id = host::process_id();
    record.thread_id = host::thread_id();
    record.time = field_of<format::event_record::time_stamp>(written);
    record.provider = provider;
    record.descriptor = descriptor;
    ByteWriter bytes;
    EXPECT_TRUE(format::encode(record, bytes));
    return bytes.take();
}

inline const std::vector<std::byte> eleven = bytes_of("hot water??");

} // namespace etl::session
