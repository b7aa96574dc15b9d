// --pointer-size, for all verbs that decode.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace cli {

/// `to` becomes 4 or 8.
inline void add_pointer_size(CLI::App& verb, unsigned& to) {
    verb.add_option_function<std::string>(
            "--pointer-size",
            [&to](const std::string& word) {
                if (word != "4" && word != "8") {
                    throw CLI::ValidationError("--pointer-size",
                                               "expected 4 or 8, found '" + word + "'");
                }
                to = word == "4" ? 4 : 8;
            },
            "force payload pointers to 4 or 8 bytes (default: detect)")
        ->type_name("BYTES");
}

} // namespace cli
