// The functions of a generated header: from the fields of events to parameters and to what writes
// them. Private to authoring.
#pragma once

#include "authoring/cpp/code.hpp"
#include "authoring/cpp/names.hpp"
#include "schema/event_schema.hpp"

#include <expected>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace etl::authoring {

/// Types that events of one provider share: enumerations of maps, structures. Equal ones are
/// written once.
class CppTypes {
public:
    /// The name of the enumeration or of the namespace of flags for a map.
    const std::string& map(const std::shared_ptr<const schema::ValueMap>& map);

    /// The name of a structure with this body.
    const std::string& structure(std::string_view wished, const CppCode& body);

    /// All definitions, in the order in which they were first named.
    const CppCode& code() const noexcept { return code_; }

    /// Names that are not for types.
    CppScope& scope() noexcept { return scope_; }

private:
    CppScope scope_;
    std::unordered_map<std::shared_ptr<const schema::ValueMap>, std::string> maps_;
    std::map<std::string, std::string> by_content_;
    CppCode code_;
};

/// The part of a function that depends on the fields of its event.
struct CppFunction {
    CppCode parameters{1}; // one a line, each with a comma behind it
    CppCode body{1};       // statements; empty: no payload
};

/// Why an event has no function: static text, with the field.
struct CppRefusal {
    std::string field;
    const char* what = "";
};

std::expected<CppFunction, CppRefusal> cpp_function(const schema::EventSchema& event,
                                                    CppTypes& types);

} // namespace etl::authoring
