// Descriptions of fields: read, and inferred from values.
#include "base/text.hpp"
#include "encode/metadata.hpp"
#include "encode/numbers.hpp"
#include "format/limits.hpp"
#include "schema/limits.hpp"

#include <array>

namespace etl::encode {

namespace {

using Count = MetadataField::Count;
using Kind = InputValue::Kind;
using Problem = const char*; // null: none

// TraceLogging's types. docs/write.md#types
namespace in {
constexpr std::uint8_t utf16 = 1;
constexpr std::uint8_t int64 = 9;
constexpr std::uint8_t uint64 = 10;
constexpr std::uint8_t float64 = 12;
constexpr std::uint8_t bool32 = 13;
constexpr std::uint8_t counted_utf16 = 22;
constexpr std::uint8_t structure = 24;
} // namespace in

constexpr std::uint32_t max_members = 0x7F;

std::unexpected<Mismatch> mismatch(std::string path, Problem what) {
    return std::unexpected(Mismatch{std::move(path), what});
}

std::string place(std::size_t number) {
    std::string text = "[";
    append_decimal(text, number);
    return text.append("]");
}

// A whole number from 0 to `most`.
std::optional<std::uint32_t> small_number(const InputValue& given, std::uint32_t most) noexcept {
    const auto number = given.kind == Kind::text ? std::nullopt : read_whole(given);
    if (!number || number->is_negative || number->bits > most) {
        return std::nullopt;
    }
    return static_cast<std::uint32_t>(number->bits);
}

Problem read_count(const InputValue& given, MetadataField& field) noexcept {
    constexpr std::uint32_t most = 0xFFFF;
    if (given.kind == Kind::text) {
        if (given.text != "one" && given.text != "variable" && given.text != "custom") {
            return "expected a count: a number, \"one\", \"variable\", or \"custom\"";
        }
        field.count = given.text == "one"        ? Count::one
                      : given.text == "variable" ? Count::variable
                                                 : Count::custom;
        return nullptr;
    }
    const auto count = small_number(given, most);
    if (!count) {
        return "expected a count: a number, \"one\", \"variable\", or \"custom\"";
    }
    field.count = Count::fixed;
    field.fixed = static_cast<std::uint16_t>(*count);
    return nullptr;
}

Problem read_part(std::size_t number, const InputValue& given, MetadataField& field) noexcept {
    constexpr std::uint32_t last_type = 31;
    constexpr std::uint32_t last_tags = 0x0FFFFFFF;
    if (number == 0 || number == 5) {
        (number == 0 ? field.name : field.custom_type) = given.text;
        return given.kind == Kind::text ? nullptr
               : number == 0            ? "missing name"
                                        : "missing description of a custom type";
    }
    if (number == 3) {
        return read_count(given, field);
    }
    const auto value = small_number(given, number == 1   ? last_type
                                           : number == 2 ? max_members
                                                         : last_tags);
    if (!value) {
        return number == 1   ? "expected a type: a number up to 31"
               : number == 2 ? "expected an out type: a number up to 127"
                             : "expected tags: a number of 28 bits";
    }
    if (number == 4) {
        field.tags = *value;
    } else {
        (number == 1 ? field.in : field.out) = static_cast<std::uint8_t>(*value);
    }
    return nullptr;
}

Problem read_field(std::span<const InputValue> given, MetadataField& field) noexcept {
    constexpr std::size_t least_parts = 4;
    constexpr std::size_t most_parts = 6;
    if (given.front().kind != Kind::array) {
        return "not an array";
    }
    std::size_t number = 0;
    for (InputValueList at(given); !at.empty(); at.pop_front(), ++number) {
        if (number == most_parts) {
            return "more than six parts";
        }
        if (const Problem problem = read_part(number, at.front().front(), field)) {
            return problem;
        }
    }
    if (number < least_parts) {
        return "expected at least four parts: name, in type, out type, count";
    }
    return number == most_parts && field.count != Count::custom ? "sixth part without a custom type"
                                                                : nullptr;
}

/// Appends the fields of an object, then of the objects in it.
class Inference {
public:
    explicit Inference(std::vector<MetadataField>& to) noexcept : to_(to) {}

    Problem members(std::span<const InputValue> object, unsigned depth) {
        for (InputValueList at(object); !at.empty(); at.pop_front()) {
            const std::span<const InputValue> member = at.front();
            if (to_.size() >= limits::schema_fields) {
                return "too many members for an event";
            }
            const std::size_t index = to_.size();
            to_.push_back({.name = member.front().name});
            const Problem problem = member.front().kind == Kind::array
                                        ? array(index, member, depth)
                                        : value(index, member, depth);
            if (problem != nullptr) {
                return in_path(member.front().name, problem);
            }
        }
        return nullptr;
    }

