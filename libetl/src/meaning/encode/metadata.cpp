#include "encode/metadata.hpp"

#include "base/hex_pairs.hpp"
#include "base/text.hpp"
#include "encode/input_value.hpp"
#include "format/limits.hpp"
#include "schema/limits.hpp"

#include <array>

namespace etl::encode {

namespace {

using Count = MetadataField::Count;

// Bits of the in byte, the out byte and of tags. docs/format/decoding.md#tracelogging
constexpr std::uint8_t last_type = 0x1F;
constexpr std::uint8_t last_out_type = 0x7F;
constexpr std::uint8_t structure_type = 24;
constexpr std::uint8_t chained = 0x80;
constexpr std::uint32_t last_tags = 0x0FFFFFFF;

std::uint8_t count_bits(Count count) noexcept {
    switch (count) {
    case Count::one:
        return 0;
    case Count::fixed:
        return 0x20;
    case Count::variable:
        return 0x40;
    case Count::custom:
        break;
    }
    return 0x60;
}

// 28 bits, seven a byte, the high ones first; no zeros at the end.
void put_tags(ByteWriter& to, std::uint32_t tags) {
    constexpr unsigned first_shift = 21;
    constexpr std::uint32_t behind_first = (1U << first_shift) - 1;
    while ((tags & behind_first) != 0) {
        to.u8(static_cast<std::uint8_t>(chained | (tags >> first_shift & 0x7FU)));
        tags <<= 7U;
    }
    to.u8(static_cast<std::uint8_t>(tags >> first_shift & 0x7FU));
}

Result<void> put_custom_type(ByteWriter& to, std::string_view hex) {
    const std::size_t size = hex.size() / 2;
    if (size > format::limits::metadata_bytes) {
        return fail(ErrorCode::limit, "description of a custom type", {},
                    format::limits::metadata_bytes, size);
    }
    std::vector<std::byte> bytes(size + 1);
    if (put_bytes_of_hex(bytes.data(), hex) == nullptr) {
        return fail(ErrorCode::malformed, "description of a custom type");
    }
    to.u16(static_cast<std::uint16_t>(size)).bytes(Bytes(bytes).first(size));
    return {};
}

Result<void> put_field(ByteWriter& to, const MetadataField& field) {
    if (field.name.contains('\0')) {
        return fail(ErrorCode::malformed, "name of a field");
    }
    if (field.in > last_type) {
        return fail(ErrorCode::malformed, "type of a field", {}, last_type, field.in);
    }
    if (field.out > last_out_type) {
        return fail(ErrorCode::malformed, "out type of a field", {}, last_out_type, field.out);
    }
    if (field.tags > last_tags) {
        return fail(ErrorCode::malformed, "tags of a field", {}, last_tags, field.tags);
    }
    const bool has_tags = field.tags != 0;
    const bool has_out = field.out != 0 || has_tags;
    to.zero_terminated8(field.name);
    to.u8(static_cast<std::uint8_t>(field.in | count_bits(field.count) | (has_out ? chained : 0U)));
    if (has_out) {
        to.u8(static_cast<std::uint8_t>(field.out | (has_tags ? chained : 0U)));
    }
    if (has_tags) {
        put_tags(to, field.tags);
    }
    if (field.count == Count::fixed) {
        to.u16(field.fixed);
    }
    return field.count == Count::custom ? put_custom_type(to, field.custom_type) : Result<void>{};
}

// Fields that structures up to the last field still lack. A structure is one member of the one
// around it.
std::size_t missing_members(std::span<const MetadataField> fields) noexcept {
    std::size_t open[format::max_struct_depth] = {};
    std::size_t depth = 0;
    for (const MetadataField& field : fields) {
        // The value of a custom field is a blob, whatever its type.
        if (field.in == structure_type && field.count != Count::custom && field.out != 0) {
            if (depth == format::max_struct_depth) {
                return fields.size(); // nobody can read it
            }
            open[depth++] = field.out;
            continue;
        }
        while (depth > 0 && --open[depth - 1] == 0) {
            --depth;
        }
    }
    return depth > 0 ? open[depth - 1] : 0;
}

Result<void> put_event(ByteWriter& to, std::string_view name, std::uint32_t tags,
                       std::span<const MetadataField> fields) {
    if (name.contains('\0')) {
        return fail(ErrorCode::malformed, "name of an event");
    }
    if (tags > last_tags) {
        return fail(ErrorCode::malformed, "tags of an event", {}, last_tags, tags);
    }
    if (const std::size_t missing = missing_members(fields); missing > 0) {
        return fail(ErrorCode::malformed, "members of a structure", {}, missing, 0);
    }
    to.u16(0);
    put_tags(to, tags);
    to.zero_terminated8(name);
    for (const MetadataField& field : fields) {
        if (const auto put = put_field(to, field); !put) {
            return put;
        }
        if (to.size() > format::limits::metadata_bytes) {
            return fail(ErrorCode::limit, "event metadata", {}, format::limits::metadata_bytes,
                        to.size());
        }
    }
    if (to.size() > format::limits::metadata_bytes) {
        return fail(ErrorCode::limit, "event metadata", {}, format::limits::metadata_bytes,
                    to.size());
    }
    to.patch(0, static_cast<std::uint16_t>(to.size()));
    return {};
}

void put_trait(ByteWriter& to, std::uint8_t type, const std::optional<Guid>& guid) {
    constexpr std::uint16_t size = sizeof(std::uint16_t) + sizeof type + sizeof(Guid);
    if (guid) {
        to.u16(size).u8(type).guid(*guid);
    }
}

} // namespace

Result<void> encode_metadata(std::string_view event_name, std::uint32_t tags,
                             std::span<const MetadataField> fields, ByteWriter& to) {
    ByteWriter whole;
    const auto put = put_event(whole, event_name, tags, fields);
    if (put) {
        to.bytes(whole.view());
    }
    return put;
}

Result<void> encode_traits(std::string_view provider_name, const std::optional<Guid>& group,
                           const std::optional<Guid>& decode, ByteWriter& to) {
    if (provider_name.contains('\0')) {
        return fail(ErrorCode::malformed, "name of a provider");
    }
    ByteWriter whole;
    whole.u16(0).zero_terminated8(provider_name);
    put_trait(whole, 1, group);
    put_trait(whole, 2, decode);
    if (whole.size() > format::limits::metadata_bytes) {
        return fail(ErrorCode::limit, "provider traits", {}, format::limits::metadata_bytes,
                    whole.size());
    }
    whole.patch(0, static_cast<std::uint16_t>(whole.size()));
    to.bytes(whole.view());
    return {};
}

// Descriptions of fields: read, and inferred from values.

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

// A whole number from 0 to `max`.
std::optional<std::uint32_t> small_number(const InputValue& given, std::uint32_t max) noexcept {
    const auto number = given.kind == Kind::text ? std::nullopt : read_whole(given);
    if (!number || number->is_negative || number->bits > max) {
        return std::nullopt;
    }
    return static_cast<std::uint32_t>(number->bits);
}

Problem read_count(const InputValue& given, MetadataField& field) noexcept {
    constexpr std::uint32_t max = 0xFFFF;
    if (given.kind == Kind::text) {
        if (given.text != "one" && given.text != "variable" && given.text != "custom") {
            return "expected a count: a number, \"one\", \"variable\", or \"custom\"";
        }
        field.count = given.text == "one"        ? Count::one
                      : given.text == "variable" ? Count::variable
                                                 : Count::custom;
        return nullptr;
    }
    const auto count = small_number(given, max);
    if (!count) {
        return "expected a count: a number, \"one\", \"variable\", or \"custom\"";
    }
    field.count = Count::fixed;
    field.fixed = static_cast<std::uint16_t>(*count);
    return nullptr;
}

Problem read_part(std::size_t number, const InputValue& given, MetadataField& field) noexcept {
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
    constexpr std::size_t min_parts = 4;
    constexpr std::size_t max_parts = 6;
    if (given.front().kind != Kind::array) {
        return "not an array";
    }
    std::size_t number = 0;
    for (InputValueList at(given); !at.empty(); at.pop_front(), ++number) {
        if (number == max_parts) {
            return "more than six parts";
        }
        if (const Problem problem = read_part(number, at.front().front(), field)) {
            return problem;
        }
    }
    if (number < min_parts) {
        return "expected at least four parts: name, in type, out type, count";
    }
    return number == max_parts && field.count != Count::custom ? "sixth part without a custom type"
                                                               : nullptr;
}

/// Appends the fields of an object, then of the objects in it.
class Inference {
public:
    explicit Inference(std::vector<MetadataField>& to) noexcept : to_(to) {}

    Problem members(std::span<const InputValue> object, unsigned depth) {
        for (InputValueList at(object); !at.empty(); at.pop_front()) {
            const std::span<const InputValue> member = at.front();
            if (to_.size() >= schema::limits::fields) {
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
        if (depth == format::max_struct_depth) {
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
        const Problem problem = number == schema::limits::fields ? "too many fields for an event"
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
