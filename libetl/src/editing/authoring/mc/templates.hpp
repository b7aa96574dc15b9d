// Functions that write the payload of an event: parameters and data descriptors by field, and the
// name that the message compiler gives them. Private to authoring. docs/compat.md#generated-headers
#pragma once

#include "authoring/cpp/code.hpp"
#include "schema/event_schema.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::authoring {

/// One function. It depends on the types of the fields alone: events with the same `suffix` share
/// it.
struct McTemplate {
    std::string suffix;                    // a letter for each field, with its count and length
    std::vector<std::string> declarations; // of parameters: `_In_ const unsigned int _Arg0`
    std::vector<std::string> arguments;    // of macros: names of the fields
    CppCode body{1};                       // fills EventData from index 1
    std::size_t descriptors = 0;
    std::vector<std::string> blobs; // fields that the caller packs because their size is unknown
};

/// `taken`: names that the macros use themselves, which no argument may have.
McTemplate mc_template(const schema::EventSchema& event, std::span<const std::string> taken);

} // namespace etl::authoring
