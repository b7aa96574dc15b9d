#include "anonymize/texts/findings.hpp"

#include "anonymize/limits.hpp"
#include "anonymize/names/secret_names.hpp"
#include "anonymize/names/secret_words.hpp"
#include "anonymize/names/units.hpp"
#include "anonymize/names/well_known.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace etl::anonymize {

namespace {

constexpr bool is_ascii_wordy(char16_t c) noexcept {
    return is_digit(c) || is_ascii_letter(c);
}

constexpr bool in_key(char16_t c) noexcept {
    return is_ascii_wordy(c) || c == u'_' || c == u'-' || c == u'.';
}

// Tokens consist of these: base64 in both alphabets, and the dots of web tokens.
constexpr bool in_token(char16_t c) noexcept {
    return is_ascii_wordy(c) || c == u'-' || c == u'_' || c == u'.';
}

constexpr bool in_credentials(char16_t c) noexcept {
    return in_token(c) || c == u'+' || c == u'/' || c == u'=' || c == u'~' || c == u':';
}

constexpr bool is_space(char16_t c) noexcept {
    return c == u' ' || c == u'\t';
}

constexpr bool is_quote(char16_t c) noexcept {
    return c == u'"' || c == u'\'';
}

constexpr bool ends_line(char16_t c) noexcept {
    return c == u'\r' || c == u'\n' || c == u'\0';
}

// <add key="Password" value="...">, {"name":"Password","value":"..."}
bool names_a_name(Text name) noexcept {
    return equals_folded(name, u"key") || equals_folded(name, u"name") ||
           equals_folded(name, u"n") || equals_folded(name, u"k");
}

/// What can begin at a unit: a token or a number, one of the signs of Finder::look(), nothing.
enum class Unit : std::uint8_t { other, wordy, sign };

constexpr auto ascii_units = [] {
    std::array<Unit, 0x80> units{};
    for (std::size_t c = 0; c < units.size(); ++c) {
        units[c] = is_wordy(static_cast<char16_t>(c)) ? Unit::wordy : Unit::other;
    }
    for (const char16_t sign : Text(u"=:<-+({}")) {
        units[sign] = Unit::sign;
    }
    return units;
}();

constexpr Unit unit_of(char16_t c) noexcept {
    return c < ascii_units.size() ? ascii_units[c] : Unit::wordy;
}

/// Whether a letter begins one of the texts of a list, whatever its case.
class FirstLetters {
public:
    template <typename List, typename TextOf>
    constexpr FirstLetters(const List& list, TextOf text_of) {
        for (const auto& entry : list) {
            const char first = text_of(entry).front();
            has_[static_cast<unsigned char>(first) | lower_bit] = true;
        }
    }

    constexpr bool has(char16_t letter) const noexcept {
        return letter < 0x80 && has_[letter | lower_bit];
    }

private:
    static constexpr unsigned lower_bit = 0x20;

    std::array<bool, 0x80> has_{};
};

constexpr FirstLetters of_tokens(words::token_forms,
                                 [](const words::TokenForm& form) { return form.prefix; });
constexpr FirstLetters of_schemes(words::authorization_schemes,
                                  [](std::string_view scheme) { return scheme; });

// Of an Authorization header.
bool is_scheme(Text word) noexcept {
    constexpr std::size_t min_size = 4;
    if (word.size() < min_size || word.size() > limits::key_units ||
        !of_schemes.has(word.front()) || !std::ranges::all_of(word, is_ascii_letter)) {
        return false;
    }
    const KeyText letters(word);
    const NameWords name(letters.view());
    return std::ranges::find(words::authorization_schemes, name.letters()) !=
           words::authorization_schemes.end();
}

/// Digits in groups, as on payment cards.
struct DigitGroups {
    static constexpr std::size_t max_digits = 19, max_groups = 5;

    std::array<unsigned, max_digits> digits{};
    std::array<std::size_t, max_groups> sizes{};
    std::size_t count = 0, groups = 0;

    /// Adds the group at `at`, which moves behind it. Returns false if there is none, or too much.
    bool take(Text text, std::size_t& at) noexcept {
        if (groups == max_groups || at >= text.size() || !is_digit(text[at])) {
            return false;
        }
        std::size_t& size = sizes[groups++];
        for (; at < text.size() && is_digit(text[at]); ++at) {
            if (count == max_digits) {
                return false;
            }
            digits[count++] = static_cast<unsigned>(text[at] - u'0');
            ++size;
        }
        return true;
    }

    bool is_grouped() const noexcept {
        const std::size_t last = sizes[groups - 1];
        const auto are_four = [&](std::size_t all) {
            return std::ranges::all_of(std::span(sizes).first(all),
                                       [](std::size_t size) { return size == 4; });
        };
        return groups == 1 || (groups == 4 && are_four(4)) || (groups == 5 && are_four(4)) ||
               (groups == 3 && sizes[0] == 4 && sizes[1] == 6 && (last == 4 || last == 5));
    }

    bool is_issued() const noexcept {
        const unsigned first = digits[0] * 1000 + digits[1] * 100 + digits[2] * 10 + digits[3];
        return std::ranges::any_of(words::card_ranges, [&](const words::CardRange& range) {
            return first >= range.first && first <= range.last && count >= range.min &&
                   count <= range.max;
        });
    }

