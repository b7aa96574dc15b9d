// Values of fields in C++: the type of each, and how it is written. Private to authoring.
#pragma once

#include "authoring/cpp/events.hpp"
#include "schema/event_schema.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace etl::authoring {

/// How a value is written: by which function of PayloadWriter, and what that is told beside it.
struct CppWrite {
    std::string function = "value";
    std::string length{}; // empty: nothing

    /// The call that writes what the expression `value` gives.
    std::string call(std::string_view value) const;
};

/// What values of one in type are in C++, whatever their field says beyond that.
struct CppForm {
    std::string_view type;            // empty: there is none
    std::string_view write = "value"; // CppWrite::function
    enum class Kind : std::uint8_t { integer, number, object, text };
    Kind kind = Kind::integer;
};

CppForm cpp_form(schema::InType in) noexcept;
bool is_cpp_integer(schema::InType in) noexcept;

/// Texts and data, whose fields may say how long they are: in units of this many bytes.
bool has_length(schema::InType in) noexcept;
std::uint64_t bytes_per_unit(schema::InType in) noexcept;

/// The type of one value, and how it is written.
struct CppValue {
    std::string type;
    CppWrite write{};
};

/// Where it is given: only as a parameter of its own it can be a view of fixed size.
enum class CppPlace : std::uint8_t { parameter, inside };

/// `told_length`: what the length is called when another field tells it.
CppValue cpp_value(const schema::EventSchema& event, const schema::Field& field,
                   std::string_view told_length, CppPlace place, CppTypes& types);

} // namespace etl::authoring
