#include "format/record_kind.hpp"

#include <algorithm>

namespace etl::format {

namespace {

constexpr std::size_t max_name = 10; // INSTANCE64

constexpr auto names = [] {
    std::array<std::array<char, max_name + 1>, max_record_kinds> all{};
    for (std::size_t i = 0; i < all.size(); ++i) {
        const RecordKind kind = record_kind_of(i);
        const std::string_view width = kind.width == Width::none     ? ""
                                       : kind.width == Width::bits32 ? "32"
                                                                     : "64";
        std::ranges::copy(width, std::ranges::copy(traits_of(kind).name, all[i].begin()).out);
    }
    return all;
}();

constexpr RecordShape no_record(NoRecord why) noexcept {
    return {RecordKind::none, why, false, 0, 0};
}

/// A record of `size` bytes whose header takes `header` of them. `time_offset` 0: it has no time.
RecordShape record_of(RecordFamily family, Bytes rest, std::uint32_t size, std::size_t header,
                      std::size_t time_offset) noexcept {
    if (size < header) {
        return no_record(NoRecord::bad_size);
    }
    if (size > rest.size()) {
        return no_record(NoRecord::truncated);
    }
    return {{family, Width::none},
            NoRecord::none,
            time_offset != 0,
            size,
            time_offset != 0 ? load_le<std::int64_t>(rest.data() + time_offset) : 0};
}

RecordShape message(Bytes rest, std::uint32_t size) noexcept {
    const RecordShape fixed = record_of(RecordFamily::message, rest, size, message_record::size, 0);
    if (fixed.kind == RecordKind::none) {
        return fixed;
    }
    const auto fields = message_record::fields_of(
        load_le<std::uint16_t>(rest.data() + message_record::options.offset));
    return record_of(RecordFamily::message, rest, size, fields.end, fields.time);
}

} // namespace

std::string_view name(RecordKind kind) noexcept {
    return names[number_of(kind)].data();
}

std::optional<RecordKind> record_kind_of(std::string_view name) noexcept {
    for (std::size_t i = number_of(RecordKind::none) + 2; i < names.size(); ++i) {
        if (names[i].data() == name) {
            return record_kind_of(i);
        }
    }
    return std::nullopt;
}

RecordShape uncommon_record(Bytes rest, std::uint32_t marker) noexcept {
    if (marker == 0xFFFFFFFFU || marker == 0) {
        return no_record(NoRecord::end);
    }
    if ((marker & 0x80000000U) == 0) {
        return record_of(RecordFamily::wnode, rest, marker, wnode_record::size,
                         wnode_record::time_stamp.offset);
    }
    const std::uint32_t size = marker & 0xFFFFU; // the rest is the marker
    switch (marker >> 24U) {
    case message_marker:
        return message(rest, size);
    case ulong32_marker:
        return record_of(RecordFamily::ulong32, rest, size, ulong32_record::size, 0);
    case stamped_ulong32_marker:
        return record_of(RecordFamily::ulong32, rest, size, ulong32_record::stamped_size,
                         ulong32_record::time_stamp.offset);
    default:
        return no_record(NoRecord::bad_marker);
    }
}

} // namespace etl::format
