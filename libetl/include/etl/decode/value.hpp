// One value of a payload, in place: where its bytes lie and how it is to be shown. Views; any
// thread. docs/format/decoding.md#types
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/schema/event_schema.hpp>
#include <etl/schema/value_form.hpp>

namespace etl::decode {

/// What a value is; with its predicates in the room schema, which encoding goes by too.
using Form = schema::ValueForm;
using schema::ErrorSpace;

/// A value with what is needed to show it. Points into the payload and the schema.
struct Value {
    Bytes bytes;
    Form form = Form::null;
    ErrorSpace error_space = ErrorSpace::none;
    bool hidden = false; // out type no-print: Windows does not show it
    const schema::ValueMap* map = nullptr;
};

/// The number in a value of an integer form (int8 to hex64), its bits zero-extended to 64.
std::uint64_t bits_of(const Value& value) noexcept;

/// Signed forms are sign-extended; for the others the same as bits_of.
std::int64_t signed_of(const Value& value) noexcept;

} // namespace etl::decode
