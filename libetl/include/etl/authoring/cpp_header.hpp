// Events of manifests as C++: constants and one typed function per event, as Windows' message
// compiler gives them to C. Pure function; any thread. docs/providers.md#manifests
#pragma once

#include <etl/base/result.hpp>
#include <etl/schema/schema_set.hpp>

#include <string>
#include <vector>

namespace etl::authoring {

struct CppHeaderOptions {
    /// `company::events`; empty: each provider has a namespace of its own in `etw`. With several
    /// providers each has one in this one too.
    std::string name_space;
};

/// A header, UTF-8, and what of the schemas it leaves out.
struct CppHeader {
    std::string text;
    /// At most limits::manifest_notes, the last says that more follow.
    std::vector<std::string> notes;
};

/// Writes a header for all providers of `set`: identity, constants for keywords, levels, tasks,
/// opcodes and channels, enumerations for maps, and a function per event that gives a
/// provider::Event. It needs <etl/provider/manifest_event.hpp>. The same set gives the same bytes.
/// Names become identifiers, texts stay inside of comments and literals, whatever they hold. Events
/// of classes, WPP and TraceLogging are left out, and those whose payload cannot be told from
/// values.
/// Errors: invalid_option (`name_space` is none), limit (longer than limits::manifest_file_bytes).
Result<CppHeader> write_cpp_header(const schema::SchemaSet& set,
                                   const CppHeaderOptions& options = {});

} // namespace etl::authoring
