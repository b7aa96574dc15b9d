// Symbolic names of common error codes. Pure; thread-safe.
#pragma once

#include "decode/value.hpp"

#include <string_view>

namespace etl::decode {

/// Returns "ERROR_ACCESS_DENIED", "STATUS_OBJECT_NAME_NOT_FOUND", "E_FAIL", ...; empty if not in
/// the table. For an HRESULT that wraps a Win32 error or an NTSTATUS, returns the name of the
/// wrapped code; for a failed HRESULT stored as a Win32 error, the name of the HRESULT. Table:
/// schemas/error-names.csv.
std::string_view error_name(ErrorSpace space, std::uint32_t code) noexcept;

} // namespace etl::decode
