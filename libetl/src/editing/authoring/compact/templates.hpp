// The templates and maps of one provider in the compact form. One thread. schemas/README.md
#pragma once

#include "schema/event_schema.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace etl::authoring {

class CompactTemplates {
public:
    /// The number of the template that specifies the payload of an event, 0 if it has none. Appends
    /// the lines of the template, and those of its maps, to `text` unless they are in it.
    std::size_t number(const schema::EventSchema& event, std::string& text);

private:
    void write_maps(const std::map<std::string, std::string>& maps, std::string& text);

    std::map<std::string, std::size_t> numbers_; // by lines, those of the maps included
    std::map<std::string, std::string> maps_;    // lines by name, as the reader has them now
};

} // namespace etl::authoring
