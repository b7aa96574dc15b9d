// A schema of four fields (four bytes each: in type, out type, count, length), a byte of options,
// then values for it. Beyond "does not crash": what encodes is decoded again without an error and
// to the last byte, and encodes to the same bytes once more; nothing is appended on failure.
#include "decode/field_walker.hpp"
#include "encode/payload.hpp"
#include "fuzz/require.hpp"

#include <algorithm>
#include <bit>

using namespace etl;
using encode::InputValue;
using schema::Extent;
using schema::InType;

namespace {

/// What is left of the input; zeros behind its end.
class Input {
public:
    explicit Input(std::span<const std::uint8_t> bytes) : left_(bytes) {}

    std::uint8_t byte() {
        const std::uint8_t value = left_.empty() ? std::uint8_t{0} : left_.front();
        left_ = left_.subspan(left_.empty() ? 0 : 1);
        return value;
    }

    std::uint64_t number() {
        std::uint64_t value = 0;
        for (int i = 0; i < 8; ++i) {
            value = value << 8U | byte();
        }
        return value;
    }

    std::string_view text(std::size_t size) {
        const auto taken = left_.first(std::min(size, left_.size()));
        left_ = left_.subspan(taken.size());
        return {reinterpret_cast<const char*>(taken.data()), taken.size()};
    }

