#include "decode/fields/plausible.hpp"

#include "base/layout.hpp"

#include <algorithm>

namespace etl::decode {

namespace {

constexpr unsigned max_values = 48; // layouts differ at their beginning, not in the last frames

constexpr bool is_control(std::uint32_t unit) noexcept {
    return (unit < 0x20 && unit != '\t' && unit != '\n' && unit != '\r') || unit == 0x7F;
}

constexpr bool is_high_surrogate(std::uint16_t unit) noexcept {
    return unit >= 0xD800 && unit < 0xDC00;
}

constexpr bool is_low_surrogate(std::uint16_t unit) noexcept {
    return unit >= 0xDC00 && unit < 0xE000;
}

/// A text of UTF-16 units, without the NULs that pad or end it.
class Units {
public:
    explicit Units(Bytes bytes) noexcept : bytes_(bytes.first(bytes.size() / 2 * 2)) {
        while (size() > 0 && (*this)[size() - 1] == 0) {
            bytes_ = bytes_.first(bytes_.size() - 2);
        }
    }

    std::size_t size() const noexcept { return bytes_.size() / 2; }

    std::uint16_t operator[](std::size_t i) const noexcept {
        return load_le<std::uint16_t>(bytes_.data() + 2 * i);
    }

private:
    Bytes bytes_;
};

// The size of a module, a multiple of pages, read as two characters in front of its path.
bool begins_with_a_size(const Units& units) noexcept {
    constexpr std::uint16_t page = 0x1000;
    constexpr std::uint16_t ascii = 0x80;
    constexpr std::size_t min = 4; // two of them are plain
    if (units.size() < min || units[0] % page != 0) {
        return false;
    }
    for (std::size_t i = 2; i < units.size(); ++i) {
        if (units[i] >= ascii) {
            return false;
        }
    }
    return true;
}

bool is_plausible_text16(Bytes bytes) noexcept {
    const Units units(bytes);
    for (std::size_t i = 0; i < units.size(); ++i) {
        if (is_control(units[i]) || units[i] >= 0xFFFE || is_low_surrogate(units[i])) {
            return false;
        }
        if (is_high_surrogate(units[i])) {
            if (i + 1 == units.size() || !is_low_surrogate(units[i + 1])) {
                return false;
            }
            ++i;
        }
    }
    return !begins_with_a_size(units);
}

bool is_plausible_text8(Bytes bytes) noexcept {
    while (!bytes.empty() && bytes.back() == std::byte{0}) {
        bytes = bytes.first(bytes.size() - 1);
    }
    return std::ranges::none_of(
        bytes, [](std::byte b) { return is_control(std::to_integer<std::uint32_t>(b)); });
}

bool is_plausible_address(Bytes bytes) noexcept {
    if (bytes.size() == sizeof(std::uint32_t)) {
        // The upper half of where 64-bit Windows puts images of programs and of the kernel.
        const auto address = load_le<std::uint32_t>(bytes.data());
        return (address < 0x7FF0 || address > 0x7FFF) &&
               (address < 0xFFFFF800 || address > 0xFFFFFAFF);
    }
    const auto upper = load_le<std::uint64_t>(bytes.data()) >> 47U;
    return upper == 0 || upper == 0x1FFFF;
}

// As paths, names, and command lines do; numbers read as text do not.
bool begins_with_ascii(Bytes bytes, std::size_t unit) noexcept {
    constexpr std::size_t units_of_a_number = 2;
    for (std::size_t i = 0; i < std::min(bytes.size() / unit, units_of_a_number); ++i) {
        const bool is_wide = unit == 2 && bytes[2 * i + 1] != std::byte{0};
        if (is_wide || std::to_integer<unsigned>(bytes[unit * i]) >= 0x80) {
            return false;
        }
    }
    return true;
}

// Windows has at most 2^26 handles, which are the IDs; all bits mean none.
bool is_plausible_id(const Value& value) noexcept {
    constexpr std::uint64_t ids = 1U << 26U;
    const std::uint64_t id = bits_of(value);
    return id < ids || id == 0xFFFFFFFF || id == 0xFFFFFFFFFFFFFFFF;
}

bool is_id(const schema::Field& field) noexcept {
    return field.out_type == schema::OutType::pid || field.out_type == schema::OutType::tid;
}

bool is_plausible(const schema::Field& described, const PlannedField& field, const Value& value,
                  Judged judged) noexcept {
    const bool is_strict = judged == Judged::appended;
    if (value.form == Form::text16) {
        return is_plausible_text16(value.bytes) &&
               (!is_strict || begins_with_ascii(value.bytes, 2));
    }
    if (value.form == Form::text8 || value.form == Form::utf8) {
        return is_plausible_text8(value.bytes) && (!is_strict || begins_with_ascii(value.bytes, 1));
    }
    if (is_strict && is_id(described) && is_integer(value.form)) {
        return is_plausible_id(value);
    }
    return judged == Judged::texts || !field.is_pointer || is_plausible_address(value.bytes);
}

/// Whether all payloads of a plan that it consumes are plausible: they have no text, and nothing
/// whose bytes can be wrong, as numbers and the frames of a stack.
bool has_nothing_to_judge(const Plan& plan, Judged judged) noexcept {
    const auto is_text = [](Form form) {
        return form == Form::text16 || form == Form::text8 || form == Form::utf8;
    };
    return judged == Judged::texts && plan.has_plain_size() &&
           std::ranges::none_of(plan.fields(), [&](const PlannedField& field) {
               return field.is_checked || is_text(field.form);
           });
}

} // namespace

bool is_plausible(const schema::EventSchema& schema, const Plan& plan, Bytes payload, Judged judged,
                  FieldWalker& walker) noexcept {
    if (has_nothing_to_judge(plan, judged)) {
        return true;
    }
    walker.start(plan, payload);
    unsigned values = 0;
    for (Step step = walker.next(); step != Step::end && values < max_values;
         step = walker.next()) {
        if (step != Step::value) {
            continue;
        }
        ++values;
        if (!is_plausible(schema.fields[walker.field()], walker.planned(), walker.value(),
                          judged)) {
            return false;
        }
    }
    return walker.doubt() < Doubt::invalid_value;
}

} // namespace etl::decode
