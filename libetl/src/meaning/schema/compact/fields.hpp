// The fields of one template in the compact form. One thread. schemas/README.md
#pragma once

#include "schema/compact/line.hpp"
#include "schema/event_schema.hpp"
#include "schema/field_scopes.hpp"

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace etl::schema {

using CompactMaps = std::unordered_map<std::string, std::shared_ptr<const ValueMap>>;

struct CompactTemplate {
    std::vector<Field> fields;
    std::vector<std::shared_ptr<const ValueMap>> maps;
    std::string user_data;
    std::size_t bytes = sizeof(EventSchema); // that a copy takes
};

class CompactFields {
public:
    /// Reads into `to`. Both must outlive this.
    CompactFields(CompactTemplate& to, const CompactMaps& maps) : to_(&to), maps_(&maps) {}

    /// One field: a line that is indented by two blanks, and by two more per structure.
    void read(CompactLine& line);

    /// After the last field.
    void finish() { close(0); }

private:
    void open(CompactLine& line, std::size_t depth);
    void close(std::size_t depth);
    void read_type(CompactLine& line, Field& field);
    void read_out_type(CompactLine& line, Field& field);
    void read_map(CompactLine& line, Field& field);
    Extent count(CompactLine& line);
    Extent extent(CompactLine& line);
    Extent reference(CompactLine& line, std::size_t index);

    CompactTemplate* to_;
    const CompactMaps* maps_;
    FieldScopes scopes_;
    std::deque<std::string> names_; // the scopes view them
    std::vector<std::size_t> open_; // structures that the next field can be a member of
};

} // namespace etl::schema
