// The content of a schema file of any kind: the result of every loader.
#pragma once

#include <etl/guid.hpp>

#include "schema/event_schema.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace etl::schema {

// Names that a manifest gives to the elements of a provider in C code: its `symbol` attributes and
// the IDs of its messages. Only generated headers need them. docs/format/decoding.md#code-names

/// The code names of one provider. Lists are in document order. Symbols are as written, which need
/// not be identifiers, and empty if the manifest has none.
struct CodeNames {
    /// A channel, level, task, opcode, or keyword that the provider defines.
    struct Constant {
        std::string name; // for a channel, its chid if it has one
        std::string symbol;
        std::uint64_t value = 0;
        Guid guid{}; // of a task (`eventGUID`); zero: none
    };

    struct Map {
        std::string symbol;
        bool is_bits = false;
        std::vector<std::pair<std::uint32_t, std::string>> entries; // value, symbol
    };

    /// A string that a message attribute refers to, with the ID of the message.
    struct Message {
        std::string string_id;
        std::uint32_t number = 0;
    };

    Guid provider;
    std::string symbol; // of the provider
    std::vector<Constant> channels;
    std::vector<Constant> levels;
    std::vector<Constant> tasks;
    std::vector<Constant> opcodes; // those of tasks follow the global ones
    std::vector<Constant> keywords;
    std::vector<Map> maps;
    std::vector<Message> messages; // each string once
    Guid control_guid;             // `controlGuid`; zero: none
    Guid group_guid;               // `groupGuid`; zero: none
    bool traits_have_name = false; // `includeNameInTraits`
};

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
    /// Sorted by provider. Filled only if requested (ManifestOptions::code_names).
    std::vector<CodeNames> code_names{};
};

} // namespace etl::schema
