#include "anonymize/texts/path_walk.hpp"

#include "anonymize/names/well_known.hpp"

namespace etl::anonymize {

namespace {

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

} // namespace

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

} // namespace etl::anonymize
