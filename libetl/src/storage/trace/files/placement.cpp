#include "trace/files/placement.hpp"

#include "format/buffer_header.hpp"

#include <algorithm>
#include <array>

namespace etl::trace {

namespace {

class Growing final : public Placement {
public:
    Growing(FileOffset begin, std::uint64_t limit, Table table) noexcept
        : end_(begin), limit_(limit), table_(table) {}

    std::optional<Place> next(std::uint64_t size) const noexcept override {
        const std::uint64_t table = table_.bytes + table_.bytes_per_buffer * (buffers_ + 1);
        if (limit_ == 0 || end_.value + size + table <= limit_) {
            return Place{Place::Kind::new_ground, end_};
        }
        return std::nullopt;
    }

    void written(std::uint64_t size) noexcept override {
        end_ = end_ + size;
        ++buffers_;
    }

    void take_back(std::uint64_t size) noexcept override { end_.value -= size; }

    FileOffset end() const noexcept override { return end_; }

private:
    FileOffset end_;
    std::uint64_t limit_;
    Table table_;
    std::uint64_t buffers_ = 1; // that of the header
};

class Rotating final : public Placement {
public:
    Rotating(std::uint64_t slots, std::uint32_t buffer_size) noexcept
        : slots_(slots), buffer_size_(buffer_size) {}

    std::optional<Place> next(std::uint64_t /*size*/) const noexcept override {
        const bool wraps = count_ >= slots_;
        const std::uint64_t slot =
            wraps ? start_buffers + (count_ - start_buffers) % (slots_ - start_buffers) : count_;
        return Place{wraps ? Place::Kind::old_buffer : Place::Kind::new_ground,
                     {slot * buffer_size_}};
    }

    void written(std::uint64_t /*size*/) noexcept override { ++count_; }

    void take_back(std::uint64_t /*size*/) noexcept override {}

    FileOffset end() const noexcept override { return {std::min(count_, slots_) * buffer_size_}; }

private:
    static constexpr std::uint64_t start_buffers = 1; // that are never overwritten

    std::uint64_t slots_;
    std::uint64_t buffer_size_;
    std::uint64_t count_ = start_buffers;
};

} // namespace

std::unique_ptr<Placement> grow_from(FileOffset begin, std::uint64_t limit, Table table) {
    return std::make_unique<Growing>(begin, limit, table);
}

std::unique_ptr<Placement> rotate_within(std::uint64_t limit, std::uint32_t buffer_size) {
    return std::make_unique<Rotating>(ring_slots(limit, buffer_size), buffer_size);
}

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
