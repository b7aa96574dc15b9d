// Replaces what is private in one text, by what the text is. Private to anonymize.
// docs/anonymize.md#texts
#pragma once

#include "anonymize/names/name_index.hpp"
#include "anonymize/names/profile_paths.hpp"
#include "anonymize/names/units.hpp"
#include "anonymize/texts/embedded.hpp"
#include "anonymize/texts/findings.hpp"
#include "anonymize/texts/roles.hpp"

#include <functional>
#include <vector>

namespace etl::anonymize {

// Texts that came lately: most texts of a trace come again and again.

/// Keeps `Value` for the last texts, each with its role. A text takes the place of another one with
/// the same hash. At most a few megabytes. One thread.
template <typename Value>
class RecentTexts {
public:
    /// What is known of the text; null: it did not come lately.
    const Value* find(Text text, Role role) const noexcept {
        if (text.size() > max_size) {
            return nullptr;
        }
        const Kept& kept = kept_[place_of(text, role)];
        return kept.role == role && kept.text == text ? &kept.value : nullptr;
    }

    /// Where what is known of the text goes; null: it is too long to be kept.
    Value* keep(Text text, Role role) {
        if (text.size() > max_size) {
            return nullptr;
        }
        Kept& kept = kept_[place_of(text, role)];
        kept.text.assign(text);
        kept.role = role;
        return &kept.value;
    }

private:
    static constexpr std::size_t places = 2048, max_size = 256;

    struct Kept {
        std::u16string text;
        Role role = Role::nothing; // of no text
        Value value{};
    };

    static std::size_t place_of(Text text, Role role) noexcept {
        return (std::hash<Text>()(text) + static_cast<std::size_t>(role)) % places;
    }

    std::vector<Kept> kept_ = std::vector<Kept>(places);
};

/// One thread; no allocation once its memory is large enough. The others outlive it.
class Rewriter {
public:
    Rewriter(const Pseudonyms& pseudonyms, const NameIndex& names)
        : pseudonyms_(&pseudonyms), names_(&names) {}

    /// In place. Returns the kinds of what changed.
    KindSet rewrite(Units text, Role role);

    /// SIDs, names of profiles, learned names, and secrets with a name or a form of their own.
    KindSet replace_in_names(Units text);

    /// The same, and learned names inside of words: what seems to be a letter next to a name can be
    /// the end of another text or a number.
    KindSet replace_in_bytes(Units text);

private:
    /// What a text becomes.
    struct Rewritten {
        std::u16string text;
        KindSet changed = 0;
    };

    void begin(Units text);
    KindSet rewrite_new(Units text, Role role);
    void rename(Range range, Kind kind);
    void rename_open(Range range, Kind kind);
    void rename_host(Range range);
    void rename_account(Range range);
    void rename_findings(Search search);
    void rename_secret(Range range);
    void rename_digits(Range range, Kind kind);
    void rename_path(Range range, Kind kind);
    void rename_paths_within();
    void rename_command_line();
    void rename_words(Range range, Kind kind);
    void rename_registry_path();
    void rename_url();
    void rename_mail();
    void rename_names();
    void rename_names_within_words();
    void rename_name(Range range, Kind kind);
    std::size_t end_of_path(std::size_t at, bool quoted) const noexcept;
    Text view(Range range) const noexcept;

    const Pseudonyms* pseudonyms_;
    const NameIndex* names_;
    Units text_;
    std::vector<std::uint8_t> done_; // for each unit: it is as it shall be
    std::u16string before_;          // of what is renamed
    std::vector<Finding> found_;
    KeyRoles keys_;
    KindSet changed_ = 0;
    RecentTexts<Rewritten> recent_;
};

/// Tells the users whose profiles bytes that nobody describes name, as units of either size.
void learn_profiles(Text text, Names& names);

/// Tells what names a text teaches, where the role of its field says that it is one.
void learn_names(Text text, Role role, KeyRoles& keys, Names& names);

} // namespace etl::anonymize
