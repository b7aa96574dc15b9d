// Typed values of an event log: views of their bytes. Values; thread-safe. docs/format/evtx.md
#pragma once

#include <etl/bytes.hpp>
#include <etl/guid.hpp>
#include <etl/time.hpp>

#include "evtx/tokens.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace etl::evtx {

/// A value as stored; `data` has the size that the record specifies, which need not be that of the
/// type.
struct Value {
    ValueType type = ValueType::null; // of an array: of its items
    bool is_array = false;
    Bytes data{};

    bool is_null() const noexcept { return type == ValueType::null && !is_array; }
};

/// Returns the size in bytes of a value of a type; 0 if it varies.
std::size_t fixed_size(ValueType type) noexcept;

/// Iterates over the items of an array; a value that is no array has one item. Strings are
/// separated by NUL; a last one without NUL is complete. Bytes left over by items of fixed size are
/// not returned (has_rest()).
class Items {
public:
    explicit Items(const Value& value) noexcept : value_(value), rest_(value.data) {}

    /// Returns false at the end.
    bool next(Value& item) noexcept;

    bool has_rest() const noexcept { return !rest_.empty(); }

private:
    std::size_t next_size() const noexcept;

    Value value_;
    Bytes rest_;
    bool ended_ = false;
};

/// Returns a number of any integer type, bool, FILETIME, or text ("12", "0xc"). Empty if the value
/// is none, or its data are shorter than its type.
std::optional<std::uint64_t> to_number(const Value& value) noexcept;

/// Returns a GUID, also of its text.
std::optional<Guid> to_guid(const Value& value) noexcept;

/// Returns a FILETIME, also of a SYSTEMTIME or its RFC 3339 text.
std::optional<Filetime> to_time(const Value& value) noexcept;

/// Appends a value as UTF-8 text in the form of Event Viewer's XML: numbers in decimal, `0x` hex of
/// the hex types, times in RFC 3339, GUIDs in braces, binary data as uppercase hex pairs, items of
/// an array separated by ", ". Text is not escaped. Appends nothing for null, and for data of a
/// wrong size.
void append_text(std::string& to, const Value& value);

/// Appends a SID in its string form (`S-1-5-18`). Returns false, appending nothing, if the bytes
/// are none.
bool append_sid(std::string& to, Bytes sid);

/// Returns the size of the SID at the front of `bytes`; 0: there is none.
std::size_t sid_size(Bytes bytes) noexcept;

} // namespace etl::evtx
