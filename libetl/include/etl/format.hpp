// Formatters that let fmt::format and fmt::print accept times and GUIDs. Includes {fmt}.
#pragma once

#include <etl/guid.hpp>
#include <etl/time.hpp>

#include <fmt/format.h>

#include <string>
#include <string_view>

/// RFC 3339: `2021-09-09T12:59:35.8001567Z`. Accepts width and alignment.
template <>
struct fmt::formatter<etl::Filetime> : fmt::formatter<std::string_view> {
    template <typename Context>
    auto format(etl::Filetime time, Context& context) const {
        std::string text;
        etl::append_rfc3339(text, time);
        return fmt::formatter<std::string_view>::format(text, context);
    }
};

/// 36 characters, lowercase, no braces.
template <>
struct fmt::formatter<etl::Guid> : fmt::formatter<std::string_view> {
    template <typename Context>
    auto format(const etl::Guid& guid, Context& context) const {
        return fmt::formatter<std::string_view>::format(etl::to_string(guid), context);
    }
};
