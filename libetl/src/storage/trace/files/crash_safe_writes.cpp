#include "trace/files/crash_safe_writes.hpp"

#include "format/buffer_header.hpp"

#include <algorithm>
#include <array>

namespace etl::trace {

namespace {

namespace head = format::buffer_header;

} // namespace

/// What lies from `where` on becomes an unwritten tail again, or none.
Result<void> CrashSafeWrites::clear(FileOffset where, std::uint64_t size) {
    if (!is_preallocated_) {
        return file_.resize(where.value);
    }
    static constexpr std::array<std::byte, 64U << 10U> zeros{};
    Result<void> cleared;
    while (cleared && size > 0) {
        const auto part = std::min<std::uint64_t>(size, zeros.size());
        cleared = file_.write_at(where, Bytes(zeros).first(part));
        where = where + part;
        size -= part;
    }
    return cleared;
}

/// What is torn is not built upon: something smaller would not cover it.
Result<void> CrashSafeWrites::clear_torn() {
    if (torn_bytes_ == 0) {
        return {};
    }
    auto cleared = clear(torn_at_, torn_bytes_);
    if (cleared) {
        torn_bytes_ = 0;
    }
    return cleared;
}

/// In reserved room a torn buffer does not end where the file does, and its last record would pass
/// for a whole one that has zeros in it: there a buffer is none before its header stands.
Result<void> CrashSafeWrites::write_new(FileOffset where, Bytes packed) {
    if (!is_preallocated_) {
        return file_.write_at(where, packed);
    }
    if (auto body = file_.write_at(where + head::size, packed.subspan(head::size)); !body) {
        return body;
    }
    return file_.write_at(where, packed.first(head::size));
}

Result<void> CrashSafeWrites::append(FileOffset where, Bytes packed) {
    if (auto cleared = clear_torn(); !cleared) {
        return cleared;
    }
    auto written = write_new(where, packed);
    if (!written) {
        torn_at_ = where;
        torn_bytes_ = packed.size();
        // If that fails, too, the torn buffer stays for now: readers take its whole records.
        [[maybe_unused]] const auto undone = clear_torn();
    }
    return written;
}

Result<void> CrashSafeWrites::overwrite(FileOffset where, Bytes packed) {
    std::array<std::byte, sizeof(std::uint16_t)> type{};
    store_le(type.data(), static_cast<std::uint16_t>(format::BufferType::empty_marker));
    if (auto marked = file_.write_at(where + head::buffer_type.offset, type); !marked) {
        return marked;
    }
    if (auto body = file_.write_at(where + head::size, packed.subspan(head::size)); !body) {
        return body;
    }
    return file_.write_at(where, packed.first(head::size));
}

} // namespace etl::trace
