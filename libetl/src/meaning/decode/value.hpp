// One value of a payload, in place, with the information needed to display it. Views; thread-safe.
// docs/format/decoding.md#types
#pragma once

#include <etl/bytes.hpp>
#include <etl/time.hpp>

#include "schema/event_schema.hpp"
#include "schema/value_form.hpp"

#include <optional>

namespace etl::decode {

/// The form of a value. The room `schema` defines it and its predicates; encoding uses it as well.
using Form = schema::ValueForm;
using schema::ErrorSpace;

/// A value with the information needed to display it. Points into the payload and the schema.
struct Value {
    Bytes bytes;
    Form form = Form::null;
    ErrorSpace error_space = ErrorSpace::none;
    bool hidden = false; // out type no-print: Windows does not show it
    const schema::ValueMap* map = nullptr;
};

/// Returns the number in a value of an integer form (int8 to hex64), zero-extended to 64 bits.
std::uint64_t bits_of(const Value& value) noexcept;

/// Returns the same number, sign-extended for signed forms.
std::int64_t signed_of(const Value& value) noexcept;

/// Returns the time in a value of the form systemtime, which must have 16 bytes: year, month, day
/// of the week, day, hour, minute, second, milliseconds. None: one is out of its range, or all are
/// zeros. The day of the week is not used.
std::optional<Filetime> systemtime_of(const Value& value) noexcept;

} // namespace etl::decode
