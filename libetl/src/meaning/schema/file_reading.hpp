// What readers of schema files share: how many notes they keep, and how much memory the schemas of
// one file may take. One thread. Private to schema.
#pragma once

#include "schema/limits.hpp"
#include "schema/schema_set.hpp"

#include <utility>
#include <vector>

namespace etl::schema {

/// Keeps a finding; beyond limits::manifest_notes only that there are more.
inline void add_note(std::vector<FileNote>& notes, FileNote note) {
    if (notes.size() == limits::manifest_notes) {
        note.text = "more remarks omitted";
    }
    if (notes.size() <= limits::manifest_notes) {
        notes.push_back(std::move(note));
    }
}

class SchemaBudget {
public:
    /// Books memory that the schemas take. False: limits::manifest_schema_bytes is reached, stop.
    bool charge(std::size_t bytes) noexcept {
        exhausted_ = exhausted_ || bytes > left_;
        left_ -= exhausted_ ? 0 : bytes;
        return !exhausted_;
    }

    bool exhausted() const noexcept { return exhausted_; }

private:
    std::size_t left_ = limits::manifest_schema_bytes;
    bool exhausted_ = false;
};

} // namespace etl::schema
