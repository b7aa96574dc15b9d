// Texts as a rewriter leaves them. For the tests of this room.
#pragma once

#include "anonymize/texts/rewriter.hpp"

#include <string>

namespace etl::anonymize {

inline Key test_key() {
    return key_of(std::as_bytes(std::span("a key for tests")));
}

/// The names that a trace would have taught.
inline Names names_of(std::initializer_list<std::u16string_view> users,
                      std::initializer_list<std::u16string_view> computers = {}) {
    Names names;
    for (const auto user : users) {
        names.add_user(user);
    }
    for (const auto computer : computers) {
        names.add_computer(computer);
    }
    return names;
}

inline void learn(Text text, Role role, Names& names) {
    KeyRoles keys;
    learn_names(text, role, keys, names);
}

class Rewriting {
public:
    explicit Rewriting(const Names& names = {}, const Key& key = test_key())
        : pseudonyms_(key), names_(names), rewriter_(pseudonyms_, names_) {}

    std::u16string operator()(std::u16string text, Role role = Role::text) {
        changed = rewriter_.rewrite(text, role);
        return text;
    }

    /// The pseudonym of one name.
    std::u16string name(std::u16string text) const {
        pseudonyms_.rename(text);
        return text;
    }

    KindSet changed = 0; // by the last call

private:
    Pseudonyms pseudonyms_;
    NameIndex names_;
    Rewriter rewriter_;
};

} // namespace etl::anonymize
