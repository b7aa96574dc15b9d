// Symbolic names of common error codes. Pure; any thread.
#pragma once

#include <etl/decode/value.hpp>

#include <string_view>

namespace etl::decode {

/// "ERROR_ACCESS_DENIED", "STATUS_OBJECT_NAME_NOT_FOUND", "E_FAIL"; empty: not in the table. An
/// HRESULT that wraps a Win32 error or an NTSTATUS gives that one's name; a failed HRESULT in the
/// place of a Win32 error its own. Table: schemas/error-names.csv.
std::string_view error_name(ErrorSpace space, std::uint32_t code) noexcept;

} // namespace etl::decode
