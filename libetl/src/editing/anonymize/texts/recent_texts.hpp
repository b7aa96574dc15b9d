// Texts that came lately: most texts of a trace come again and again. Private to anonymize.
#pragma once

#include "anonymize/names/units.hpp"
#include "anonymize/texts/roles.hpp"

#include <functional>
#include <vector>

namespace etl::anonymize {

/// Keeps `Value` for the last texts, each with its role. A text takes the place of another one with
/// the same hash. At most a few megabytes. One thread.
template <typename Value>
class RecentTexts {
public:
    /// What is known of the text; null: it did not come lately.
    const Value* find(Text text, Role role) const noexcept {
        if (text.size() > longest) {
            return nullptr;
        }
        const Kept& kept = kept_[place_of(text, role)];
        return kept.role == role && kept.text == text ? &kept.value : nullptr;
    }

    /// Where what is known of the text goes; null: it is too long to be kept.
    Value* keep(Text text, Role role) {
        if (text.size() > longest) {
            return nullptr;
        }
        Kept& kept = kept_[place_of(text, role)];
        kept.text.assign(text);
        kept.role = role;
        return &kept.value;
    }

private:
    static constexpr std::size_t places = 2048, longest = 256;

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

} // namespace etl::anonymize
