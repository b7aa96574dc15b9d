// --pointer-size, for all verbs that decode.
#pragma once

#include "cli/choice.hpp"

namespace cli {

/// `to` becomes 4 or 8.
inline void add_pointer_size(Verb& verb, unsigned& to) {
    add_choice<unsigned>(verb, "--pointer-size", to, {{"4", 4}, {"8", 8}},
                         "force payload pointers to 4 or 8 bytes (default: detect)", "BYTES");
}

} // namespace cli
