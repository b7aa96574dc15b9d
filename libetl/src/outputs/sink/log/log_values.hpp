// Values of payloads as values of an event log. Private to sink. docs/output.md#evtx
#pragma once

#include "decode/display_value.hpp"
#include "evtx/event.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace etl::sink {

/// The fields of one event. Reusable: keeps its memory.
class LogFields {
public:
    void clear() noexcept {
        used_ = 0;
        converted_.clear();
        memory_.clear();
    }

    /// Adds a value, whose bytes must outlive the fields; `display` is that of the event.
    void add(std::string_view name, const decode::Value& value,
             const decode::DisplayOptions& display);

    /// Adds an item of an array to the last field, or a field with the first one. Returns false if
    /// an event log has no arrays of such values: nothing is added.
    bool add_item(std::string_view name, const decode::Value& value,
                  const decode::DisplayOptions& display, bool is_first);

    void add_text(std::string_view name, std::string_view utf8);
    void add_number(std::string_view name, std::uint32_t number);
    void add_binary(std::string_view name, Bytes bytes);
    void add_structure(std::string_view name);

    /// The field that was added last, to change what is not its name or value.
    evtx::Field& last() noexcept { return fields_[used_ - 1]; }

    std::size_t size() const noexcept { return used_; }

    /// Whether fields that are added from now on get their names: true at first.
    void set_named(bool is_named) noexcept { is_named_ = is_named; }

    /// Valid until the next call.
    std::span<const evtx::Field> list();

private:
    /// A value in memory_, which moves.
    struct Converted {
        std::size_t field = 0, begin = 0, size = 0;
    };

    evtx::Field& next(std::string_view name);
    evtx::ValueType convert(const decode::Value& value, const decode::DisplayOptions& display);
    void append_units(std::string_view utf8);
    template <typename T>
    void append_bytes(T value);

    std::vector<evtx::Field> fields_;
    std::size_t used_ = 0;
    bool is_named_ = true;
    std::vector<Converted> converted_;
    std::vector<std::byte> memory_;
    std::string text_;
};

inline bool is_array(const schema::Field& field) noexcept {
    return field.count.kind != schema::Extent::Kind::natural;
}

/// Windows stores integers by their in type: the out type hex is for display only.
inline decode::Value by_in_type(decode::Value value, schema::InType type) noexcept {
    const bool is_plain = type >= schema::InType::int8 && type <= schema::InType::uint64;
    if (is_plain && schema::is_hex(value.form)) {
        constexpr int to_unsigned =
            static_cast<int>(decode::Form::hex8) - static_cast<int>(decode::Form::uint8);
        value.form = static_cast<decode::Form>(static_cast<int>(value.form) - to_unsigned);
    }
    return value;
}

} // namespace etl::sink
