// The content of a schema file of any kind: the result of every loader.
#pragma once

#include "schema/code_names.hpp"
#include "schema/event_schema.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace etl::schema {

/// A finding in a usable file.
struct FileNote {
    std::size_t line = 0; // 1-based; 0: not line-specific
    std::string text;
    std::size_t column = 0; // 1-based, in bytes; 0: unknown
};

/// The reason a file was rejected.
struct FileError {
    std::size_t line = 0; // 1-based; 0: the entire file
    std::string reason;
    std::size_t column = 0; // 1-based, in bytes; 0: unknown
};

struct SchemaSet {
    std::vector<std::shared_ptr<const ProviderNames>> providers;
    std::vector<std::shared_ptr<const EventSchema>> events;
    std::vector<FileNote> notes;
    /// By provider; only if requested (ManifestOptions::code_names).
    std::vector<CodeNames> code_names{};
};

} // namespace etl::schema
