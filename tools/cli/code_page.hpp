// --ansi-codepage, for all verbs that show 8-bit text.
#pragma once

#include "base/code_page.hpp"
#include "cli/console.hpp"
#include "cli/verb.hpp"

#include <memory>
#include <string>

namespace cli {

/// `to` must outlive `verb`.
inline void add_code_page(Verb& verb, std::shared_ptr<const etl::CodePage>& to) {
    constexpr const char* name = "--ansi-codepage";
    verb.add_option_function<std::string>(
            name,
            [&to](const std::string& page) {
                auto opened = etl::CodePage::open(page);
                if (!opened) {
                    throw UsageError(name, "unsupported code page '" + printable(page) + "'");
                }
                to = std::move(*opened);
            },
            "code page of 8-bit text, by number or name: 1251, cp932, utf-8 (default: UTF-8 if "
            "valid, else 1252)")
        ->type_name("PAGE");
}

} // namespace cli