    bool is_card() const noexcept {
        unsigned sum = 0; // ISO/IEC 7812: of the digits, every other one doubled
        for (std::size_t i = 0; i < count; ++i) {
            const unsigned twice = digits[count - 1 - i] * (i % 2 == 1 ? 2U : 1U);
            sum += twice > 9 ? twice - 9 : twice;
        }
        return count >= 13 && is_grouped() && is_issued() && sum % 10 == 0;
    }
};

class Finder {
public:
    Finder(Text text, Search search, KeyRoles& keys, std::vector<Finding>& found)
        : text_(text), search_(search), keys_(&keys), found_(&found) {}

    void run();

private:
    /// Each looks at what begins at `at`, and returns where to go on: at + 1 at least.
    std::size_t look(std::size_t at);
    std::size_t word(std::size_t at);
    std::size_t number(std::size_t at);
    std::size_t assignment(std::size_t at);
    std::size_t element(std::size_t at);
    std::size_t option(std::size_t at);

    Range key_before(std::size_t sign) const noexcept;
    Range with_word_before(Range key) const noexcept;
    bool is_parameter(Range key) const noexcept;
    bool follows_pair(Range key) const noexcept;

    ValueRole key_of(Text name, bool is_named) { return keys_->of(name, is_named, search_); }

    std::size_t line_of(std::size_t at, char16_t quote, Role role);
    std::size_t value_of(std::size_t at, ValueRole key, char16_t sign, bool ends_pairs);
    std::size_t array_of(std::size_t at, ValueRole key);
    std::size_t phone_of(std::size_t at);
    Range quoted(std::size_t at) const noexcept;
    Range in_braces(std::size_t at) const noexcept;
    bool begins_pair(std::size_t at) const noexcept;
    std::size_t end_of_pair(std::size_t at, bool ends_pairs) const noexcept;
    std::size_t end_of_unquoted(std::size_t at, bool ends_pairs) const noexcept;
    std::size_t end_of_text(Range where) const noexcept;
    std::size_t add_value(Range where, ValueRole key);
    std::size_t secure_string(std::size_t at);
    void content_of(Range name, std::size_t at, ValueRole key);
    std::size_t user_of_url(std::size_t at);
    std::size_t private_key(std::size_t at);
    std::size_t token(std::size_t at);
    std::size_t azure_secret(std::size_t at);
    std::size_t credentials(std::size_t at);
    std::size_t bank_number(std::size_t at);
    std::size_t card(std::size_t at);
    bool ends_number(std::size_t end, bool has_groups) const noexcept;
    std::size_t grouped_end(std::size_t at, std::size_t groups, std::size_t size,
                            bool (*in)(char16_t)) const noexcept;
    std::size_t recovery_key(std::size_t at);
    std::size_t product_key(std::size_t at);
    std::size_t password_hashes(std::size_t at);
    std::size_t social_security_number(std::size_t at);
    std::size_t phone(std::size_t at);
    std::size_t national_phone(std::size_t at);

    Text view(Range range) const noexcept {
        return text_.substr(range.begin, range.end - range.begin);
    }

    bool is_at(std::size_t at, char16_t c) const noexcept {
        return at < text_.size() && text_[at] == c;
    }

    bool starts_at(std::size_t at, std::string_view ascii) const noexcept {
        return text_.size() - at >= ascii.size() &&
               std::ranges::equal(text_.substr(at, ascii.size()), ascii,
                                  [](char16_t a, char b) { return a == static_cast<char16_t>(b); });
    }

    /// Nothing before `at` belongs to the same word or number.
    bool begins_word(std::size_t at) const noexcept { return at == 0 || !is_wordy(text_[at - 1]); }

    bool ends_word(std::size_t at) const noexcept {
        return at >= text_.size() || !is_wordy(text_[at]);
    }

    std::size_t past_blanks(std::size_t at) const noexcept {
        while (at < text_.size() && is_space(text_[at])) {
            ++at;
        }
        return at;
    }

    std::size_t run_of(std::size_t at, bool (*in)(char16_t)) const noexcept {
        while (at < text_.size() && in(text_[at])) {
            ++at;
        }
        return at;
    }

    Text text_;
    Search search_;
    KeyRoles* keys_;
    std::vector<Finding>* found_;
    static constexpr std::size_t max_pair = 256; // a value of a connection string

