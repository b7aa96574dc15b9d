// Field: one value, array, or structure of an event, in place. docs/reading.md#fields
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>
#include <etl/guid.hpp>
#include <etl/time.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace etl::detail {

enum class FieldKind : std::uint8_t { value, array, structure };

/// A field in the table of an event, which lists fields in payload order: an array or structure is
/// followed by its elements or members.
struct FieldNode {
    const std::byte* data = nullptr; // bytes of a value
    std::uint32_t size = 0;
    std::uint32_t field = 0; // index in the schema
    std::uint32_t span = 1;  // number of nodes: this one and its elements or members
    FieldKind kind = FieldKind::value;
};

} // namespace etl::detail

namespace etl::inline view {

class Event;
class FieldIterator;
class FieldTable;
struct Access;

/// A field's number: unsigned, or negative in two's complement.
struct FieldNumber {
    std::uint64_t bits = 0;
    bool is_negative = false;
};

template <typename T>
concept FieldType = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::same_as<T, std::string> ||
                    std::same_as<T, Guid> || std::same_as<T, Filetime> || std::same_as<T, Bytes>;

/// A field of an event, an element of an array, or a member of a structure. Valid until the trace
/// moves to the next event. Cannot be copied or moved, to prevent dangling references. Not
/// thread-safe.
class Field {
public:
    Field(Field&&) = delete;
    Field& operator=(const Field&) = delete;
    Field& operator=(Field&&) = delete;
    ~Field() = default;

    /// Returns whether the field exists. A missing field has no name, text, or elements.
    explicit operator bool() const noexcept { return table_ != nullptr; }

    /// Returns the name in the schema. An element has the name of its array.
    std::string_view name() const noexcept;

    bool is_value() const noexcept { return is(detail::FieldKind::value); }

    bool is_array() const noexcept { return is(detail::FieldKind::array); }

    bool is_struct() const noexcept { return is(detail::FieldKind::structure); }

    /// Returns the value as Windows displays it; arrays as `[a, b]`, structures as `{name=a,
    /// name=b}`. Empty if the field is missing.
    std::string text() const;

    /// Appends text() to `to`.
    void append_text(std::string& to) const;

    /// Converts the value to a number (integers, Booleans, ports, characters, floating point), a
    /// time, a GUID, its bytes as stored, or text(). Bytes are valid while the field is valid.
    /// Errors: not_found (the field is missing), invalid_option (the value has another type), limit
    /// (the number is out of range for T).
    template <FieldType T>
    Result<T> as() const {
        if constexpr (std::same_as<T, std::string>) {
            return table_ == nullptr ? missing() : Result<T>(text());
        } else if constexpr (std::same_as<T, Guid>) {
            return guid();
        } else if constexpr (std::same_as<T, Filetime>) {
            return time();
        } else if constexpr (std::same_as<T, Bytes>) {
            return bytes();
        } else if constexpr (std::floating_point<T>) {
            const Result<double> found = floating();
            const bool is_finite = found && *found - *found == 0;
            constexpr double max = std::numeric_limits<T>::max();
            return is_finite && (*found > max || *found < -max) ? Result<T>(too_large())
                                                                : converted<T>(found);
        } else if constexpr (std::is_enum_v<T>) {
            return converted<T>(as<std::underlying_type_t<T>>());
        } else {
            const Result<FieldNumber> found = number();
            return found ? narrowed<T>(*found) : Result<T>(std::unexpected(found.error()));
        }
    }

    /// Returns the first member of a structure with this name, or a missing field.
    Field operator[](std::string_view member) const noexcept;

    /// Returns an array element or structure member by index, or a missing field.
    Field operator[](std::size_t index) const noexcept;

    /// Returns the number of elements or members; 0 for a value.
    std::size_t size() const noexcept;

    /// Iterates over the elements or members.
    FieldIterator begin() const noexcept;
    FieldIterator end() const noexcept;

private:
    friend class FieldIterator;
    friend class Fields;
    friend struct Access;

    Field() noexcept = default;

    Field(const FieldTable& table, const detail::FieldNode* node) noexcept
        : table_(&table), node_(node) {}

    Field(const Field&) noexcept = default; // for iterators

    bool is(detail::FieldKind kind) const noexcept {
        return table_ != nullptr && node_->kind == kind;
    }

    template <typename T, typename From>
    static Result<T> converted(const Result<From>& from) {
        return from ? Result<T>(static_cast<T>(*from)) : Result<T>(std::unexpected(from.error()));
    }

    template <std::integral T>
    static Result<T> narrowed(FieldNumber number) {
        if constexpr (std::same_as<T, bool>) {
            return number.bits != 0;
        } else if (number.is_negative) {
            const auto value = static_cast<std::int64_t>(number.bits);
            if (std::is_unsigned_v<T> ||
                value < static_cast<std::int64_t>(std::numeric_limits<T>::min())) {
                return too_large();
            }
            return static_cast<T>(value);
        } else {
            return number.bits <= static_cast<std::uint64_t>(std::numeric_limits<T>::max())
                       ? Result<T>(static_cast<T>(number.bits))
                       : Result<T>(too_large());
        }
    }

    static std::unexpected<Error> missing();
    static std::unexpected<Error> too_large();

    Result<FieldNumber> number() const;
    Result<double> floating() const;
    Result<Guid> guid() const;
    Result<Filetime> time() const;
    Result<Bytes> bytes() const;

    const FieldTable* table_ = nullptr; // null: missing
    const detail::FieldNode* node_ = nullptr;
};

/// An input iterator over fields, elements, or members. It contains the field that it refers to.
class FieldIterator {
public:
    using value_type = Field;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::input_iterator_tag;

    FieldIterator() noexcept = default;
    FieldIterator(const FieldIterator&) noexcept = default;

    /// Returns an iterator to a node of a table.
    FieldIterator(const FieldTable& table, const detail::FieldNode* node) noexcept
        : field_(table, node) {}

    FieldIterator& operator=(const FieldIterator& other) noexcept {
        field_.table_ = other.field_.table_;
        field_.node_ = other.field_.node_;
        return *this;
    }

    const Field& operator*() const noexcept { return field_; }

    const Field* operator->() const noexcept { return &field_; }

    FieldIterator& operator++() noexcept {
        field_.node_ += field_.node_->span;
        return *this;
    }

    void operator++(int) noexcept { ++*this; }

    bool operator==(const FieldIterator& other) const noexcept {
        return field_.node_ == other.field_.node_;
    }

private:
    Field field_;
};

/// The top-level fields of an event, in payload order. Valid while the event is valid.
class Fields {
public:
    FieldIterator begin() const noexcept { return {*table_, first_}; }

    FieldIterator end() const noexcept { return {*table_, last_}; }

    bool empty() const noexcept { return first_ == last_; }

    std::size_t size() const noexcept;

    /// Returns the first field with this name, or a missing field.
    Field operator[](std::string_view name) const noexcept;
    Field operator[](std::size_t index) const noexcept;

private:
    friend class Event;

    explicit Fields(const FieldTable& table) noexcept;

    const FieldTable* table_;
    const detail::FieldNode* first_;
    const detail::FieldNode* last_;
};

inline FieldIterator Field::begin() const noexcept {
    return table_ == nullptr ? FieldIterator() : FieldIterator(*table_, node_ + 1);
}

inline FieldIterator Field::end() const noexcept {
    return table_ == nullptr ? FieldIterator() : FieldIterator(*table_, node_ + node_->span);
}

} // namespace etl::inline view
