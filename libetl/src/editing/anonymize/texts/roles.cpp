#include "anonymize/texts/roles.hpp"

#include "anonymize/names/secret_names.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>

namespace etl::anonymize {

namespace {

struct Pattern {
    std::string_view name; // a glob
    Role role;
};

// Of a name without `_`, `-`, and blanks; the first that matches decides.
constexpr auto texts = std::to_array<Pattern>({
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
constexpr std::size_t longest_name = 128;

} // namespace

Role role_of_text(std::string_view name, Role otherwise) noexcept {
    const NameWords words(name);
    if (is_secret_name(words)) {
        return Role::secret;
    }
    if (is_phone_name(words)) {
        return Role::phone;
    }
    std::array<char, longest_name> letters{};
    std::size_t size = 0;
    for (const char c : name.substr(0, longest_name)) {
        if (c != '_' && c != '-' && c != ' ') {
            letters[size++] = c;
        }
    }
    const std::string_view plain(letters.data(), size);
    const auto found = std::ranges::find_if(
        texts, [&](const Pattern& pattern) { return matches_glob(pattern.name, plain); });
    return found == texts.end() ? otherwise : found->role;
}

} // namespace etl::anonymize
