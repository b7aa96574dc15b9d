#include "anonymize/texts/key_roles.hpp"

#include "anonymize/names/key_text.hpp"
#include "anonymize/names/secret_names.hpp"

#include <functional>

namespace etl::anonymize {

namespace {

ValueRole look_up(Text name, bool is_named, Search search) noexcept {
    const KeyText letters(name);
    const NameWords words(letters.view());
    if (words.count() == 0) {
        return {};
    }
    if (is_secret_key(words)) {
        return {Role::secret, is_secret_code(words)};
    }
    if (search == Search::bytes) {
        return {};
    }
    if (is_phone_name(words)) {
        return {Role::phone};
    }
    if (!is_named) {
        return {};
    }
    if (words.letters() == "server" || words.letters() == "datasource") {
        return {Role::computer};
    }
    const Role role = role_of_text(letters.view(), Role::nothing);
    return role == Role::user || role == Role::computer ? ValueRole{role} : ValueRole{};
}

} // namespace

ValueRole KeyRoles::of(Text name, bool is_named, Search search) {
    Kept& kept = kept_[std::hash<Text>()(name) % places];
    if (kept.name != name || kept.is_named != is_named || kept.search != search) {
        kept.name.assign(name);
        kept.is_named = is_named;
        kept.search = search;
        kept.key = look_up(name, is_named, search);
    }
    return kept.key;
}

} // namespace etl::anonymize
