// Values as somebody gave them, before their types are known: what a line of JSON holds, or what a
// program says. One flat list in pre-order; views into the giver's memory. One thread.
#pragma once

#include <cstdint>
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
    std::string_view name; // of a member of an object; UTF-8
    std::string_view text; // Kind::text: UTF-8

    union {
        bool boolean;
        std::int64_t integer;
        std::uint64_t unsigned_integer = 0; // only beyond the range of `integer`
        double real;
    };

    /// How many of the entries behind this one belong to it, nested ones included.
    std::uint32_t descendants = 0;
};

/// The members of an object or elements of an array: steps from one to the next over what is inside
/// of it.
class InputValueList {
public:
    InputValueList() = default;

    /// `all` begins with the object or array itself.
    explicit InputValueList(std::span<const InputValue> all) noexcept
        : rest_(all.empty() ? all : all.subspan(1, all.front().descendants)) {}

    bool empty() const noexcept { return rest_.empty(); }

    /// The next member with everything inside of it.
    std::span<const InputValue> front() const noexcept {
        return rest_.first(1U + rest_.front().descendants);
    }

    void pop_front() noexcept { rest_ = rest_.subspan(1U + rest_.front().descendants); }

private:
    std::span<const InputValue> rest_;
};

} // namespace etl::encode
