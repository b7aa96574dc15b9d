// What the parts of the MOF parser share: notes with their places, the memory budget. One thread.
#pragma once

#include "schema/clipped.hpp"
#include "schema/file_reading.hpp"
#include "schema/file_text.hpp"
#include "schema/schema_set.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace etl::schema {

/// As much of a name as a remark may quote.
constexpr std::string_view quoted(std::string_view name) noexcept {
    return clipped(name, 200);
}

class MofReading {
public:
    /// `text` must outlive this.
    explicit MofReading(std::string_view text) : lines_(text) {}

    /// Keeps a finding; beyond limits::manifest_notes only that there are more.
    void note(std::size_t offset, std::string text) {
        add_note(result.notes, {lines_.line_of(offset), std::move(text), lines_.column_of(offset)});
    }

    FileError error(std::size_t offset, std::string reason) const {
        return {lines_.line_of(offset), std::move(reason), lines_.column_of(offset)};
    }

    /// Books memory that the schemas take. False: limits::manifest_schema_bytes is reached, stop.
    bool charge(std::size_t bytes) noexcept { return budget_.charge(bytes); }

    bool exhausted() const noexcept { return budget_.exhausted(); }

    SchemaSet result;

private:
    LineIndex lines_;
    SchemaBudget budget_;
};

} // namespace etl::schema
