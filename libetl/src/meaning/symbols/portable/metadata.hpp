// The .NET metadata of a portable program database: heaps, and the tables of documents and methods.
// Private to symbols. docs/format/pdb.md#portable
#pragma once

#include "base/bytes.hpp"
#include "base/cursor.hpp"
#include "base/result.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace etl::symbols {

/// A row of the table MethodDebugInformation.
struct MethodRow {
    std::uint32_t document = 0; // number, from 1; 0: the sequence points specify it
    Bytes sequence_points;      // empty: none
};

class PortableMetadata {
public:
    /// Views `file`. Errors: malformed, truncated; unsupported (tables of an assembly).
    static Result<PortableMetadata> open(Bytes file);

    /// Returns the identification: a GUID and a time stamp.
    Bytes id() const noexcept { return id_; }

    std::size_t documents() const noexcept { return documents_; }

    /// Appends the name of a document, numbered from 1. Returns how many bytes were read for it.
    std::size_t append_document_name(std::size_t number, std::string& to) const;

    /// Returns a method, numbered from 1; nothing if there is none.
    std::optional<MethodRow> method(std::size_t number) const noexcept;

private:
    Result<void> read_tables(Bytes stream);
    Bytes blob(std::uint32_t index) const noexcept;
    std::uint32_t blob_index(Cursor& in) const noexcept;

    std::size_t document_size() const noexcept {
        return 2 * (has_wide_blobs_ ? 4U : 2U) + 2 * (has_wide_guids_ ? 4U : 2U);
    }

    std::size_t method_size() const noexcept {
        return (documents_ > 0xFFFF ? 4U : 2U) + (has_wide_blobs_ ? 4U : 2U);
    }

    Bytes id_;
    Bytes blobs_;
    Bytes document_rows_;
    Bytes method_rows_;
    std::size_t documents_ = 0;
    bool has_wide_blobs_ = false;
    bool has_wide_guids_ = false;
};

} // namespace etl::symbols