    /// `key="Password"` or `"name":"Password"`: the value that follows is that of a secret.
    ValueRole pending_;
};

void Finder::run() {
    found_->clear();
    for (std::size_t at = 0; at < text_.size();) {
        const Unit unit = unit_of(text_[at]);
        const bool may_begin = unit == Unit::sign || (unit == Unit::wordy && begins_word(at));
        const std::size_t next = may_begin ? look(at) : at;
        if (next > at + 1) {
            at = next;
            continue;
        }
        ++at;
        while (unit == Unit::wordy && at < text_.size() && unit_of(text_[at]) == Unit::wordy) {
            ++at; // within a word nothing begins
        }
    }
}

std::size_t Finder::look(std::size_t at) {
    const char16_t c = text_[at];
    if (is_ascii_letter(c)) {
        return word(at);
    }
    if (is_digit(c)) {
        return search_ == Search::text ? number(at) : at + 1;
    }
    switch (c) {
    case u'=':
    case u':':
        return assignment(at);
    case u'<':
        return element(at);
    case u'-':
        return starts_at(at, "-----BEGIN ") ? private_key(at) : option(at);
    case u'+':
        return search_ == Search::text && begins_word(at) ? phone(at) : at + 1;
    case u'(':
        return search_ == Search::text && begins_word(at) ? national_phone(at) : at + 1;
    case u'{':
    case u'}':
        pending_ = {};
        return at + 1;
    default:
        return at + 1;
    }
}

// --- Forms of values

std::size_t Finder::word(std::size_t at) {
    std::size_t end = of_tokens.has(text_[at]) ? token(at) : at;
    end = end > at ? end : azure_secret(at);
    end = end > at || !of_schemes.has(text_[at]) ? end : credentials(at);
    end = end > at ? end : secure_string(at);
    if (search_ == Search::text) {
        end = end > at ? end : bank_number(at);
        end = end > at ? end : product_key(at);
        end = end > at ? end : password_hashes(at);
    }
    return std::max(end, at + 1);
}

std::size_t Finder::number(std::size_t at) {
    std::size_t end = card(at);
    end = end > at ? end : social_security_number(at);
    end = end > at ? end : recovery_key(at);
    end = end > at ? end : product_key(at);
    end = end > at ? end : password_hashes(at);
    return end > at ? end : national_phone(at);
}

// A token with a known beginning, up to where letters, digits, and the like end.
std::size_t Finder::token(std::size_t at) {
    for (const words::TokenForm& form : words::token_forms) {
        if (form.prefix.front() != static_cast<char>(text_[at]) || !starts_at(at, form.prefix)) {
            continue;
        }
        const std::size_t end = run_of(at, in_token);
        if (end - at >= form.prefix.size() + form.min) {
            found_->push_back({{at, end}, Role::secret});
            return end;
        }
    }
    return at;
}

// A secret of an application in Azure: three characters, a digit, Q~.
std::size_t Finder::azure_secret(std::size_t at) {
    constexpr std::size_t mark = 4, min = 37, max = 40;
    if (at + min <= text_.size() && is_digit(text_[at + mark - 1]) && is_at(at + mark, u'Q') &&
        is_at(at + mark + 1, u'~')) {
        std::size_t end = at;
        while (end < text_.size() && end - at <= max &&
               (in_token(text_[end]) || text_[end] == u'~')) {
            ++end;
        }
        if (end - at >= min && end - at <= max) {
            found_->push_back({{at, end}, Role::secret});
            return end;
        }
    }
    return at;
}

// `Bearer abc...`, `Basic dXNlcjpwYXNz`: what follows is no English word.
std::size_t Finder::credentials(std::size_t at) {
    const std::size_t end = run_of(at, is_ascii_letter);
    if (!is_at(end, u' ') || !is_scheme(view({at, end}))) {
        return at;
    }
    const std::size_t begin = past_blanks(end);
    const std::size_t last = run_of(begin, in_credentials);
    constexpr std::size_t min = 8;
    bool has_digit = false, has_lower = false, has_upper_inside = false, is_padded = false;
    for (std::size_t i = begin; i < last; ++i) {
        has_digit = has_digit || is_digit(text_[i]);
        has_lower = has_lower || (is_ascii_letter(text_[i]) && !is_upper_ascii(text_[i]));
        has_upper_inside = has_upper_inside || (i > begin && is_upper_ascii(text_[i]));
        is_padded = text_[i] == u'=';
    }
    const bool is_one = last - begin >= min && text_[last - 1] != u':' &&
                        (is_padded || has_digit || (has_lower && has_upper_inside));
    return is_one ? add_value({begin, last}, {Role::secret}) : at;
}

// PowerShell: the text behind `ConvertTo-SecureString` is a password.
std::size_t Finder::secure_string(std::size_t at) {
    constexpr Text command = u"convertto-securestring", parameter = u"-string";
    if (!equals_folded(text_.substr(at, command.size()), command)) {
        return at;
    }
    std::size_t value = past_blanks(at + command.size());
    if (equals_folded(text_.substr(value, parameter.size()), parameter)) {
        value = past_blanks(value + parameter.size());
    }
    const Range inside = quoted(value);
    return inside.empty() ? value : add_value(inside, {Role::secret});
}

// Between BEGIN and END of a private key, and up to the end if there is no END.
std::size_t Finder::private_key(std::size_t at) {
    constexpr std::size_t max_label = 64;
    const Text head = text_.substr(at, max_label + 2 * 5);
    const std::size_t label_end = head.find(u"-----", 5);
    if (label_end == Text::npos || head.substr(0, label_end).find(u"PRIVATE KEY") == Text::npos) {
        return at + 1;
    }
    const std::size_t begin = at + label_end + 5;
    const std::size_t last = end_of_text({begin, text_.size()});
    const std::size_t end = std::min(view({begin, last}).find(u"-----END "), last - begin) + begin;
    return begin < end ? add_value({begin, end}, {Role::secret}) : end;
}

// Two letters, two check digits, and as many letters and digits as the country has; blanks can be
// between groups of four.
std::size_t Finder::bank_number(std::size_t at) {
    if (text_.size() - at < 15 || !is_upper_ascii(text_[at]) || !is_upper_ascii(text_[at + 1]) ||
        !is_digit(text_[at + 2]) || !is_digit(text_[at + 3])) {
        return at;
    }
    const auto country = std::ranges::find_if(
        words::bank_numbers, [&](const auto& number) { return starts_at(at, number.country); });
    if (country == words::bank_numbers.end()) {
        return at;
    }
    unsigned rest = 0; // of all but the first four by 97, which come last
    std::array<unsigned, 4> first{};
    std::size_t end = at;
    const auto with = [](unsigned before, unsigned value) {
        return value < 10 ? (before * 10 + value) % 97 : (before * 100 + value) % 97;
    };
    for (std::size_t count = 0; count < country->length; ++end) {
        const char16_t c = end < text_.size() ? text_[end] : u'\0';
        if (c == u' ' && count > 0 && count % 4 == 0 && text_[end - 1] != u' ') {
            continue;
        }
        if (!is_digit(c) && !is_upper_ascii(c)) {
            return at;
        }
        const unsigned value =
            is_digit(c) ? static_cast<unsigned>(c - u'0') : 10U + static_cast<unsigned>(c - u'A');
        if (count < first.size()) {
            first[count] = value;
        } else {
            rest = with(rest, value);
        }
        ++count;
    }
    for (const unsigned value : first) {
        rest = with(rest, value);
    }
    if (rest != 1 || !ends_word(end)) {
        return at;
    }
    found_->push_back({{at, end}, Role::account_number});
    return end;
}

// Digits of a payment card, alone or in groups with one separator, whose check digit is right. A
// code or a date can follow.
std::size_t Finder::card(std::size_t at) {
    const char16_t before = at > 0 ? text_[at - 1] : u' ';
    const bool is_inside =
        at > 1 &&
        (before == u'-' || before == u'.' || before == u'_' || before == u',' || before == u'+') &&
        is_wordy(text_[at - 2]);
    if (is_inside || before == u'.' || before == u'#') {
        return at;
    }
    DigitGroups read;
    std::size_t found = at;
    char16_t separator = u'\0';
    for (std::size_t end = at; read.take(text_, end); ++end) {
        if (read.is_card() && ends_number(end, read.groups > 1)) {
            found = end;
        }
        const bool separates = end < text_.size() && (text_[end] == u' ' || text_[end] == u'-') &&
                               (separator == u'\0' || separator == text_[end]);
        if (!separates) {
            break;
        }
        separator = text_[end];
    }
    if (found > at) {
        found_->push_back({{at, found}, Role::account_number});
    }
    return found;
}

// A number without groups is only a part of something longer if letters or digits follow a sign.
bool Finder::ends_number(std::size_t end, bool has_groups) const noexcept {
    const bool goes_on = !has_groups && end + 1 < text_.size() && is_wordy(text_[end + 1]) &&
                         (text_[end] == u'-' || text_[end] == u'.' || text_[end] == u'_');
    return ends_word(end) && !goes_on;
}

// A recovery key of BitLocker: eight groups of six digits, multiples of 11.
std::size_t Finder::recovery_key(std::size_t at) {
    constexpr std::size_t groups = 8, digits = 6;
    if (grouped_end(at, groups, digits, is_digit) == at) {
        return at;
    }
    for (std::size_t group = 0; group < groups; ++group) {
        unsigned value = 0;
        for (std::size_t i = 0; i < digits; ++i) {
            value = value * 10 + static_cast<unsigned>(text_[at + group * (digits + 1) + i] - u'0');
        }
        if (value % 11 != 0) {
            return at;
        }
    }
    const std::size_t end = at + groups * (digits + 1) - 1;
    found_->push_back({{at, end}, Role::secret});
    return end;
}

// A product key of Microsoft: five groups of five capital letters and digits, of both.
std::size_t Finder::product_key(std::size_t at) {
    const auto in_key_group = [](char16_t c) { return is_digit(c) || is_upper_ascii(c); };
    const std::size_t end = grouped_end(at, 5, 5, in_key_group);
    const Text key = view({at, end});
    const bool is_one =
        std::ranges::any_of(key, is_digit) && std::ranges::any_of(key, is_upper_ascii);
    if (!is_one) {
        return at;
    }
    found_->push_back({{at, end}, Role::secret});
    return end;
}

// The hashes of a password in LM and NT form: 32 hexadecimal digits, a colon, and 32 more.
std::size_t Finder::password_hashes(std::size_t at) {
    constexpr std::size_t size = 32;
    const std::size_t colon = run_of(at, is_hex_digit);
    if (colon - at != size || !is_at(colon, u':')) {
        return at;
    }
    const std::size_t end = run_of(colon + 1, is_hex_digit);
    if (end - colon - 1 != size || !ends_word(end)) {
        return at;
    }
    found_->push_back({{at, end}, Role::secret});
    return end;
}

// 078-05-1120: a number of social security in the United States, which has no zeros in a group.
std::size_t Finder::social_security_number(std::size_t at) {
    const auto digits = [&](std::size_t from, std::size_t count) {
        return std::ranges::all_of(text_.substr(from, count), is_digit);
    };
    constexpr std::size_t size = 11;
    const char16_t before = at > 0 ? text_[at - 1] : u' ';
    if (text_.size() - at < size || before == u'-' || before == u'.' || !digits(at, 3) ||
        text_[at + 3] != u'-' || !digits(at + 4, 2) || text_[at + 6] != u'-' ||
        !digits(at + 7, 4)) {
        return at;
    }
    const Text area = text_.substr(at, 3);
    const bool is_issued = area != u"000" && area != u"666" && area.front() != u'9' &&
                           text_.substr(at + 4, 2) != u"00" && text_.substr(at + 7, 4) != u"0000";
    if (!is_issued || !ends_number(at + size, false)) {
        return at;
    }
    found_->push_back({{at, at + size}, Role::account_number});
    return at + size;
}

// Where groups of so many units with `-` between them end; `at`: there are none.
std::size_t Finder::grouped_end(std::size_t at, std::size_t groups, std::size_t size,
                                bool (*in)(char16_t)) const noexcept {
    const std::size_t end = at + groups * (size + 1) - 1;
    if (end > text_.size() || !ends_number(end, false)) {
        return at;
    }
    for (std::size_t i = at; i < end; ++i) {
        const bool is_separator = (i - at) % (size + 1) == size;
        if (is_separator ? text_[i] != u'-' : !in(text_[i])) {
            return at;
        }
    }
    return end;
}

// +1 425 555 0123: after the sign, 8 to 15 digits with single separators. A number with one dot is
// no phone.
std::size_t Finder::phone(std::size_t at) {
    constexpr std::size_t min = 8, max = 15;
    std::size_t digits = 0, separators = 0, dots = 0, end = at + 1;
    for (std::size_t i = at + 1; i < text_.size(); ++i) {
        const char16_t c = text_[i];
        if (is_digit(c)) {
            if (++digits > max) {
                return at;
            }
            end = i + 1;
            continue;
        }
        const bool separates = c == u' ' || c == u'-' || c == u'.' || c == u'(' || c == u')';
        const bool is_single = is_digit(text_[i - 1]) || c == u'(' || text_[i - 1] == u')';
        if (!separates || !is_single || digits == 0) {
            break;
        }
        dots += c == u'.' ? 1U : 0U;
        ++separators;
    }
    const bool is_decimal = dots == 1 && separators == 1;
    const bool goes_on = end + 1 < text_.size() && (text_[end] == u':' || text_[end] == u'.') &&
                         is_digit(text_[end + 1]);
    if (digits < min || is_at(at + 1, u'0') || is_decimal || goes_on || !ends_word(end)) {
        return at;
    }
    found_->push_back({{at, end}, Role::phone});
    return end;
}

// 425-555-0123, (425) 555-0123, 425.555.0123: three digits, three, and four.
std::size_t Finder::national_phone(std::size_t at) {
    const char16_t before = at > 0 ? text_[at - 1] : u' ';
    if (before == u'-' || before == u'.' || before == u'/' || before == u'+' || before == u'_' ||
        before == u'#') {
        return at;
    }
    const bool has_bracket = text_[at] == u'(';
    const auto three = [&](std::size_t where) {
        return where + 3 <= text_.size() && text_[where] >= u'2' && is_digit(text_[where]) &&
               is_digit(text_[where + 1]) && is_digit(text_[where + 2]);
    };
    std::size_t end = at + (has_bracket ? 1U : 0U);
    if (!three(end)) {
        return at;
    }
    end += 3;
    if (has_bracket) {
        if (!is_at(end++, u')')) {
            return at;
        }
        end += is_at(end, u' ') ? 1U : 0U;
    }
    const char16_t separator = end < text_.size() ? text_[end] : u'\0';
    const std::size_t middle = has_bracket ? end : end + 1;
    if (!has_bracket && separator != u'-' && separator != u'.') {
        return at;
    }
    if (!three(middle) || middle + 8 > text_.size()) {
        return at;
    }
    const char16_t second = text_[middle + 3];
    const bool is_right =
        has_bracket ? second == u'-' || second == u' ' || second == u'.' : second == separator;
    const Text last = text_.substr(middle + 4, 4);
    end = middle + 8;
    const bool goes_on = end + 1 < text_.size() && is_wordy(text_[end + 1]) &&
                         (text_[end] == u'-' || text_[end] == u'.' || text_[end] == u'_');
    if (!is_right || !std::ranges::all_of(last, is_digit) || !ends_word(end) || goes_on) {
        return at;
    }
    found_->push_back({{at, end}, Role::phone});
    return end;
}

// --- Names of values

// The name before a sign: letters, digits, `_`, `-`, `.`; in quotes also blanks.
Range Finder::key_before(std::size_t sign) const noexcept {
    std::size_t end = sign;
    const std::size_t first = sign - std::min(sign, limits::key_units);
    while (end > first && (is_space(text_[end - 1]) || text_[end - 1] == u':')) {
        --end;
    }
    const bool is_quoted = end > first && is_quote(text_[end - 1]);
    if (is_quoted) {
        --end;
        while (end > first && text_[end - 1] == u'\\') {
            --end;
        }
    }
    std::size_t begin = end;
    while (begin > first && (in_key(text_[begin - 1]) || (is_quoted && text_[begin - 1] == u' '))) {
        --begin;
    }
    return {begin, end};
}

// `User Id=`: with the word before it. Otherwise the name as it is.
Range Finder::with_word_before(Range key) const noexcept {
    std::size_t begin = key.begin;
    if (begin == 0 || !is_space(text_[begin - 1])) {
        return key;
    }
    const std::size_t first = key.end - std::min(key.end, limits::key_units);
    --begin;
    const std::size_t blank = begin;
    while (begin > first && is_ascii_letter(text_[begin - 1])) {
        --begin;
    }
    const char16_t before = begin > 0 ? text_[begin - 1] : u';';
    const bool begins = before == u';' || is_quote(before) ||
                        (before == u' ' && begin > 1 && text_[begin - 2] == u';');
    return begin < blank && begins ? Range{begin, key.end} : key;
}

// In the query of a URL.
bool Finder::is_parameter(Range key) const noexcept {
    return key.begin > 0 && (text_[key.begin - 1] == u'?' || text_[key.begin - 1] == u'&');
}

// In a connection string, behind another pair.
bool Finder::follows_pair(Range key) const noexcept {
    return key.begin > 0 &&
           (text_[key.begin - 1] == u';' ||
            (text_[key.begin - 1] == u' ' && key.begin > 1 && text_[key.begin - 2] == u';'));
}

std::size_t Finder::assignment(std::size_t at) {
    const bool is_colon = text_[at] == u':';
    if (is_colon && is_at(at + 1, u'/') && is_at(at + 2, u'/')) {
        return user_of_url(at + 3);
    }
    const bool is_other_sign =
        is_colon && (is_at(at + 1, u':') || is_at(at + 1, u'=') || (at > 0 && is_at(at - 1, u':')));
    if (is_other_sign) { // a scope, or :=
        return at + 1;
    }
    Range where = key_before(at);
    if (where.empty()) {
        return at + 1;
    }
    std::size_t value = at + 1;
    if (!is_colon && (is_at(value, u'=') || is_at(value, u'>'))) {
        ++value; // == and =>
    }
    value = past_blanks(value);
    const bool is_quoted =
        where.end < at && !is_space(text_[where.end]) && text_[where.end] != u':';
    const bool is_named = !is_colon || is_quoted;
    const Text name = view(where);
    if (is_named && names_a_name(name) && !is_parameter(where)) {
        const Range of = quoted(value);
        const bool is_short = !of.empty() && of.end - of.begin <= limits::key_units;
        pending_ = is_short ? key_of(view(of), true) : ValueRole{};
        return at + 1;
    }
    ValueRole key = key_of(name, is_named);
    if (equals_folded(name, u"value") || equals_folded(name, u"val")) {
        key = pending_.role != Role::nothing ? pending_ : key;
        pending_ = {};
    }
    if (key.role == Role::nothing && !is_colon && is_parameter(where) &&
        is_secret_parameter(NameWords(KeyText(name).view()))) {
        key = {Role::secret};
    }
    if (key.role == Role::nothing && !is_colon && !is_quoted) {
        where = with_word_before(where);
        key = key_of(view(where), is_named);
    }
    if (key.role == Role::nothing) {
        return at + 1;
    }
    const bool is_header = is_colon && !is_quoted && key.role == Role::secret &&
                           is_secret_header(NameWords(KeyText(name).view()));
    if (is_header) {
        const char16_t quote = where.begin > 0 ? text_[where.begin - 1] : u'\0';
        return line_of(value, is_quote(quote) ? quote : u'\0', key.role);
    }
    return value_of(value, key, text_[at], !is_colon && follows_pair(where));
}

// The value of a header, up to the end of the line or the quote that began before its name.
std::size_t Finder::line_of(std::size_t at, char16_t quote, Role role) {
    const std::size_t last = end_of_text({at, text_.size()});
    std::size_t end = at;
    while (end < last && !ends_line(text_[end]) && (quote == u'\0' || text_[end] != quote)) {
        ++end;
    }
    return end > at ? add_value({at, end}, {role}) : at;
}

// The value at `at`, in quotes, or up to where it seems to end.
std::size_t Finder::value_of(std::size_t at, ValueRole key, char16_t sign, bool ends_pairs) {
    if (at >= text_.size()) {
        return at;
    }
    if (const Range inside = quoted(at); !inside.empty()) {
        return add_value(inside, key);
    }
    const char16_t first = text_[at];
    if (first == u'[' && sign == u':') {
        return array_of(at, key);
    }
    if (first == u'{' && sign == u'=') {
        const Range inside = in_braces(at);
        return inside.empty() ? at : add_value(inside, key);
    }
    const bool has_own_names = first == u'"' || first == u'<' ||
                               (sign != u'=' && (first == u'{' || first == u'(' || first == u'['));
    if (has_own_names) { // or it is empty
        return at;
    }
    if (key.role == Role::phone) {
        return phone_of(at);
    }
    const std::size_t end = end_of_unquoted(at, ends_pairs);
    return end > at ? add_value({at, end}, key) : at;
}

// The texts of an array in JSON: ["...", "..."].
std::size_t Finder::array_of(std::size_t at, ValueRole key) {
    std::size_t next = past_blanks(at + 1);
    for (Range inside = quoted(next); !inside.empty(); inside = quoted(next)) {
        add_value(inside, key);
        next = past_blanks(std::min(text_.find_first_of(u"\"'", inside.end), text_.size()) + 1);
        if (!is_at(next, u',')) {
            return std::min(next, text_.size());
        }
        next = past_blanks(next + 1);
    }
    return at + 1;
}

std::size_t Finder::phone_of(std::size_t at) {
    std::size_t end = at;
    for (std::size_t i = at; i < text_.size(); ++i) {
        const char16_t c = text_[i];
        if (is_digit(c)) {
            end = i + 1;
        } else if (Text(u" -./()+").find(c) == Text::npos) {
            break;
        }
    }
    return end > at ? add_value({at, end}, {Role::phone}) : at;
}

// The inside of braces that quote a value in a connection string of ODBC; }} stands for a brace.
Range Finder::in_braces(std::size_t at) const noexcept {
    const std::size_t last = std::min(text_.size(), at + max_pair);
    for (std::size_t i = at + 1; i < last && !ends_line(text_[i]); ++i) {
        if (text_[i] == u'}') {
            if (!is_at(i + 1, u'}')) {
                return {at + 1, i};
            }
            ++i;
        }
    }
    return {at, at};
}

// The inside of quotes that begin at `at`, also of JSON in JSON: \"...\".
Range Finder::quoted(std::size_t at) const noexcept {
    std::size_t escapes = 0;
    while (is_at(at, u'\\')) {
        ++at;
        ++escapes;
    }
    if (at >= text_.size() || !is_quote(text_[at])) {
        return {at, at};
    }
    const char16_t quote = text_[at];
    const std::size_t begin = at + 1;
    std::size_t before = 0; // backslashes
    for (std::size_t i = begin; i < text_.size(); ++i) {
        const bool closes =
            text_[i] == quote && before <= escapes && (escapes > 0 || before % 2 == 0);
        if (closes && escapes == 0 && i > begin && is_at(i + 1, quote)) {
            ++i; // doubled: a part of the value
        } else if (closes) {
            return {begin, i - std::min(before, escapes)};
        }
        before = text_[i] == u'\\' ? before + 1 : 0;
    }
    return {begin, text_.size()};
}

// `name=`, `Two Words =`.
bool Finder::begins_pair(std::size_t at) const noexcept {
    std::size_t end = at = past_blanks(at);
    while (end < text_.size() && end - at < limits::key_units &&
           (in_key(text_[end]) || text_[end] == u' ')) {
        ++end;
    }
    return end > at && is_at(end, u'=');
}

// In a connection string, a value can contain all but `;`. It is the last one if another pair is
// before it; otherwise another one follows.
std::size_t Finder::end_of_pair(std::size_t at, bool ends_pairs) const noexcept {
    std::size_t end = at;
    for (; end < text_.size() && end - at < max_pair && !ends_line(text_[end]); ++end) {
        const char16_t c = text_[end];
        if (c == u';') {
            return ends_pairs || begins_pair(end + 1) ? end : at;
        }
        if (is_quote(c) && ends_word(end + 1)) { // that of the connection string
            break;
        }
        const bool is_other_text =
            is_quote(c) || Text(u"<>&").find(c) != Text::npos || (c == u'=' && !ends_word(end + 1));
        if (!ends_pairs && is_other_text) {
            return at;
        }
    }
    return ends_pairs && end - at < max_pair ? end : at;
}

std::size_t Finder::end_of_unquoted(std::size_t at, bool ends_pairs) const noexcept {
    std::size_t end = end_of_pair(at, ends_pairs);
    if (end > at) {
        return end;
    }
    for (end = at; end < text_.size(); ++end) {
        const char16_t c = text_[end];
        const bool is_last = end + 1 == text_.size() || is_blank(text_[end + 1]) ||
                             is_quote(text_[end + 1]) || text_[end + 1] == u',' ||
                             text_[end + 1] == u';';
        const bool closes = c == u',' || c == u')' || c == u'}' || c == u']';
        if (is_blank(c) || ends_line(c) || is_quote(c) || c == u';' || c == u'&' || c == u'<' ||
            c == u'>' || (closes && is_last)) {
            break;
        }
        if (c == u',') { // `password=a,user=b`
            std::size_t next = end + 1;
            while (next < text_.size() && next - end < limits::key_units && in_key(text_[next])) {
                ++next;
            }
            if (next > end + 1 && (is_at(next, u'=') || is_at(next, u':'))) {
                break;
            }
        }
    }
    return end;
}

// In bytes, a text ends where a byte is no part of one.
std::size_t Finder::end_of_text(Range where) const noexcept {
    if (search_ == Search::text) {
        return where.end;
    }
    const auto ends_text = [](char16_t c) { return (c < u' ' && !is_blank(c)) || c > u'~'; };
    const auto size = std::ranges::find_if(view(where), ends_text) - view(where).begin();
    return where.begin + static_cast<std::size_t>(size);
}

std::size_t Finder::add_value(Range where, ValueRole key) {
    where.end = end_of_text(where);
    const Text value = view(where);
    // Numbers of few digits count, or are flags; 0x and up to 8 digits: a token of metadata.
    constexpr std::size_t max_number = 3, min_code = 3, max_hex = 10;
    const bool is_number = std::ranges::all_of(value, is_digit);
    const bool is_idle = says_nothing(value) ||
                         (is_number && value.size() <= (key.is_code ? min_code - 1 : max_number)) ||
                         (value.size() <= max_hex && value.starts_with(u"0x")) ||
                         (is_number && key.role == Role::user);
    if (is_idle) {
        return where.end;
    }
    const std::size_t blank = value.find(u' ');
    if (key.role == Role::secret && blank < value.size() && is_scheme(value.substr(0, blank))) {
        where.begin += blank + 1; // the scheme of an Authorization header stays
    }
    found_->push_back({where, key.role});
    return where.end;
}

// <Password>...</Password>, <wsse:BinarySecurityToken ...>...: up to the next element. The
// attributes are looked at afterwards.
std::size_t Finder::element(std::size_t at) {
    std::size_t end = at + 1;
    std::size_t local = end;
    while (end < text_.size() && end - at <= limits::key_units &&
           (in_key(text_[end]) || text_[end] == u':')) {
        local = text_[end] == u':' ? end + 1 : local;
        ++end;
    }
    if (end == local || end - at > limits::key_units) {
        return at + 1;
    }
    const ValueRole key = key_of(view({local, end}), true);
    const std::size_t close =
        key.role == Role::nothing ? Text::npos : text_.find_first_of(u"<>", end);
    if (close == Text::npos || text_[close] != u'>' || text_[close - 1] == u'/') {
        return end;
    }
    content_of({at + 1, end}, close + 1, key);
    return end;
}

// The texts of an element and of those in it, up to its end.
void Finder::content_of(Range name, std::size_t at, ValueRole key) {
    constexpr Text data = u"<![CDATA[", ends_data = u"]]>";
    constexpr std::size_t max_tags = 16, max_data = 4096;
    for (std::size_t tags = 0; at < text_.size() && tags < max_tags;) {
        if (text_[at] != u'<') {
            const std::size_t end = std::min(text_.find(u'<', at), text_.size());
            add_value({at, end}, key);
            at = end;
            continue;
        }
        ++tags;
        if (text_.substr(at, data.size()) == data) {
            at += data.size();
            const Text inside = text_.substr(at, max_data);
            const std::size_t end = at + std::min(inside.find(ends_data), inside.size());
            add_value({at, end}, key);
            at = std::min(end + ends_data.size(), text_.size());
            continue;
        }
        if (is_at(at + 1, u'/') && text_.substr(at + 2, name.end - name.begin) == view(name)) {
            return;
        }
        at = std::min(text_.find(u'>', at), text_.size() - 1) + 1;
    }
}

// `--password secret`, `-p secret`, `-u alice:secret`. With = or : it is an assignment.
std::size_t Finder::option(std::size_t at) {
    const bool begins = at == 0 || is_blank(text_[at - 1]) || is_quote(text_[at - 1]);
    std::size_t name = at;
    while (name < text_.size() && name - at < 2 && text_[name] == u'-') {
        ++name;
    }
    std::size_t end = name;
    while (end < text_.size() && end - name <= limits::key_units && in_key(text_[end])) {
        ++end;
    }
    const std::size_t value = past_blanks(end);
    if (!begins || end == name || value == end || value >= text_.size() || text_[value] == u'-') {
        return at + 1;
    }
    const Text key = view({name, end});
    const bool is_short = (key == u"p" || key == u"pw") && name == at + 1;
    const bool is_login = key == u"u" && name == at + 1;
    const ValueRole role = is_short || is_login ? ValueRole{Role::secret} : key_of(key, true);
    if (role.role == Role::nothing) {
        return end;
    }
    const std::size_t stop = end_of_unquoted(value, false);
    const Text word = view({value, stop});
    if (is_login) {
        const std::size_t colon = word.find(u':');
        if (colon == Text::npos || colon + 1 == word.size() || is_slash(word[colon + 1])) {
            return end;
        }
        found_->push_back({{value, value + colon}, Role::user});
        return add_value({value + colon + 1, stop}, {Role::secret});
    }
    const bool is_port = std::ranges::all_of(
        word, [](char16_t c) { return is_digit(c) || c == u':' || c == u'.' || c == u','; });
    if (is_short && (is_port || word.find_first_of(u"/\\") != Text::npos)) {
        return end;
    }
    return value_of(value, role, u' ', false);
}

// user:password@host; `at` is after the slashes.
std::size_t Finder::user_of_url(std::size_t at) {
    constexpr Text ends_authority = u"/?# \t\r\n\"'<>\\|,;";
    const std::size_t end =
        end_of_text({at, std::min(text_.find_first_of(ends_authority, at), text_.size())});
    const std::size_t sign = view({at, end}).rfind(u'@');
    if (sign == Text::npos || sign == 0) {
        return at;
    }
    const std::size_t colon = view({at, at + sign}).find(u':');
    const std::size_t user_end = at + std::min(colon, sign);
    if (user_end > at) {
        found_->push_back({{at, user_end}, Role::user});
    }
    if (colon != Text::npos && colon + 1 < sign) {
        found_->push_back({{at + colon + 1, at + sign}, Role::secret});
    }
    return at + sign;
}

} // namespace

void find_private(Text text, Search search, KeyRoles& keys, std::vector<Finding>& found) {
    Finder(text, search, keys, found).run();
}

} // namespace etl::anonymize
