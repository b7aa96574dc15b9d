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
                                               "'" + word + "' is neither 4 nor 8");
                }
                to = word == "4" ? 4 : 8;
            },
            "size of pointers in all payloads, 4 or 8, whatever their records say (default: as "
            "they "
            "say; for classic events the other one where only that fits)")
        ->type_name("BYTES");
}

} // namespace cli
