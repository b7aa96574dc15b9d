#include "anonymize/texts/roles.hpp"

#include "anonymize/names/secret_names.hpp"
#include "anonymize/names/units.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <functional>

namespace etl::anonymize {

namespace {

struct NamePattern {
    std::string_view name; // a glob
    Role role;
};

// Of a name without `_`, `-`, and blanks; the first that matches decides.
constexpr auto texts = std::to_array<NamePattern>({
    {"*version*", Role::version},
    {"*appdomain*", Role::text},
    {"*scriptblocktext*", Role::script},
    {"*scripttext*", Role::script},
    {"script", Role::script},
    {"content", Role::script}, // that a scanner of scripts was given
    {"*scriptcontent*", Role::script},
    {"*registry*", Role::registry},
    {"*regkey*", Role::registry},
    {"*keypath*", Role::registry},
    {"keyname", Role::registry},
    {"subkey*", Role::registry},
    {"relativename", Role::registry},
    {"basename", Role::registry},
    {"valuename", Role::registry},
    {"*commandline*", Role::command_line},
    {"command", Role::command_line},
    {"*cmdline*", Role::command_line},
    {"arguments", Role::command_line},
    {"args", Role::command_line},
    {"*windowtitle*", Role::title},
    {"*windowtext*", Role::title},
    {"*windowcaption*", Role::title},
    {"windowname", Role::title},
    {"*wndtitle*", Role::title},
    {"*formtitle*", Role::title},
    {"*tabtitle*", Role::title},
    {"*pagetitle*", Role::title},
    {"*documenttitle*", Role::title},
    {"caption", Role::title},
    {"title", Role::title},
    {"*username*", Role::user},
    {"*user", Role::user},
    {"*users", Role::user},
    {"fullname", Role::user},
    {"userfullname", Role::user},
    {"*firstname*", Role::user},
    {"*lastname*", Role::user},
    {"*middlename*", Role::user},
    {"*givenname*", Role::user},
    {"*familyname*", Role::user},
    {"*surname*", Role::user},
    {"*nickname*", Role::user},
    {"*vorname*", Role::user},
    {"*nachname*", Role::user},
    {"displayname", Role::user},
    {"*accountname*", Role::user},
    {"account", Role::user},
    {"*logonname*", Role::user},
    {"*loginname*", Role::user},
    {"login", Role::user},
    {"userid", Role::user},
    {"uid", Role::user},
    {"owner", Role::user},
    {"*userprincipal*", Role::user},
    {"upn", Role::user},
    {"*samaccount*", Role::user},
    {"*emailaddress*", Role::user},
    {"email", Role::user},
    {"*computername*", Role::computer},
    {"*machinename*", Role::computer},
    {"*hostname*", Role::computer},
    {"*servername*", Role::computer},
    {"*domainname*", Role::computer},
    {"*userdomain*", Role::computer},
    {"userdnsdomain", Role::computer},
    {"*workstation*", Role::computer},
    {"*netbios*", Role::computer},
    {"*dnssuffix*", Role::computer},
    {"*queryname*", Role::computer},
    {"*fqdn*", Role::computer},
    {"clientname", Role::computer},
    {"pcname", Role::computer},
    {"ssid", Role::computer},
    {"profilename", Role::computer}, // of a wireless network
    {"connectionname", Role::computer},
    {"workgroup", Role::computer},
    {"computer", Role::computer},
    {"machine", Role::computer},
    {"*host", Role::computer},
    {"domain", Role::computer},
    {"*url", Role::url},
    {"*uri", Role::url},
    {"*filename*", Role::path},
    {"*path*", Role::path},
    {"*imagename*", Role::path},
    {"*imagefile*", Role::path},
    {"*directory*", Role::path},
    {"*folder*", Role::path},
    {"*dllname*", Role::path},
    {"*dlldir*", Role::path},
    {"*dllloaddir*", Role::path},
    {"*appdir*", Role::path},
    {"*pdbname*", Role::path},
    {"*pdbfile*", Role::path},
    {"*logfile*", Role::path},
    {"*executable*", Role::path},
    {"file", Role::path},
    {"*filespec*", Role::path},
    {"*vhdfile*", Role::path},
    {"module", Role::path},
    {"*modulename*", Role::path},
    {"library", Role::path},
    {"contentname", Role::path}, // what a script was read from
    {"application", Role::path},
    {"applicationname", Role::path},
    {"*processname*", Role::path},
    {"*objectname*", Role::path},
    {"*sharename*", Role::path},
    {"*mountpoint*", Role::path},
    {"*symlink*", Role::path},
    {"cwd", Role::path},
});

// Names that are longer say nothing about what they hold.
constexpr std::size_t max_key_name = 128;

} // namespace

Role role_of_text(std::string_view name, Role otherwise) noexcept {
    const NameWords words(name);
    if (is_secret_name(words)) {
        return Role::secret;
    }
    if (is_phone_name(words)) {
        return Role::phone;
    }
    std::array<char, max_key_name> letters{};
    std::size_t size = 0;
    for (const char c : name.substr(0, max_key_name)) {
        if (c != '_' && c != '-' && c != ' ') {
            letters[size++] = c;
        }
    }
    const std::string_view plain(letters.data(), size);
    const auto found = std::ranges::find_if(
        texts, [&](const NamePattern& pattern) { return matches_glob(pattern.name, plain); });
    return found == texts.end() ? otherwise : found->role;
}

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
