#include "anonymize/names.hpp"

#include "anonymize/limits.hpp"
#include "anonymize/names/units.hpp"
#include "anonymize/names/well_known.hpp"

#include <algorithm>

namespace etl::anonymize {

namespace {

constexpr std::size_t shortest = 3; // shorter ones would be found in every other text
constexpr std::size_t longest = 256;

Text trimmed(Text name) noexcept {
    const auto is_edge = [](char16_t c) { return !is_wordy(c); };
    while (!name.empty() && is_edge(name.front())) {
        name.remove_prefix(1);
    }
    while (!name.empty() && is_edge(name.back())) {
        name.remove_suffix(1);
    }
    return name;
}

bool is_worth(Text name) noexcept {
    return name.size() >= shortest && name.size() <= longest &&
           std::ranges::any_of(name, [](char16_t c) { return is_ascii_letter(c) || c >= 0x80; }) &&
           !is_well_known_account(name) && !is_well_known_host(name) && !is_common_word(name);
}

/// False: it would be one too many.
bool add_to(std::set<std::u16string, std::less<>>& names, Text name) {
    name = trimmed(name);
    if (!is_worth(name)) {
        return true;
    }
    std::u16string lower = folded(name);
    if (names.size() >= limits::private_names && !names.contains(lower)) {
        return false;
    }
    names.insert(std::move(lower));
    return true;
}

} // namespace

void Names::add_user(std::u16string_view name) {
    if (is_shared_profile(name)) {
        return;
    }
    has_omitted_ |= !add_to(users_, name);
    // The person behind alice.smith: windows have the full name in their titles.
    const std::size_t mark = name.find_first_of(u"._");
    const Text first = name.substr(0, std::min(mark, name.size()));
    const Text last = mark == Text::npos ? Text() : name.substr(mark + 1);
    const auto is_name = [](Text part) {
        return part.size() >= shortest && std::ranges::all_of(part, [](char16_t c) {
                   return is_ascii_letter(c) || c >= 0x80;
               });
    };
    if (is_name(first) && is_name(last)) {
        std::u16string full(first);
        full += u' ';
        full += last;
        has_omitted_ |= !add_to(users_, full);
    }
}

void Names::add_computer(std::u16string_view name) {
    has_omitted_ |= !add_to(computers_, name);
}

bool CaseInsensitiveLess::operator()(std::u16string_view a, std::u16string_view b) const noexcept {
    return std::ranges::lexicographical_compare(
        a, b, {}, [](char16_t c) { return folded(c); }, [](char16_t c) { return folded(c); });
}

void Names::add_windows_file(std::u16string_view name) {
    if (!name.empty() && name.size() <= longest && windows_files_.size() < limits::private_names) {
        if (!windows_files_.contains(name)) {
            windows_files_.insert(folded(name));
        }
    }
}

void Names::combine(const Names& other) {
    for (const std::u16string& name : other.users_) {
        has_omitted_ |= !add_to(users_, name);
    }
    for (const std::u16string& name : other.computers_) {
        has_omitted_ |= !add_to(computers_, name);
    }
    has_omitted_ |= other.has_omitted_;
    for (const std::u16string& name : other.windows_files_) {
        add_windows_file(name);
    }
}

} // namespace etl::anonymize
