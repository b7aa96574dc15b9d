// A schema that no loader would make and a payload: u8 number of fields, eight bytes for each, then
// the payload. Beyond "does not crash": the rules of walk_rules.hpp.
#include "base/cursor.hpp"
#include "fuzz/walk_rules.hpp"

namespace {

// In type (two bytes, so that the classic ones are met), out type, kinds of count and length and
// whether it is referred to, count, length, members.
etl::schema::Field read_field(etl::Cursor& in) {
    using etl::schema::Extent;
    etl::schema::Field field;
    field.in_type = static_cast<etl::schema::InType>(in.u16("in type"));
    field.out_type = static_cast<etl::schema::OutType>(in.u8("out type"));
    const std::uint8_t kinds = in.u8("kinds");
    field.referenced = (kinds & 0x80U) != 0;
    field.count = {static_cast<Extent::Kind>((kinds & 7U) % 5U), in.u8("count")};
    field.length = {static_cast<Extent::Kind>((kinds >> 3U & 7U) % 5U), in.u8("length")};
    field.members = in.u16("members");
    return field;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace etl;
    Cursor in(std::as_bytes(std::span(data, size)));
    schema::EventSchema schema;
    const unsigned fields = in.u8("fields");
    for (unsigned i = 0; i < fields && in; ++i) {
        schema.fields.push_back(read_field(in));
    }
    const Bytes payload = in.bytes("payload", in.left());
    fuzz::require_walk(schema, payload, 4);
    fuzz::require_walk(schema, payload, 8);
    return 0;
}
