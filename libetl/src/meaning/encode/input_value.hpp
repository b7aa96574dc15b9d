// Input values whose types are not known yet: from a line of JSON or from a program. A flat list in
// pre-order; views into the caller's memory. Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace etl::encode {

struct InputValue {
    enum class Kind : std::uint8_t {
        null,
        boolean,
        integer,
        unsigned_integer,
        real,
        text,
        array,
        object
    };

    Kind kind = Kind::null;
    std::string_view name; // name of an object member; UTF-8
    std::string_view text; // Kind::text: UTF-8

    union {
        bool boolean;
        std::int64_t integer;
        std::uint64_t unsigned_integer = 0; // only for values beyond the range of `integer`
        double real;
    };

    /// Number of following entries that belong to this one, including nested ones.
    std::uint32_t descendants = 0;
};

/// Iterates over the members of an object or elements of an array, skipping nested entries.
class InputValueList {
public:
    InputValueList() = default;

    /// `all` begins with the object or array itself.
    explicit InputValueList(std::span<const InputValue> all) noexcept
        : rest_(all.empty() ? all : all.subspan(1, all.front().descendants)) {}

    bool empty() const noexcept { return rest_.empty(); }

    /// Returns the next member, including its nested entries.
    std::span<const InputValue> front() const noexcept {
        return rest_.first(1U + rest_.front().descendants);
    }

    void pop_front() noexcept { rest_ = rest_.subspan(1U + rest_.front().descendants); }

private:
    std::span<const InputValue> rest_;
};

// Numbers from what was given: JSON's own, and text in digits. Pure; any thread. Private to encode.

/// A whole number: 64 bits and what they mean.
struct Whole {
    std::uint64_t bits = 0;
    bool is_negative = false; // the bits are those of a negative std::int64_t
    bool is_hex = false;      // written in hexadecimal: the bits count, not the sign
};

/// Digits, `-` and digits, or `0x` and digits.
std::optional<Whole> read_whole(std::string_view text) noexcept;

/// A number, or text that is one. Nothing: it is something else, or beyond 64 bits.
std::optional<Whole> read_whole(const InputValue& given) noexcept;

/// A number, or text that is one, `NaN`, `Infinity` and `-Infinity` included.
std::optional<double> read_real(const InputValue& given) noexcept;

bool fits_unsigned(const Whole& number, std::uint32_t size) noexcept;
bool fits_signed(const Whole& number, std::uint32_t size) noexcept;

} // namespace etl::encode
