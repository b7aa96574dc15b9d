#include "anonymize/texts/rewriter.hpp"

#include "anonymize/names.hpp"
#include "anonymize/names/profile_paths.hpp"
#include "anonymize/names/well_known.hpp"

#include <algorithm>
#include <optional>

namespace etl::anonymize {

namespace {

/// The components of paths that are to go. docs/anonymize.md#paths
struct PathPart {
    enum Meaning : std::uint8_t { user, server, other };

    Range where;
    Meaning meaning = other;
};

using WindowsFiles = std::set<std::u16string, CaseInsensitiveLess>;

/// Steps through a text that is a path, or several with something between them.
class PathWalk {
public:
    /// The names outlive it.
    PathWalk(Text text, const WindowsFiles& windows_files) noexcept
        : text_(text), windows_files_(&windows_files) {}

    std::optional<PathPart> next() noexcept;

private:
    enum class Place : std::uint8_t {
        front,    // before the first folder
        server,   // behind the two slashes of \\server
        profiles, // below \Users
        windows,  // below \Windows
        inside,
    };

    Range component() noexcept;
    void pass_separators() noexcept;
    std::optional<PathPart> part_of(Range component) noexcept;
    bool is_prefix(Range component) noexcept;
    bool is_of_windows(Text name) const noexcept;
    PathPart named(Range component) const noexcept;
    Text view(Range range) const noexcept;

