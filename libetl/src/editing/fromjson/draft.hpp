// A record before it is bytes: what all kinds of record have in common, and what only some have.
// Views; valid until the next line.
#pragma once

#include "base/byte_writer.hpp"
#include "flow/event.hpp"
#include "format/encode.hpp"
#include "fromjson/line_trace.hpp"

#include <expected>
#include <optional>
#include <span>

namespace etl::fromjson {

struct Draft {
    etl::format::RecordKind kind = etl::format::RecordKind::event64;
    std::optional<std::int64_t> time; // raw; none: the record has no room for one
    std::uint32_t process_id = etl::flow::no_id, thread_id = etl::flow::no_id;
    std::uint32_t kernel_time = 0, user_time = 0;
    etl::Guid provider; // or class, or message GUID
    std::uint16_t id = 0, task = 0;
    std::uint8_t version = 0, channel = 0, level = 0, opcode = 0;
    std::uint64_t keyword = 0;
    etl::Guid activity;
    std::uint16_t flags = 0; // EVENT records: those that are stored
    std::uint16_t property = 0;
    std::span<const etl::format::ExtendedItem> items;
    std::uint16_t hook_id = 0;                             // kernel records
    etl::format::Counters counters{};                      // kernel records
    std::uint32_t instance_id = 0, parent_instance_id = 0; // INSTANCE records
    etl::Guid parent_class;
    std::uint16_t message_flags = 0; // WPP
    std::uint32_t sequence = 0, component_id = 0;
    etl::Bytes header_bytes; // kinds whose header nobody describes; empty: zeros
    etl::Bytes payload;
};

/// Kinds whose payload and header belong to the kernel.
bool is_kernel(etl::format::RecordKind kind) noexcept;

/// Returns the width in the name of the kind; 64 bits if it has none.
etl::format::Width width_of(etl::format::RecordKind kind) noexcept;

/// Puts the record in place of what `to` holds.
LineResult<void> encode(const Draft& draft, etl::ByteWriter& to);

} // namespace etl::fromjson
