// -o and --force of verbs that write a file of text.
#pragma once

#include "cli/plural.hpp"
#include "cli/verb.hpp"

#include <string>
#include <vector>

namespace cli {

inline void add_force(Verb& verb, bool& force) {
    verb.add_flag("--force", force,
                  "replace an existing file, never an input, atomically on completion");
}

/// For tables and events: the extension of the file, one of `endings`, sets the format.
inline void add_text_output(Verb& verb, std::string& output, bool& force,
                            const std::vector<std::string>& endings) {
    verb.add_option("-o,--output", output,
                    "write to FILE, which appears when complete; " + list_of(endings, "or") +
                        " sets the format (default: standard output)")
        ->type_name("FILE");
    add_force(verb, force);
}

} // namespace cli
