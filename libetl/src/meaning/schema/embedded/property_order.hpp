// Where the fields of an event stand among the properties of TRACE_EVENT_INFO: the inverse of
// property_tree.hpp. Private to schema.
#pragma once

#include "schema/event_schema.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace etl::schema {

/// Fields in the order of TRACE_EVENT_INFO: those of the top level first, then the members of each
/// structure, level by level.
class PropertyOrder {
public:
    explicit PropertyOrder(const EventSchema& schema) : index_(schema.fields.size()) {
        for (const std::uint16_t field : schema.top_level()) {
            push(field);
        }
        top_level_ = fields_.size();
        for (std::size_t i = 0; i < fields_.size(); ++i) {
            const std::size_t parent = fields_[i];
            const std::size_t end =
                std::min(schema.fields.size(), parent + 1 + schema.fields[parent].members);
            members_.push_back({fields_.size(), 0});
            for (std::size_t member = parent + 1; member < end;
                 member += 1U + schema.fields[member].members) {
                push(static_cast<std::uint16_t>(member));
                ++members_.back().count;
            }
        }
    }

    struct Members {
        std::size_t first = 0;
        std::size_t count = 0;
    };

    const std::vector<std::uint16_t>& fields() const noexcept { return fields_; }

    std::size_t top_level() const noexcept { return top_level_; }

    /// Of the structure that is property `i`.
    const Members& members(std::size_t i) const noexcept { return members_[i]; }

    /// The property that a field is.
    std::uint16_t index_of(std::size_t field) const noexcept { return index_[field]; }

private:
    void push(std::uint16_t field) {
        index_[field] = static_cast<std::uint16_t>(fields_.size());
        fields_.push_back(field);
    }

    std::vector<std::uint16_t> fields_; // by property
    std::vector<std::uint16_t> index_;  // by field
    std::vector<Members> members_;      // by property
    std::size_t top_level_ = 0;
};

} // namespace etl::schema
