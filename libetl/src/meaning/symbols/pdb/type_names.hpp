// Names of functions by their item in the type streams. Private to symbols.
// docs/format/pdb.md#types
#pragma once

#include "symbols/pdb/records.hpp"
#include "symbols/stream_file.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace etl::symbols {

/// Records of one of the two streams by index.
class TypeRecords {
public:
    TypeRecords() = default;
    TypeRecords(const StreamFile& file, std::size_t stream);

    /// Returns the record: a view of the file or of `scratch`. Empty if there is none.
    CodeViewRecord<TypeKind> at(std::uint32_t index, std::vector<std::byte>& scratch) const;

private:
    struct Entry {
        std::uint32_t index = 0;
        std::uint32_t offset = 0; // from the first record
    };

    void read_entries(Bytes header);
    void make_entries();

    const StreamFile* file_ = nullptr;
    std::size_t stream_ = 0;
    std::uint32_t begin_ = 0;    // offset of the first record in the stream
    std::uint32_t first_ = 0;    // index of the first record
    std::uint32_t end_ = 0;      // index after the last
    std::vector<Entry> entries_; // sorted; of some records
};

class TypeNames {
public:
    TypeNames() = default;
    explicit TypeNames(const StreamFile& file);

    /// Appends the name of a function item (LF_FUNC_ID, LF_MFUNC_ID) with its scopes. Returns false
    /// if there is none.
    bool append_function(std::uint32_t item, std::string& to) const;

private:
    bool append_type(std::uint32_t type, std::string& to) const;

    TypeRecords types_;
    TypeRecords items_;
};

} // namespace etl::symbols
