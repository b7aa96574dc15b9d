#include "anonymize/names/secret_names.hpp"

#include "anonymize/names/secret_words.hpp"
#include "base/text.hpp"

#include <algorithm>

namespace etl::anonymize {

namespace {

constexpr bool is_upper(char c) noexcept {
    return c >= 'A' && c <= 'Z';
}

constexpr bool is_lower(char c) noexcept {
    return c >= 'a' && c <= 'z';
}

template <typename List>
bool contains(const List& list, std::string_view word) noexcept {
    return std::ranges::find(list, word) != std::ranges::end(list);
}

std::string_view singular(std::string_view word) noexcept {
    return word.size() > 1 && word.ends_with('s') ? word.substr(0, word.size() - 1) : word;
}

bool is_about_secrets(const NameWords& name, std::size_t words) noexcept {
    return words < name.count() &&
           contains(words::words_about_secrets, name.between(name.count() - 1, name.count()));
}

// Where a name has the words of `secret`: the number of words up to their end; 0: nowhere.
std::size_t end_of(const words::SecretName& secret, const NameWords& name) noexcept {
    if (!name.letters().contains(secret.words)) {
        return 0;
    }
    if (secret.place == words::alone) {
        return name.letters() == secret.words ? name.count() : 0;
    }
    for (std::size_t first = 0; first < name.count(); ++first) {
        for (std::size_t last = first + 1; last <= name.count(); ++last) {
            const std::string_view words = name.between(first, last);
            if (words == secret.words || singular(words) == secret.words) {
                return last;
            }
            if (words.size() > secret.words.size() + 1) {
                break;
            }
        }
        const std::string_view word = name.between(first, first + 1);
        const bool ends = secret.place != words::SecretName::Place::word &&
                          singular(word).ends_with(secret.words);
        const bool starts = secret.place == words::at_both && word.starts_with(secret.words);
        if (ends || starts) {
            return first + 1;
        }
    }
    return 0;
}

// Of a word without case, what follows the secret can be about it: passwordlength.
bool is_about_secrets_in_lowercase(const NameWords& name) noexcept {
    return name.count() == 1 && std::ranges::any_of(words::words_about_secrets, [&](auto word) {
               return word.size() > 3 && name.letters().ends_with(word);
           });
}

template <typename List>
bool has_one_of(const List& list, const NameWords& name) noexcept {
    return std::ranges::any_of(list, [&](const words::SecretName& secret) {
        const std::size_t end = end_of(secret, name);
        return end != 0 && !is_about_secrets(name, end) && !is_about_secrets_in_lowercase(name);
    });
}

} // namespace

NameWords::NameWords(std::string_view name) noexcept {
    name = name.substr(name.size() - std::min(name.size(), max_letters));
    const auto end_word = [&] {
        if (count_ < max_words && size_ > ends_[count_]) {
            ends_[++count_] = size_;
        }
    };
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        if (!is_upper(c) && !is_lower(c)) {
            end_word();
            continue;
        }
        const bool ends_acronym = i > 0 && is_upper(name[i - 1]) && i + 1 < name.size() &&
                                  is_lower(name[i + 1]); // the T of HTTPToken
        const bool begins = i > 0 && is_upper(c) && (is_lower(name[i - 1]) || ends_acronym);
        if (begins) {
            end_word();
        }
        letters_[size_++] = is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
    }
    end_word();
    size_ = ends_[count_];
}

bool is_secret_name(const NameWords& name) noexcept {
    if (std::ranges::any_of(words::public_tokens, [&](std::string_view token) {
            return name.letters().ends_with(token) || singular(name.letters()).ends_with(token);
        })) {
        return false;
    }
    const bool is_lowercase_about = is_about_secrets_in_lowercase(name);
    return std::ranges::any_of(words::secret_names, [&](const words::SecretName& secret) {
        const std::size_t end = end_of(secret, name);
        const bool is_all = name.letters() == secret.words;
        return end != 0 && (is_all || (!is_about_secrets(name, end) && !is_lowercase_about));
    });
}

bool is_secret_key(const NameWords& name) noexcept {
    return contains(words::secret_keys, name.letters()) || is_secret_name(name);
}

bool is_secret_parameter(const NameWords& name) noexcept {
    return contains(words::secret_parameters, name.letters());
}

bool is_secret_code(const NameWords& name) noexcept {
    return has_one_of(words::secret_codes, name);
}

bool is_secret_number(const NameWords& name) noexcept {
    return has_one_of(words::secret_numbers, name) || is_secret_code(name) || is_phone_name(name);
}

bool is_phone_name(const NameWords& name) noexcept {
    if (contains(words::whole_phone_names, name.letters())) {
        return true;
    }
    return std::ranges::any_of(words::phone_names, [&](std::string_view phone) {
        const std::size_t end = end_of({phone}, name);
        return end != 0 && !is_about_secrets(name, end);
    });
}

bool is_secret_header(const NameWords& name) noexcept {
    return name.count() > 0 &&
           contains(words::secret_headers, name.between(name.count() - 1, name.count()));
}

} // namespace etl::anonymize
