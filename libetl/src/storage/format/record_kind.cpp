#include "format/record_kind.hpp"

#include "format/records.hpp"

namespace etl::format {

namespace {

constexpr std::array<std::string_view, record_kinds> names{
    "NONE",       "SYSTEM32", "SYSTEM64", "COMPACT32",  "COMPACT64",  "PERFINFO32",
    "PERFINFO64", "FULL32",   "FULL64",   "INSTANCE32", "INSTANCE64", "EVENT32",
    "EVENT64",    "TIMED",    "ERROR",    "MESSAGE",    "WNODE",      "ULONG32"};

constexpr RecordShape no_record(NoRecord why) noexcept {
    return {RecordKind::none, why, false, 0, 0};
}

RecordShape wnode(Bytes rest, std::uint32_t size) noexcept {
    if (size < wnode_record::size) {
        return no_record(NoRecord::bad_size);
    }
    if (size > rest.size()) {
        return no_record(NoRecord::truncated);
    }
    return {RecordKind::wnode, NoRecord::none, true, size,
            load_le<std::int64_t>(rest.data() + wnode_record::time_stamp.offset)};
}

// Bytes in front of the time stamp: the fixed header, then SEQUENCE and COMPONENTID or GUID.
RecordShape message(Bytes rest, std::uint32_t size) noexcept {
    using namespace message_record;
    if (size < message_record::size) {
        return no_record(NoRecord::bad_size);
    }
    if (size > rest.size()) {
        return no_record(NoRecord::truncated);
    }
    const auto flags = load_le<std::uint16_t>(rest.data() + options.offset);
    std::uint32_t at = message_record::size;
    at += (flags & sequence) != 0 ? 4U : 0U;
    at += (flags & component_id) != 0 ? 4U : (flags & guid) != 0 ? 16U : 0U;
    // Either flag makes room for a stamp; only the first fills it.
    const bool stamped = (flags & time_stamp) != 0;
    const bool room = (flags & (time_stamp | performance_time_stamp)) != 0;
    const std::uint32_t end = at + (room ? 8U : 0U) + ((flags & system_info) != 0 ? 8U : 0U);
    if (end > size) {
        return no_record(NoRecord::bad_size);
    }
    return {RecordKind::message, NoRecord::none, stamped, size,
            stamped ? load_le<std::int64_t>(rest.data() + at) : 0};
}

// 0xA0 and 0xB0: forms of Windows 2000 and before; only the latter has a time stamp, at 8.
RecordShape ulong32(Bytes rest, std::uint32_t size, bool stamped) noexcept {
    if (size < (stamped ? 16U : 8U)) {
        return no_record(NoRecord::bad_size);
    }
    if (size > rest.size()) {
        return no_record(NoRecord::truncated);
    }
    return {RecordKind::ulong32, NoRecord::none, stamped, size,
            stamped ? load_le<std::int64_t>(rest.data() + 8) : 0};
}

} // namespace

std::string_view name(RecordKind kind) noexcept {
    const auto index = static_cast<std::size_t>(kind);
    return index < names.size() ? names[index] : names[0];
}

RecordShape uncommon_record(Bytes rest, std::uint32_t marker) noexcept {
    if (marker == 0xFFFFFFFFU || marker == 0) {
        return no_record(NoRecord::end);
    }
    if ((marker & 0x80000000U) == 0) {
        return wnode(rest, marker);
    }
    switch (marker >> 24U) {
    case 0x90:
        return message(rest, marker & 0xFFFFU);
    case 0xA0:
        return ulong32(rest, marker & 0xFFFFU, false);
    case 0xB0:
        return ulong32(rest, marker & 0xFFFFU, true);
    default:
        return no_record(NoRecord::bad_marker);
    }
}

} // namespace etl::format
