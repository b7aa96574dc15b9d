// Errors in input lines.
#pragma once

#include "encode/payload.hpp"

#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace etl::fromjson {

struct LineError {
    std::string field; // key or path of a value: `data.Rows[3].Name`; empty: the line itself
    std::string what;
};

template <typename T>
using LineResult = std::expected<T, LineError>;

inline std::unexpected<LineError> line_error(std::string field, std::string what) {
    return std::unexpected(LineError{std::move(field), std::move(what)});
}

inline std::unexpected<LineError> line_error(std::string_view key,
                                             const etl::encode::Mismatch& mismatch) {
    const std::string path(key);
    return line_error(mismatch.field.empty() ? path : path + "." + mismatch.field, mismatch.what);
}

} // namespace etl::fromjson
