// Secrets, persons, and numbers of phones, cards, and bank accounts within a text: by the name of a
// value (`password=`, `"apiKey":`, `<Token>`, `--secret `), and by the form of the value (tokens
// with known beginnings, private keys, check digits). Private to anonymize.
// docs/anonymize.md#secrets
#pragma once

#include "anonymize/names/profile_paths.hpp"
#include "anonymize/texts/roles.hpp"

#include <vector>

namespace etl::anonymize {

/// A part of a text and what it is: secret, user, computer, phone, or account_number.
struct Finding {
    Range where;
    Role role = Role::nothing;
};

/// Replaces the content of `found`. Takes time in proportion to the text. Findings can overlap.
void find_private(Text text, Search search, KeyRoles& keys, std::vector<Finding>& found);

} // namespace etl::anonymize
