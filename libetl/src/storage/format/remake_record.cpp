#include "base/byte_writer.hpp"
#include "format/encode.hpp"
#include "format/record_family.hpp"
#include "format/set_field.hpp"

namespace etl::format {

namespace {

/// The size of a record, where its kind has it. At most largest_record.
void put_size(Family family, MutableBytes record) noexcept {
    const auto size = static_cast<std::uint16_t>(record.size());
    switch (family) {
    case Family::system:
    case Family::compact:
    case Family::perfinfo:
        put<system_record::size_>(record, size);
        return;
    case Family::wnode: {
        constexpr std::uint32_t marked = 0x8000'0000;
        const auto head = get<wnode_record::buffer_size>(record);
        put<wnode_record::buffer_size>(record, (head & marked) != 0 ? (head & 0xFFFF'0000U) | size
                                                                    : std::uint32_t{size});
        return;
    }
    case Family::full:
    case Family::instance:
    case Family::event:
    case Family::timed:
    case Family::error:
    case Family::message:
    case Family::ulong32:
        put<full_record::size_>(record, size);
        return;
    case Family::none:
        return;
    }
}

/// A flag that says what lies between a header and its payload.
struct Claim {
    std::size_t offset = 0; // of its word
    std::uint16_t bits = 0; // none: records of this family claim nothing
    std::size_t header_size = 0;
};

constexpr Claim claim_of(Family family) noexcept {
    switch (family) {
    case Family::system:
    case Family::compact:
    case Family::perfinfo:
        return {system_record::version.offset, has_pebs_index | counter_count_mask,
                kernel_header_size(family)};
    case Family::event:
        return {event_record::flags.offset, event_flag::extended_info, event_record::size};
    case Family::full:
    case Family::instance:
    case Family::timed:
    case Family::error:
    case Family::message:
    case Family::wnode:
    case Family::ulong32:
    case Family::none:
        break;
    }
    return {};
}

void drop(const Claim& claim, MutableBytes record) noexcept {
    std::byte* const at = record.data() + claim.offset;
    store_le(at, static_cast<std::uint16_t>(load_le<std::uint16_t>(at) & ~unsigned{claim.bits}));
}

} // namespace

bool has_invalid_flags(RecordKind kind, Bytes record) noexcept {
    const Claim claim = claim_of(family_of(kind));
    return claim.bits != 0 &&
           (load_le<std::uint16_t>(record.data() + claim.offset) & claim.bits) != 0 &&
           payload_offset(kind, record) == claim.header_size;
}

void clear_invalid_flags(RecordKind kind, MutableBytes record) noexcept {
    if (has_invalid_flags(kind, record)) {
        drop(claim_of(family_of(kind)), record);
    }
}

Result<void> with_payload(RecordKind kind, Bytes record, Bytes payload, std::vector<std::byte>& to,
                          Instances instances) {
    const std::size_t head = payload_offset(kind, record, instances);
    if (payload.size() > largest_record - head) {
        return fail(ErrorCode::limit, "record size", {}, largest_record, head + payload.size());
    }
    if (family_of(kind) == Family::instance && instances == Instances::with_guids &&
        head != instance_record::size && head + payload.size() >= instance_record::size) {
        return fail(ErrorCode::unsupported, "a larger payload of an INSTANCE record with handles");
    }
    const std::size_t at = to.size();
    to.insert(to.end(), record.begin(), record.begin() + static_cast<std::ptrdiff_t>(head));
    to.insert(to.end(), payload.begin(), payload.end());
    const MutableBytes made = MutableBytes(to).subspan(at);
    put_size(family_of(kind), made);
    const Claim claim = claim_of(family_of(kind));
    if (claim.bits != 0 && head == claim.header_size) {
        drop(claim, made);
    }
    return {};
}

Result<void> with_items(RecordKind kind, Bytes record, std::span<const ExtendedItem> items,
                        std::vector<std::byte>& to) {
    if (family_of(kind) != Family::event) {
        return fail(ErrorCode::unsupported, "extended data items of a record other than EVENT");
    }
    ByteWriter encoded;
    if (auto fits = encode_items(items, encoded); !fits) {
        return fits;
    }
    const Bytes payload = record.subspan(payload_offset(kind, record));
    const std::size_t size = event_record::size + encoded.size() + payload.size();
    if (size > largest_record) {
        return fail(ErrorCode::limit, "record size", {}, largest_record, size);
    }
    const std::size_t at = to.size();
    to.insert(to.end(), record.begin(), record.begin() + event_record::size);
    to.insert(to.end(), encoded.view().begin(), encoded.view().end());
    to.insert(to.end(), payload.begin(), payload.end());
    const MutableBytes made = MutableBytes(to).subspan(at);
    put_size(Family::event, made);
    constexpr unsigned claim = event_flag::extended_info;
    const unsigned flags = get<event_record::flags>(made) & ~claim;
    put<event_record::flags>(made,
                             static_cast<std::uint16_t>(flags | (items.empty() ? 0U : claim)));
    return {};
}

} // namespace etl::format
