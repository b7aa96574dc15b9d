// Records of symbols and types in program databases. Private to symbols. docs/format/pdb.md#symbols
#pragma once

#include <etl/bytes.hpp>

#include "base/layout.hpp"

#include <cstdint>

namespace etl::symbols {

/// S_* of Microsoft's cvinfo.h.
enum class SymbolKind : std::uint16_t {
    thunk = 0x1102,
    local_procedure = 0x110F,
    global_procedure = 0x1110,
    public_symbol = 0x110E,
    global_managed_procedure = 0x112A,
    local_managed_procedure = 0x112B,
    trampoline = 0x112C,
    separated_code = 0x1132,
    local_procedure_id = 0x1146,
    global_procedure_id = 0x1147,
    inline_site = 0x114D,
    local_dpc_procedure = 0x1155, // Digital Signal Processors; "DPC" is theirs
    local_dpc_procedure_id = 0x1156,
    inline_site_2 = 0x115D,
};

/// LF_* of Microsoft's cvinfo.h.
enum class TypeKind : std::uint16_t {
    class_type = 0x1504,
    structure = 0x1505,
    union_type = 0x1506,
    enumeration = 0x1507,
    interface_type = 0x1519,
    function_id = 0x1601,
    member_function_id = 0x1602,
    string_id = 0x1605,
};

template <typename Kind>
struct CodeViewRecord {
    Kind kind{};
    Bytes content;        // after the kind
    std::size_t size = 0; // of the record with its size and kind
};

/// Returns the record at `at`; its size is 0 if there is none or it reaches beyond the end.
template <typename Kind>
CodeViewRecord<Kind> record_at(Bytes records, std::size_t at) noexcept {
    if (!has_range(records, at, 4)) {
        return {};
    }
    const std::size_t size = 2UL + load_le<std::uint16_t>(records.data() + at);
    if (size < 4 || !has_range(records, at, size)) {
        return {};
    }
    return {static_cast<Kind>(load_le<std::uint16_t>(records.data() + at + 2)),
            records.subspan(at + 4, size - 4), size};
}

} // namespace etl::symbols
