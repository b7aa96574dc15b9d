// Headers, sections, and directories of portable executables (.exe, .dll, .sys, .mui), PE32 and
// PE32+; and the identity of an executable: its own key in a symbol store, and its program
// database. docs/format/images.md#pe, docs/format/pdb.md#executables
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include "symbols/symbol_file.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace etl::symbols {

/// The program database that an executable names.
struct DatabaseReference {
    Identity identity;
    std::string path; // as the linker stored it, as UTF-8
    bool is_portable = false;
};

struct ImageIdentity {
    std::uint32_t time_stamp = 0; // of the link, or a hash of the content
    std::uint32_t image_size = 0; // in memory, bytes
    std::optional<DatabaseReference> database;

    /// Returns the directory name in a symbol store: the time stamp as 8 uppercase hexadecimal
    /// digits, followed by the size in lowercase ones.
    std::string key() const;
};

/// Returns whether the file begins like an executable.
bool is_image(Bytes file) noexcept;

/// Reads the headers and the debug directory. Errors: malformed, truncated; limit (sections).
Result<ImageIdentity> read_image_identity(Bytes file);

enum class Machine : std::uint16_t { x64 = 0x8664, arm64 = 0xAA64 }; // and others

/// A range of RVAs.
struct AddressRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

/// Views; immutable; thread-safe.
class PeFile {
public:
    /// The bytes of the file from an address of the loaded image to the end of its section.
    struct Placed {
        Bytes bytes;
        FileOffset where{};
    };

    /// Reads the headers and the section table. `file` must outlive the result. Errors: malformed,
    /// truncated; limit (limits::sections).
    static Result<PeFile> open(Bytes file);

    Bytes bytes() const noexcept { return file_; }

    Machine machine() const noexcept { return machine_; }

    std::uint32_t time_stamp() const noexcept { return time_stamp_; }

    std::uint32_t image_size() const noexcept { return image_size_; }

    /// Returns the bytes of the file at an address; none if only memory has them, or nothing does.
    Placed at(std::uint32_t rva) const noexcept;

    /// Returns at most `size` of them.
    Bytes at(std::uint32_t rva, std::size_t size) const noexcept {
        return clamped(at(rva).bytes, 0, size);
    }

    /// Returns a data directory; empty if it is absent. Not checked against the sections.
    AddressRange directory(std::size_t number) const noexcept;

    /// Returns the section that contains an address; nothing if none does.
    std::optional<AddressRange> section_of(std::uint32_t rva) const noexcept;

    /// Returns the program database that the debug directory names.
    std::optional<DatabaseReference> database() const;

    /// Returns the compressed portable database in the debug directory and its decompressed size;
    /// empty if there is none.
    std::pair<Bytes, std::uint32_t> embedded_database() const noexcept;

private:
    struct Section {
        AddressRange memory;
        std::uint32_t file_offset = 0;
        std::uint32_t file_size = 0;
    };

    /// An entry of the debug directory.
    struct DebugEntry {
        std::uint32_t type = 0;
        std::uint16_t minor_version = 0;
        Bytes content;
    };

    Result<void> read_sections(std::size_t table, std::size_t count);
    DebugEntry debug_entry(std::size_t number) const noexcept;
    std::optional<DatabaseReference> reference_of(const DebugEntry& entry) const;

    Bytes file_;
    Bytes directories_;
    Machine machine_{};
    std::uint32_t time_stamp_ = 0;
    std::uint32_t image_size_ = 0;
    std::vector<Section> sections_;
};

} // namespace etl::symbols