    bool empty() const { return left_.empty(); }

private:
    std::span<const std::uint8_t> left_;
};

// Takes what is left of a payload, or looks at it: such a field can only be the last one.
bool wants_the_end(const schema::Field& field) {
    return field.in_type == InType::binary || field.in_type == InType::non_terminated_string ||
           field.in_type == InType::non_terminated_ansi || field.in_type == InType::wbem_sid ||
           field.length.kind == Extent::Kind::rest || field.count.kind == Extent::Kind::rest;
}

Extent extent_of(std::uint8_t byte) {
    const auto kind = static_cast<Extent::Kind>(byte % 6);
    const std::uint32_t value = kind == Extent::Kind::field ? 0U : byte / 6U % 5U;
    return {kind, value};
}

// `n`, which the others may refer to; a field; a structure of one field; a field at the end.
schema::EventSchema schema_of(Input& in) {
    schema::EventSchema schema;
    auto map = std::make_shared<schema::ValueMap>();
    map->kind = schema::ValueMap::Kind::bits;
    map->entries = {{1, "a"}, {6, "b"}, {8, "c | d"}, {16, ""}};
    schema.maps = {map};
    for (int i = 0; i < 5; ++i) {
        schema::Field& field = schema.fields.emplace_back();
        const std::uint8_t type = in.byte();
        field.name = i == 0 ? "n" : i == 2 ? "s" : "v";
        field.in_type =
            static_cast<InType>(type % 64 < 26 ? type % 64U : 300U + (type % 64U - 26U));
        field.out_type = static_cast<schema::OutType>(in.byte() % 40);
        field.count = extent_of(in.byte());
        field.length = extent_of(in.byte());
        field.map = (type & 64U) != 0 ? 0 : schema::Field::no_map;
        if (i == 0) {
            field.in_type = static_cast<InType>(3 + type % 8);
            field.count = field.length = {};
            field.referenced = true;
        } else if (i == 2) {
            field.in_type = InType::structure;
            field.members = 1;
        }
        const bool is_array = field.count.kind != Extent::Kind::natural;
        const bool is_sid = field.in_type == InType::wbem_sid;
        if ((i < 4 && wants_the_end(field)) || (is_sid && is_array)) {
            field.in_type = i == 2 ? InType::structure : InType::uint16;
            field.count = field.length = {};
        }
    }
    return schema;
}

constexpr std::string_view notations[] = {"10.0.0.1",
                                          "fe80::1",
                                          "[fe80::1%7]:443",
                                          "10.0.0.1:443",
                                          "S-1-5-18",
                                          "00-1A-2B-3C-4D-5E",
                                          "68fdd900-4a3e-11d1-84f4-0000f80464e3",
                                          "2024-05-17T06:07:08.0090000Z",
                                          "0xff",
                                          "-7",
                                          "NaN",
                                          "a | c | d",
                                          "00ff",
                                          "\xC3\xA9",
                                          "x",
                                          ""};

void add_scalar(Input& in, std::vector<InputValue>& to, std::string_view name) {
    InputValue& given = to.emplace_back();
    given.name = name;
    const std::uint8_t choice = in.byte();
    switch (choice % 8) {
    case 0:
        break;
    case 1:
        given.kind = InputValue::Kind::boolean;
        given.boolean = choice > 127;
        break;
    case 2:
        given.kind = InputValue::Kind::integer;
        given.integer = static_cast<std::int8_t>(in.byte());
        break;
    case 3:
        given.kind = choice > 127 ? InputValue::Kind::integer : InputValue::Kind::unsigned_integer;
        given.unsigned_integer = in.number();
        break;
    case 4:
        given.kind = InputValue::Kind::real;
        given.real = std::bit_cast<double>(in.number());
        break;
    case 5:
        given.kind = InputValue::Kind::text;
        given.text = in.text(choice / 8U);
        break;
    default:
        given.kind = InputValue::Kind::text;
        given.text = notations[choice / 8U % std::size(notations)];
        break;
    }
}

// The value of a field as its schema wants it, mostly.
void add_field(Input& in, std::vector<InputValue>& to, const schema::EventSchema& schema,
               std::size_t index, bool is_element) {
    const schema::Field& field = schema.fields[index];
    const bool is_array = field.count.kind != Extent::Kind::natural && !is_element;
    const std::string_view name = is_element ? std::string_view{} : std::string_view(field.name);
    if (!is_array && field.in_type != InType::structure) {
        return add_scalar(in, to, name);
    }
    const std::size_t begin = to.size();
    to.push_back(
        {.kind = is_array ? InputValue::Kind::array : InputValue::Kind::object, .name = name});
    if (!is_array && field.members > 0) {
        add_field(in, to, schema, index + 1, false);
    }
    for (unsigned left = is_array ? in.byte() % 6U : 0U; left > 0; --left) {
        add_field(in, to, schema, index, true);
    }
    to[begin].descendants = static_cast<std::uint32_t>(to.size() - begin - 1);
}

std::vector<InputValue> values_of(Input& in, const schema::EventSchema& schema, unsigned options) {
    std::vector<InputValue> values;
    values.push_back({.kind = InputValue::Kind::object});
    for (std::size_t i = 0; i < schema.fields.size(); i += 1U + schema.fields[i].members) {
        const bool is_left_out = (options >> i & 8U) != 0;
        if (!is_left_out) {
            const std::size_t begin = values.size();
            add_field(in, values, schema, i, false);
            if (i == 4) {
                values[begin].name = "v#2";
            }
        }
    }
    values[0].descendants = static_cast<std::uint32_t>(values.size() - 1);
    return values;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input in({data, size});
    const schema::EventSchema schema = schema_of(in);
    const unsigned options = in.byte();
    const std::vector<InputValue> values = values_of(in, schema, options);
    const encode::PayloadOptions how{.pointer_size = (options & 1U) != 0 ? 4U : 8U,
                                     .missing = (options & 2U) != 0
                                                    ? encode::PayloadOptions::Missing::ends_payload
                                                    : encode::PayloadOptions::Missing::is_error};
    static encode::PayloadEncoder encoder;
    encoder.forget(); // the schema of the run before lay at the same place
    ByteWriter payload;
    const auto done = encoder.encode(schema, values, how, payload);
    if (!done) {
        fuzz::require(payload.size() == 0 && *done.error().what != 0);
        return 0;
    }
    const auto plan = decode::Plan::compile(schema, how.pointer_size);
    decode::FieldWalker walker;
    walker.start(plan, payload.view());
    while (walker.next() != decode::Step::end) {
    }
    // A payload that ends before what its numbers promise is short, or contradicts them.
    const bool may_end = (options & 2U) != 0;
    fuzz::require(may_end || (!walker.failed() && !walker.is_short()));
    fuzz::require(walker.trailing().empty());
    ByteWriter again;
    fuzz::require(encoder.encode(schema, values, how, again).has_value());
    fuzz::require(std::ranges::equal(payload.view(), again.view()));
    return 0;
}
