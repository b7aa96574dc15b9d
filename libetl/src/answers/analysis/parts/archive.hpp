// State as bytes: one description of what it consists of writes it and reads it. Private to
// analysis. docs/parts.md#tables
#pragma once

#include <etl/byte_writer.hpp>

#include "base/cursor.hpp"
#include "base/text.hpp"
#include "flow/event.hpp"

#include <concepts>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace etl::analysis {

/// A writer, or a reader with bounds. After the first read that fails, values are 0 and empty, and
/// lists end. Not thread-safe.
class Archive {
public:
    /// Writes.
    Archive() = default;

    /// Reads.
    explicit Archive(Bytes from) : from_(from), is_reading_(true) {}

    bool is_reading() const noexcept { return is_reading_; }

    template <std::integral T>
    void number(T& value) {
        if (is_reading_) {
            const std::uint64_t stored = from_.u64("number");
            value = static_cast<T>(stored);
            is_sound_ = is_sound_ && static_cast<std::uint64_t>(value) == stored;
        } else {
            to_.u64(static_cast<std::uint64_t>(value));
        }
    }

    /// UTF-8.
    void text(std::string& value) {
        raw_text(value);
        if (is_reading_ && !is_valid_utf8(value)) {
            fail();
            value.clear();
        }
    }

    /// Any bytes.
    void raw_text(std::string& value) {
        const std::size_t size = size_of_list(value.size());
        if (is_reading_) {
            value = as_text(from_.bytes("text", size));
        } else {
            to_.text8(value);
        }
    }

    void bytes(std::vector<std::byte>& value) {
        const std::size_t size = size_of_list(value.size());
        if (is_reading_) {
            const Bytes stored = from_.bytes("bytes", size);
            value.assign(stored.begin(), stored.end());
        } else {
            to_.bytes(value);
        }
    }

    /// `visit(value)` writes or reads the value if there is one.
    template <typename T, typename Visit>
    void optional(std::optional<T>& value, Visit&& visit) {
        bool has_value = value.has_value();
        number(has_value);
        if (has_value) {
            T one = value.value_or(T{});
            visit(one);
            value = std::move(one);
        } else {
            value.reset();
        }
    }

    template <std::integral T>
    void optional(std::optional<T>& value) {
        optional(value, [this](T& one) { number(one); });
    }

    /// `visit(element)` writes or reads each element.
    template <typename T, typename Visit>
    void list(std::vector<T>& values, Visit&& visit) {
        const std::size_t size = size_of_list(values.size());
        if (!is_reading_) {
            for (T& value : values) {
                visit(value);
            }
            return;
        }
        values.clear();
        for (std::size_t i = 0; i < size && is_intact(); ++i) {
            T value{};
            visit(value);
            values.push_back(std::move(value));
        }
    }

    /// Whether everything could be read so far.
    bool is_intact() const noexcept { return is_sound_ && static_cast<bool>(from_); }

    /// Whether everything was read, and nothing else is left.
    bool is_complete() const noexcept { return is_intact() && from_.is_at_end(); }

    /// What was read is not allowed.
    void fail() noexcept { is_sound_ = false; }

    std::vector<std::byte> take() { return to_.take(); }

private:
    /// An element has at least a byte.
    std::size_t size_of_list(std::size_t size) {
        number(size);
        if (is_reading_ && size > from_.left()) {
            fail();
            return 0;
        }
        return size;
    }

    ByteWriter to_;
    Cursor from_{Bytes{}};
    bool is_reading_ = false, is_sound_ = true;
};

// Where an event is in its trace.

struct EventPlace {
    std::uint64_t buffer = 0; // number
    std::uint32_t offset = 0;
    std::uint64_t file_offset = 0; // of its buffer

    bool operator<(const EventPlace& other) const noexcept {
        return std::tie(buffer, offset) < std::tie(other.buffer, other.offset);
    }
};

inline EventPlace place_of(const flow::Event& event) noexcept {
    return {event.buffer->number, event.offset(), event.buffer->where.value};
}

inline void visit(Archive& archive, EventPlace& place) {
    archive.number(place.buffer);
    archive.number(place.offset);
    archive.number(place.file_offset);
}

/// The event that ends an interval.
struct IntervalEnd {
    std::int64_t time = 0; // raw
    bool in_range = false;
    EventPlace place;
};

inline void visit(Archive& archive, IntervalEnd& end) {
    archive.number(end.time);
    archive.number(end.in_range);
    visit(archive, end.place);
}

} // namespace etl::analysis
