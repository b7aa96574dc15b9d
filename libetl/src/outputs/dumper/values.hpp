// The values of the fields of one event. Private to dumper.
#pragma once

#include "decode/decoder.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace etl::dumper {

inline constexpr std::uint16_t no_field = 0xFFFF;

/// The values that belong to no structure or array.
class Values {
public:
    /// Reads a payload; false: it contradicts its schema.
    bool read(const decode::DecodedEvent& event);

    /// Null: the event does not have the field.
    const decode::Value* find(std::uint16_t field) const noexcept {
        return field < values_.size() && values_[field].form != decode::Form::null ? &values_[field]
                                                                                   : nullptr;
    }

    /// The number in a field; nothing: the event does not have it.
    std::optional<std::uint64_t> number(std::uint16_t field) const noexcept;

private:
    std::vector<decode::Value> values_; // by field
    decode::FieldWalker walker_;
};

/// Microseconds, rounded down; saturated.
std::uint64_t microseconds_of(std::uint64_t ticks, std::int64_t frequency) noexcept;

} // namespace etl::dumper
