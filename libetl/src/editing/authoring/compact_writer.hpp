// Schemas in the compact form: the inverse of parse_compact. Pure function; any thread.
// schemas/README.md
#pragma once

#include <etl/error.hpp>

#include "schema/schema_set.hpp"

#include <string>
#include <vector>

namespace etl::authoring {

/// Returns the builds of Windows that have a layout, as ranges of the dumped builds of its
/// provider: `10240-19043 22000-28000`; `any` first if the layout holds whatever the build. Empty:
/// the source says nothing of builds.
std::string builds_text(const schema::EventSchema& event);

/// A file in the compact form, UTF-8, and what it leaves out.
struct WrittenCompact {
    std::string text;
    /// At most schema::limits::manifest_notes; the last says that more follow.
    std::vector<std::string> notes;
};

/// Writes all providers and events of `set` in the compact form. Providers with one GUID are
/// merged; events are sorted by ID and version; equal templates are written once. The form has no
/// messages and no file names; they are left out without a note. The same set gives the same bytes.
/// Errors: limit (longer than schema::limits::manifest_file_bytes).
Result<WrittenCompact> write_compact(const schema::SchemaSet& set);

} // namespace etl::authoring