    Text text_;
    const WindowsFiles* windows_files_;
    std::size_t at_ = 0;
    Place place_ = Place::front;
};

// Begins another path. A colon ends a drive, a scheme, the name of a file before a stream.
bool separates_paths(char16_t c) noexcept {
    return ends_path(c) && c != u'?' && c != u'*' && c != u'\'';
}

bool ends_component(char16_t c) noexcept {
    return is_slash(c) || c == u':' || separates_paths(c);
}

bool is_folder_of_windows(Text name) noexcept {
    return equals_folded(name, u"windows") || equals_folded(name, u"winnt") ||
           equals_folded(name, u"systemroot") || equals_folded(name, u"%systemroot%") ||
           equals_folded(name, u"%windir%");
}

Text PathWalk::view(Range range) const noexcept {
    return text_.substr(range.begin, range.end - range.begin);
}

std::optional<PathPart> PathWalk::next() noexcept {
    while (at_ < text_.size()) {
        pass_separators();
        const Range here = component();
        if (here.empty()) {
            continue;
        }
        at_ = here.end;
        if (const auto part = part_of(here)) {
            return part;
        }
    }
    return {};
}

void PathWalk::pass_separators() noexcept {
    std::size_t slashes = 0;
    while (at_ < text_.size() && ends_component(text_[at_])) {
        const char16_t c = text_[at_];
        slashes = is_slash(c) ? slashes + 1 : 0;
        if (separates_paths(c)) {
            place_ = Place::front;
        }
        if (slashes == 2 && place_ == Place::front &&
            (at_ == 1 || separates_paths(text_[at_ - 2]))) {
            place_ = Place::server;
        }
        ++at_;
    }
}

Range PathWalk::component() noexcept {
    std::size_t end = at_;
    while (end < text_.size() && !ends_component(text_[end])) {
        ++end;
    }
    return {at_, end};
}

std::optional<PathPart> PathWalk::part_of(Range component) noexcept {
    const Place place = place_;
    if (place == Place::windows) {
        return {};
    }
    if (place == Place::front || place == Place::server) {
        if (is_prefix(component)) {
            return {};
        }
        place_ = Place::inside;
        if (place == Place::server) {
            return PathPart{component, PathPart::server};
        }
    }
    const Text name = view(component);
    if (place == Place::profiles) {
        place_ = Place::inside;
        return is_shared_profile(name) ? std::nullopt
                                       : std::optional(PathPart{component, PathPart::user});
    }
    const bool has_profiles = place == Place::front && component.end < text_.size() &&
                              (equals_folded(name, u"users") || equals_folded(name, u"home") ||
                               equals_folded(name, u"documents and settings"));
    if (has_profiles) {
        place_ = Place::profiles;
        return {};
    }
    const PathPart part = named(component);
    return part.where.empty() ? std::nullopt : std::optional(part);
}

// What stands before the first folder; also \Windows, below which all stays.
bool PathWalk::is_prefix(Range component) noexcept {
    const Text name = view(component);
    const bool is_drive = name.size() == 1 && is_ascii_letter(name[0]) &&
                          component.end < text_.size() && text_[component.end] == u':';
    const bool is_scheme = component.end + 2 < text_.size() && text_[component.end] == u':' &&
                           is_slash(text_[component.end + 1]) && is_slash(text_[component.end + 2]);
    if (name == u"?" || name == u"." || is_drive || is_scheme) {
        place_ = Place::front;
        return true;
    }
    if (is_folder_of_windows(name) && place_ == Place::front) {
        place_ = Place::windows;
        return true;
    }
    if (is_device_prefix(name)) {
        const bool leads_away = equals_folded(name, u"mup") || equals_folded(name, u"unc");
        place_ = leads_away ? Place::server : Place::front;
        return true;
    }
    return false;
}

// The symbols of 32-bit libraries have a w in front.
bool PathWalk::is_of_windows(Text name) const noexcept {
    const Text stem = name.substr(0, extension_of(name));
    return is_well_known_file(name) || windows_files_->contains(stem) ||
           (stem.size() > 1 && folded(stem.front()) == u'w' &&
            equals_folded(name.substr(stem.size()), u".pdb") &&
            windows_files_->contains(stem.substr(1)));
}

// Its extension stays, where nothing but it follows.
PathPart PathWalk::named(Range component) const noexcept {
    const Text name = view(component);
    if (is_well_known_folder(name)) {
        return {{component.begin, component.begin}, PathPart::other};
    }
    const bool is_last = component.end == text_.size() || !is_slash(text_[component.end]);
    const bool is_after_quote =
        component.begin > 0 && !is_slash(text_[component.begin - 1]); // cup "blue".exe
    if (is_last && (is_of_windows(name) || (is_after_quote && is_extension(name)))) {
        return {{component.begin, component.begin}, PathPart::other};
    }
    return {{component.begin, component.begin + (is_last ? extension_of(name) : name.size())},
            PathPart::other};
}

// All of the text is one value.
constexpr bool is_value(Role role) noexcept {
    return role == Role::user || role == Role::computer || role == Role::path ||
           role == Role::url || role == Role::command_line || role == Role::registry ||
           role == Role::secret || role == Role::phone || role == Role::account_number ||
           role == Role::title;
}

} // namespace

KindSet Rewriter::rewrite(Units text, Role role) {
    const Text before(text.data(), text.size());
    if (const Rewritten* known = recent_.find(before, role)) {
        std::ranges::copy(known->text, text.begin());
        return known->changed;
    }
    Rewritten* const kept = recent_.keep(before, role);
    const KindSet changed = rewrite_new(text, role);
    if (kept != nullptr) {
        kept->text.assign(text.data(), text.size());
        kept->changed = changed;
    }
    return changed;
}

KindSet Rewriter::rewrite_new(Units text, Role role) {
    begin(text);
    const Text all_of_it = view({0, text.size()});
    if (role == Role::secret ? says_nothing(all_of_it)
                             : is_value(role) && is_placeholder(all_of_it)) {
        return 0;
    }
    changed_ = replace_embedded(text, done_, *pseudonyms_,
                                role == Role::version ? Dotted::version : Dotted::address);
    rename_findings(Search::text);
    const Range all{0, text.size()};
    switch (role) {
    case Role::user:
        rename_account(all);
        break;
    case Role::computer:
        rename_host(all);
        break;
    case Role::command_line:
        rename_command_line();
        break;
    case Role::script:
        rename_words(all, Kind::command_line);
        break;
    case Role::path:
        rename_path(all, Kind::path);
        break;
    case Role::registry:
        rename_registry_path();
        break;
    case Role::url:
        rename_url();
        break;
    case Role::secret:
        rename_secret(all);
        break;
    case Role::phone:
        rename_digits(all, Kind::phone_number);
        break;
    case Role::account_number:
        rename(all, Kind::account_number);
        break;
    case Role::title:
        rename_words(all, Kind::window_title);
        break;
    case Role::text:
    case Role::version:
        rename_paths_within();
        break;
    case Role::nothing:
    case Role::sid:
    case Role::ipv4:
    case Role::ipv6:
    case Role::socket_address:
    case Role::mac:
    case Role::mac_in_number:
    case Role::secret_number:
    case Role::address:
    case Role::binary:
        break;
    }
    rename_mail();
    rename_names();
    return changed_;
}

KindSet Rewriter::replace_in_bytes(Units text) {
    replace_in_names(text);
    rename_names_within_words();
    return changed_;
}

KindSet Rewriter::replace_in_names(Units text) {
    begin(text);
    changed_ = replace_sids(text, done_, *pseudonyms_);
    rename_findings(Search::bytes);
    for (std::size_t i = 0; i < text_.size(); ++i) {
        if (!is_slash(text_[i])) {
            continue;
        }
        const Range profile = profile_after(view({0, text_.size()}), i);
        const bool is_path = !profile.empty() && profile.end < text_.size() &&
                             is_slash(text_[profile.end]); // not by chance
        if (is_path && !is_shared_profile(view(profile))) {
            rename(profile, Kind::user);
        }
    }
    rename_names();
    return changed_;
}

void Rewriter::begin(Units text) {
    text_ = text;
    done_.assign(text.size(), 0);
    changed_ = 0;
}

Text Rewriter::view(Range range) const noexcept {
    return Text(text_.data() + range.begin, range.end - range.begin);
}

// What stands between the letters and digits at its ends; in pieces where some of it is done.
void Rewriter::rename(Range range, Kind kind) {
    while (range.begin < range.end) {
        while (range.begin < range.end && done_[range.begin] != 0) {
            ++range.begin;
        }
        std::size_t end = range.begin;
        while (end < range.end && done_[end] == 0) {
            ++end;
        }
        rename_open({range.begin, end}, kind);
        range.begin = end;
    }
}

void Rewriter::rename_open(Range range, Kind kind) {
    while (range.begin < range.end && !is_wordy(text_[range.begin])) {
        ++range.begin;
    }
    while (range.begin < range.end && !is_wordy(text_[range.end - 1])) {
        --range.end;
    }
    before_.assign(view(range));
    pseudonyms_->rename(text_.subspan(range.begin, range.end - range.begin));
    if (view(range) != before_) {
        changed_ |= only(kind);
    }
    std::fill(done_.begin() + static_cast<std::ptrdiff_t>(range.begin),
              done_.begin() + static_cast<std::ptrdiff_t>(range.end), std::uint8_t{1});
}

// Each label by itself, so that a short name and a full one have the first in common.
void Rewriter::rename_host(Range range) {
    const auto in_label = [](char16_t c) { return is_wordy(c) || c == u'-' || c == u'_'; };
    if (is_well_known_account(view(range)) || is_well_known_host(view(range))) {
        return;
    }
    while (range.begin < range.end) {
        std::size_t end = range.begin;
        while (end < range.end && in_label(text_[end])) {
            ++end;
        }
        if (!is_well_known_host(view({range.begin, end}))) {
            rename({range.begin, end}, Kind::computer);
        }
        range.begin = end + 1;
    }
}

// DOMAIN\name, name@domain, name.
void Rewriter::rename_account(Range range) {
    const Text text = view(range);
    const std::size_t slash = text.find_first_of(u"\\/");
    const std::size_t at = text.find(u'@');
    Range user = range;
    if (slash != Text::npos) {
        rename_host({range.begin, range.begin + slash});
        user.begin = range.begin + slash + 1;
    } else if (at != Text::npos) {
        rename_host({range.begin + at + 1, range.end});
        user.end = range.begin + at;
    }
    if (!is_well_known_account(view(user))) {
        rename(user, Kind::user);
    }
}

void Rewriter::rename_findings(Search search) {
    find_private(view({0, text_.size()}), search, keys_, found_);
    for (const Finding& found : found_) {
        const auto is_number = [](char16_t c) { return !is_ascii_letter(c); };
        if (found.role == Role::user) {
            rename_account(found.where);
        } else if (found.role == Role::computer) {
            rename_host(found.where);
        } else if (found.role == Role::phone) {
            rename_digits(found.where, Kind::phone_number);
        } else if (found.role == Role::secret) {
            rename_secret(found.where);
        } else if (std::ranges::all_of(view(found.where), is_number)) {
            rename_digits(found.where, Kind::account_number); // of a card
        } else {
            rename(found.where, Kind::account_number);
        }
    }
}

// Signs as well: a password can consist of them. Those that structure a value stay.
void Rewriter::rename_secret(Range range) {
    if (std::ranges::all_of(view(range), is_digit)) { // it may be a number in JSON
        rename_digits(range, Kind::secret);
        return;
    }
    constexpr Text signs = u"!#$%*+@^|~`";
    for (std::size_t i = range.begin; i < range.end; ++i) {
        if (done_[i] == 0 && signs.find(text_[i]) != Text::npos) {
            text_[i] = u'x';
            changed_ |= only(Kind::secret);
        }
    }
    rename(range, Kind::secret);
}

void Rewriter::rename_digits(Range range, Kind kind) {
    const auto is_done = [&](std::size_t i) { return done_[i] != 0; };
    for (std::size_t i = range.begin; i < range.end; ++i) {
        if (is_done(i)) {
            return; // an address
        }
    }
    before_.assign(view(range));
    pseudonyms_->redial(text_.subspan(range.begin, range.end - range.begin));
    changed_ |= view(range) != before_ ? only(kind) : KindSet{0};
    std::fill(done_.begin() + static_cast<std::ptrdiff_t>(range.begin),
              done_.begin() + static_cast<std::ptrdiff_t>(range.end), std::uint8_t{1});
}

void Rewriter::rename_path(Range range, Kind kind) {
    PathWalk walk(view(range), names_->windows_files());
    while (const auto part = walk.next()) {
        const Range at{range.begin + part->where.begin, range.begin + part->where.end};
        switch (part->meaning) {
        case PathPart::user:
            rename(at, Kind::user);
            break;
        case PathPart::server:
            rename_host(at);
            break;
        case PathPart::other:
            rename(at, kind);
            break;
        }
    }
}

// Behind a profile all goes up to where the path ends.
void Rewriter::rename_paths_within() {
    for (std::size_t i = 0; i < text_.size(); ++i) {
        if (!is_slash(text_[i])) {
            continue;
        }
        const Text text = view({0, text_.size()});
        if (const Range server = server_after(text, i); !server.empty()) {
            rename_host(server);
            i = server.end - 1;
            continue;
        }
        const Range profile = profile_after(text, i);
        if (profile.empty()) {
            continue;
        }
        if (!is_shared_profile(view(profile))) {
            rename(profile, Kind::user);
        }
        const Text before = text.substr(0, i);
        const std::size_t quote = before.find_last_of(u"\"'<>|;,\r\n\t=");
        const bool quoted =
            quote != Text::npos && (before[quote] == u'"' || before[quote] == u'\'');
        const bool goes_on = profile.end < text.size() && is_slash(text[profile.end]);
        const std::size_t end = goes_on ? end_of_path(profile.end, quoted) : profile.end;
        rename_path({profile.end, end}, Kind::path);
        i = std::max(i, end - 1);
    }
}

// A blank ends a path that has no quotes around it, unless one of the next words goes on with it.
std::size_t Rewriter::end_of_path(std::size_t at, bool quoted) const noexcept {
    constexpr int words_of_a_name = 4;
    std::size_t end = at;
    int words = 0;
    for (std::size_t i = at; i <= text_.size(); ++i) {
        const bool is_over = i == text_.size() || ends_path(text_[i]);
        if (!is_over && !is_slash(text_[i]) && !is_blank(text_[i])) {
            continue;
        }
        const Text word = view({end, i});
        const Text name = word.substr(std::min(word.size(), word.find_last_of(u"\\/ ") + 1));
        const bool belongs = words == 0 || quoted || (!is_over && is_slash(text_[i])) ||
                             extension_of(name) < name.size();
        if (belongs) {
            end = i;
            words = 0;
        }
        if (is_over || ++words > words_of_a_name) {
            break;
        }
        words = is_slash(text_[i]) ? 0 : words;
    }
    return end;
}

// The program, then its arguments: each by itself, as if it were a path.
void Rewriter::rename_command_line() {
    std::size_t at = 0;
    while (at < text_.size()) {
        if (is_blank(text_[at])) {
            ++at;
            continue;
        }
        const char16_t quote = text_[at] == u'"' || text_[at] == u'\'' ? text_[at] : u'\0';
        std::size_t end = quote != 0 ? ++at : at;
        while (end < text_.size() &&
               !(quote != 0 ? text_[end] == quote : is_blank(text_[end]) || text_[end] == u'"')) {
            ++end;
        }
        rename_path({at, end}, Kind::command_line);
        at = quote != 0 ? end + 1 : std::max(end, at + 1);
    }
}

// Word by word, so that what stands elsewhere too can be recognised. Nothing of it stays.
void Rewriter::rename_words(Range range, Kind kind) {
    for (std::size_t at = range.begin; at < range.end;) {
        std::size_t end = at;
        while (end < range.end && is_wordy(text_[end])) {
            ++end;
        }
        rename({at, end}, kind);
        at = end + 1;
    }
}

// Keys that every Windows has stay, and GUIDs.
void Rewriter::rename_registry_path() {
    const auto ends_key = [](char16_t c) { return c == u'\\' || c == u'/' || c == u';'; };
    std::size_t at = 0;
    while (at < text_.size()) {
        std::size_t end = at;
        while (end < text_.size() && !ends_key(text_[end])) {
            ++end;
        }
        const Text key = view({at, end});
        const bool is_guid = key.size() == 38 && key.front() == u'{' && key.back() == u'}';
        if (!is_guid && !is_well_known_key(key)) {
            rename({at, end}, Kind::path);
        }
        at = end + 1;
    }
}

void Rewriter::rename_url() {
    const Text text = view({0, text_.size()});
    const std::size_t scheme = text.find(u"://");
    std::size_t at = 0;
    if (scheme != Text::npos) {
        at = scheme + 3;
        const std::size_t end = std::min(text.find_first_of(u"/?#", at), text.size());
        const std::size_t sign = text.substr(0, end).rfind(u'@');
        at = sign != Text::npos && sign >= at ? sign + 1 : at; // user:password@
        const std::size_t port = text.substr(0, end).find(u':', at);
        rename_host({at, std::min(port, end)});
        at = end;
    }
    rename_path({at, text_.size()}, Kind::path);
}

// somebody@contoso.com: the end of the host is a label of letters, behind a dot.
void Rewriter::rename_mail() {
    const Text text = view({0, text_.size()});
    for (std::size_t at = text.find(u'@'); at != Text::npos; at = text.find(u'@', at + 1)) {
        const Range mail = mail_around(text, at);
        if (!mail.empty()) {
            if (!is_well_known_account(view({mail.begin, at}))) {
                rename({mail.begin, at}, Kind::user);
            }
            rename_host({at + 1, mail.end});
        }
    }
}

void Rewriter::rename_names() {
    if (names_->empty()) {
        return;
    }
    for (std::size_t i = 0; i < text_.size(); ++i) {
        if (!is_wordy(text_[i]) || (i > 0 && is_wordy(text_[i - 1])) || done_[i] != 0) {
            continue;
        }
        const NameIndex::Found name = names_->at(view({0, text_.size()}), i);
        if (name.size > 0) {
            rename_name({i, i + name.size}, name.kind);
            i += name.size - 1;
        }
    }
}

void Rewriter::rename_names_within_words() {
    for (std::size_t i = 0; i < text_.size() && !names_->empty(); ++i) {
        if (done_[i] != 0 || !is_wordy(text_[i])) {
            continue;
        }
        const NameIndex::Found name = names_->within_word(view({0, text_.size()}), i);
        if (name.size > 0) {
            rename_name({i, i + name.size}, name.kind);
            i += name.size - 1;
        }
    }
}

void Rewriter::rename_name(Range range, Kind kind) {
    kind == Kind::computer ? rename_host(range) : rename(range, Kind::user);
}

} // namespace etl::anonymize