    const std::string& path() const noexcept { return path_; }

private:
    Problem value(std::size_t index, std::span<const InputValue> given, unsigned depth) {
        MetadataField& field = to_[index];
        switch (given.front().kind) {
        case Kind::boolean:
            field.in = in::bool32;
            return nullptr;
        case Kind::integer:
            field.in = in::int64;
            return nullptr;
        case Kind::unsigned_integer:
            field.in = in::uint64;
            return nullptr;
        case Kind::real:
            field.in = in::float64;
            return nullptr;
        case Kind::text:
            field.in = given.front().text.contains('\0') ? in::counted_utf16 : in::utf16;
            return nullptr;
        case Kind::object:
            return structure(index, given, depth);
        case Kind::null:
            return "null has no type";
        case Kind::array:
            break;
        }
        return "nested arrays are unsupported";
    }

    Problem structure(std::size_t index, std::span<const InputValue> given, unsigned depth) {
        if (depth == limits::struct_depth) {
            return "nested too deep";
        }
        std::uint32_t count = 0;
        for (InputValueList at(given); !at.empty(); at.pop_front()) {
            if (++count > max_members) {
                return "more than 127 members in a structure";
            }
        }
        to_[index].in = in::structure;
        to_[index].out = static_cast<std::uint8_t>(count);
        return members(given, depth + 1);
    }

    // The type of the first element, widened until it is that of all.
    Problem array(std::size_t index, std::span<const InputValue> given, unsigned depth) {
        InputValueList at(given);
        if (at.empty()) {
            return "an empty array has no type";
        }
        Problem problem = value(index, at.front(), depth);
        at.pop_front();
        for (std::size_t number = 1; problem == nullptr && !at.empty(); at.pop_front(), ++number) {
            problem = next_element(index, at.front(), depth);
            if (problem != nullptr) {
                return in_path(place(number), problem);
            }
        }
        if (problem != nullptr) {
            return in_path(place(0), problem);
        }
        to_[index].count = Count::variable;
        return nullptr;
    }

    Problem next_element(std::size_t index, std::span<const InputValue> given, unsigned depth) {
        const std::size_t begin = to_.size();
        to_.push_back({.name = to_[index].name});
        Problem problem = value(begin, given, depth);
        problem = problem != nullptr ? problem : widen(index, begin);
        to_.resize(begin);
        return problem;
    }

    // Makes the fields from `first` up to `other` fit those from `other` on as well.
    Problem widen(std::size_t first, std::size_t other) {
        const std::size_t count = other - first;
        if (to_.size() - other != count) {
            return "members differ from those of the previous elements";
        }
        for (std::size_t i = 0; i < count; ++i) {
            MetadataField& known = to_[first + i];
            const MetadataField& found = to_[other + i];
            const bool is_same = known.name == found.name && known.out == found.out &&
                                 (i == 0 || known.count == found.count);
            const std::uint8_t type = common_type(known.in, found.in);
            if (!is_same || type == 0) {
                return "type differs from that of the previous elements";
            }
            known.in = type;
        }
        return nullptr;
    }

    // 0: there is none.
    static std::uint8_t common_type(std::uint8_t a, std::uint8_t b) noexcept {
        const auto is_whole = [](std::uint8_t t) { return t == in::int64 || t == in::uint64; };
        const auto is_number = [&](std::uint8_t t) { return is_whole(t) || t == in::float64; };
        const auto is_text = [](std::uint8_t t) {
            return t == in::utf16 || t == in::counted_utf16;
        };
        return a == b                         ? a
               : is_whole(a) && is_whole(b)   ? in::uint64
               : is_number(a) && is_number(b) ? in::float64
               : is_text(a) && is_text(b)     ? in::counted_utf16
                                              : std::uint8_t{0};
    }

    Problem in_path(std::string_view name, Problem problem) {
        std::string whole(name);
        if (!path_.empty() && path_.front() != '[') {
            whole.push_back('.');
        }
        path_ = whole + path_;
        return problem;
    }

    std::vector<MetadataField>& to_;
    std::string path_;
};

} // namespace

std::expected<void, Mismatch> parse_fields(std::span<const InputValue> fields,
                                           std::vector<MetadataField>& to) {
    if (fields.empty() || fields.front().kind != Kind::array) {
        return mismatch("fields", "not an array");
    }
    const std::size_t begin = to.size();
    std::size_t number = 0;
    for (InputValueList at(fields); !at.empty(); at.pop_front(), ++number) {
        MetadataField field;
        const Problem problem = number == limits::schema_fields ? "too many fields for an event"
                                                                : read_field(at.front(), field);
        if (problem != nullptr) {
            to.resize(begin);
            return mismatch("fields" + place(number), problem);
        }
        to.push_back(field);
    }
    return {};
}

std::expected<void, Mismatch> infer_fields(std::span<const InputValue> data,
                                           std::vector<MetadataField>& to) {
    if (data.empty() || data.front().kind != Kind::object) {
        return mismatch("", "not an object");
    }
    // Among themselves, for what is already there does not count.
    std::vector<MetadataField> found;
    Inference inference(found);
    if (const Problem problem = inference.members(data, 0)) {
        return mismatch(inference.path(), problem);
    }
    to.insert(to.end(), found.begin(), found.end());
    return {};
}

} // namespace etl::encode
