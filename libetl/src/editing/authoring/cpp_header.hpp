// Generation of C++ headers from manifest events: constants and one typed function per event, like
// the C output of Windows' message compiler. Pure; thread-safe. docs/providers.md#manifests
#pragma once

#include <etl/error.hpp>

#include "schema/schema_set.hpp"

#include <string>
#include <vector>

namespace etl::authoring {

struct CppHeaderOptions {
    /// `company::events`; empty: a namespace per provider in `etw`. With several providers, each
    /// has a nested namespace here as well.
    std::string name_space;
};

/// A header in UTF-8, and notes about omitted schemas.
struct CppHeader {
    std::string text;
    /// At most schema::limits::manifest_notes; the last indicates that more exist.
    std::vector<std::string> notes;
};

/// Writes a header for all providers of `set`: identity; constants for keywords, levels, tasks,
/// opcodes, and channels; enumerations for maps; and a function per event that returns a
/// provider::Event. The header includes <etl/provider.hpp>. The output is
/// deterministic. Names are converted to identifiers; texts are escaped in comments and literals.
/// Omitted: class, WPP, and TraceLogging events, and events whose payload cannot be created from
/// values. Errors: invalid_option (invalid `name_space`), limit (longer than
/// schema::limits::manifest_file_bytes).
Result<CppHeader> write_cpp_header(const schema::SchemaSet& set,
                                   const CppHeaderOptions& options = {});

} // namespace etl::authoring
