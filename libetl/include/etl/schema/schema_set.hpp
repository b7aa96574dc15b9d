// What one file of schemas holds, whatever its kind: the result of every loader.
#pragma once

#include <etl/schema/event_schema.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace etl::schema {

/// A finding in a file that could nevertheless be used.
struct FileNote {
    std::size_t line = 0; // 1-based; 0: no line is meant
    std::string text;
    std::size_t column = 0; // 1-based, in bytes; 0: not known
};

/// Why a file was refused.
struct FileError {
    std::size_t line = 0; // 1-based; 0 when the whole file is meant
    std::string reason;
    std::size_t column = 0; // 1-based, in bytes; 0: not known
};

struct SchemaSet {
    std::vector<std::shared_ptr<const ProviderNames>> providers;
    std::vector<std::shared_ptr<const EventSchema>> events;
    std::vector<FileNote> notes;
};

} // namespace etl::schema
