#include "anonymize/texts/findings.hpp"

#include <etl/anonymize/limits.hpp>

#include "anonymize/names/secret_names.hpp"
#include "anonymize/names/secret_words.hpp"
#include "anonymize/names/well_known.hpp"

#include <algorithm>
#include <array>
#include <optional>

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

/// The ASCII form of a part of a text, for names.
class KeyText {
public:
    explicit KeyText(Text text) noexcept : size_(std::min(text.size(), limits::key_units)) {
        std::ranges::transform(text.substr(0, size_), letters_.begin(), [](char16_t c) {
            return c < 0x80 ? static_cast<char>(c) : '?';
        });
    }

    std::string_view view() const noexcept { return {letters_.data(), size_}; }

private:
    std::array<char, limits::key_units> letters_{};
    std::size_t size_;
};

/// What can begin at a unit: a token or a number, one of the signs of Finder::look(), nothing.
enum class Unit : std::uint8_t { other, wordy, sign };

constexpr auto ascii_units = [] {
    std::array<Unit, 0x80> units{};
    for (char16_t c = 0; c < units.size(); ++c) {
        units[c] = is_wordy(c) ? Unit::wordy : Unit::other;
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
    constexpr std::size_t shortest = 4;
    if (word.size() < shortest || word.size() > limits::key_units ||
        !of_schemes.has(word.front()) || !std::ranges::all_of(word, is_ascii_letter)) {
        return false;
    }
    const KeyText letters(word);
    const NameWords name(letters.view());
    return std::ranges::find(words::authorization_schemes, name.letters()) !=
           words::authorization_schemes.end();
}

class Finder {
public:
    Finder(Text text, Search search, std::vector<Finding>& found)
        : text_(text), search_(search), found_(&found) {}

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
    Role role_of_key(Text key, bool is_named) const noexcept;
    std::size_t line_of(std::size_t at, char16_t quote, Role role);
    std::size_t value_of(std::size_t at, Role role, bool ends_pairs);
    Range quoted(std::size_t at) const noexcept;
    std::size_t end_of_unquoted(std::size_t at, bool ends_pairs) const noexcept;
    std::size_t add_value(Range where, Role role);
    std::size_t user_of_url(std::size_t at);
    std::size_t private_key(std::size_t at);
    std::size_t token(std::size_t at);
    std::size_t azure_secret(std::size_t at);
    std::size_t credentials(std::size_t at);
    std::size_t bank_number(std::size_t at);
    std::size_t card(std::size_t at);
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
    bool begins_word(std::size_t at) const noexcept {
        return at == 0 || !is_wordy(text_[at - 1]);
    }

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
    std::vector<Finding>* found_;
    /// `key="Password"` or `"name":"Password"`: the value that follows is that of a secret.
    Role pending_ = Role::nothing;
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
        pending_ = Role::nothing;
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
    end = end > at ? end : bank_number(at);
    return std::max(end, at + 1);
}

std::size_t Finder::number(std::size_t at) {
    if (const std::size_t end = card(at); end > at) {
        return end;
    }
    return national_phone(at);
}

// A token with a known beginning, up to where letters, digits, and the like end.
std::size_t Finder::token(std::size_t at) {
    for (const words::TokenForm& form : words::token_forms) {
        if (form.prefix.front() != static_cast<char>(text_[at]) || !starts_at(at, form.prefix)) {
            continue;
        }
        const std::size_t end = run_of(at, in_token);
        if (end - at >= form.prefix.size() + form.least) {
            found_->push_back({{at, end}, Role::secret});
            return end;
        }
    }
    return at;
}

// A secret of an application in Azure: three characters, a digit, Q~.
std::size_t Finder::azure_secret(std::size_t at) {
    constexpr std::size_t mark = 4, least = 37, most = 40;
    if (at + least <= text_.size() && is_digit(text_[at + mark - 1]) && is_at(at + mark, u'Q') &&
        is_at(at + mark + 1, u'~')) {
        std::size_t end = at;
        while (end < text_.size() && end - at <= most &&
               (in_token(text_[end]) || text_[end] == u'~')) {
            ++end;
        }
        if (end - at >= least && end - at <= most) {
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
    constexpr std::size_t least = 8;
    bool has_digit = false, has_lower = false, has_upper_inside = false, is_padded = false;
    for (std::size_t i = begin; i < last; ++i) {
        has_digit = has_digit || is_digit(text_[i]);
        has_lower = has_lower || (is_ascii_letter(text_[i]) && !is_upper_ascii(text_[i]));
        has_upper_inside = has_upper_inside || (i > begin && is_upper_ascii(text_[i]));
        is_padded = text_[i] == u'=';
    }
    const bool is_one = last - begin >= least && text_[last - 1] != u':' &&
                        (is_padded || has_digit || (has_lower && has_upper_inside));
    return is_one ? add_value({begin, last}, Role::secret) : at;
}

// Between BEGIN and END of a private key, and up to the end if there is no END.
std::size_t Finder::private_key(std::size_t at) {
    constexpr std::size_t longest_label = 64;
    const std::size_t label_end = text_.find(u"-----", at + 5);
    const Text label = view({at, std::min(label_end, text_.size())});
    if (label_end == Text::npos || label.size() > longest_label ||
        label.find(u"PRIVATE KEY") == Text::npos) {
        return at + 1;
    }
    const std::size_t begin = label_end + 5;
    const std::size_t end = std::min(text_.find(u"-----END ", begin), text_.size());
    return begin < end ? add_value({begin, end}, Role::secret) : end;
}

// Two letters, two check digits, and as many letters and digits as the country has; blanks can be
// between groups of four.
std::size_t Finder::bank_number(std::size_t at) {
    if (search_ == Search::bytes || text_.size() - at < 15 || !is_upper_ascii(text_[at]) ||
        !is_upper_ascii(text_[at + 1]) || !is_digit(text_[at + 2]) || !is_digit(text_[at + 3])) {
        return at;
    }
    const auto country = std::ranges::find_if(words::bank_numbers, [&](const auto& number) {
        return starts_at(at, number.country);
    });
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
        const unsigned value = is_digit(c) ? static_cast<unsigned>(c - u'0')
                                           : 10U + static_cast<unsigned>(c - u'A');
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

// Digits of a payment card, alone or in groups with one separator, whose check digit is right.
std::size_t Finder::card(std::size_t at) {
    constexpr std::size_t most = 19;
    const char16_t before = at > 0 ? text_[at - 1] : u' ';
    const bool is_inside = at > 1 && (before == u'-' || before == u'.' || before == u'_' ||
                                      before == u',' || before == u'+') &&
                           is_wordy(text_[at - 2]);
    if (is_inside || before == u'.' || before == u'#') {
        return at;
    }
    std::array<unsigned, most> digits{};
    std::array<std::size_t, 5> groups{};
    std::size_t count = 0, group = 0, end = at;
    char16_t separator = u'\0';
    while (end < text_.size()) {
        if (is_digit(text_[end])) {
            if (count == most) {
                return at;
            }
            digits[count++] = static_cast<unsigned>(text_[end] - u'0');
            ++groups[group];
            ++end;
            continue;
        }
        const bool separates = (text_[end] == u' ' || text_[end] == u'-') &&
                               (separator == u'\0' || separator == text_[end]);
        const bool goes_on = separates && groups[group] >= 4 && groups[group] <= 6 &&
                             group + 1 < groups.size() && end + 1 < text_.size() &&
                             is_digit(text_[end + 1]);
        if (!goes_on) {
            break;
        }
        separator = text_[end++];
        ++group;
    }
    const bool is_alone = group == 0;
    const bool is_grouped =
        groups[0] == 4 && ((group == 3 && groups[1] == 4 && groups[2] == 4 && groups[3] == 4) ||
                           (group == 4 && groups[1] == 4 && groups[2] == 4 && groups[3] == 4) ||
                           (group == 2 && groups[1] == 6 && (groups[2] == 5 || groups[2] == 4)));
    const bool goes_on = end + 1 < text_.size() && is_wordy(text_[end + 1]) &&
                         (text_[end] == u'-' || text_[end] == u'.' || text_[end] == u'_');
    if (!(is_alone || is_grouped) || count < 13 || !ends_word(end) || goes_on) {
        return at;
    }
    const unsigned first = digits[0] * 1000 + digits[1] * 100 + digits[2] * 10 + digits[3];
    const bool is_issued = std::ranges::any_of(words::card_ranges, [&](const auto& range) {
        return first >= range.first && first <= range.last && count >= range.least &&
               count <= range.most;
    });
    unsigned sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const unsigned twice = digits[count - 1 - i] * (i % 2 == 1 ? 2U : 1U);
        sum += twice > 9 ? twice - 9 : twice;
    }
    if (!is_issued || sum % 10 != 0) {
        return at;
    }
    found_->push_back({{at, end}, Role::account_number});
    return end;
}

// +1 425 555 0123: after the sign, 8 to 15 digits with single separators. A number with one dot is
// no phone.
std::size_t Finder::phone(std::size_t at) {
    constexpr std::size_t least = 8, most = 15;
    std::size_t digits = 0, separators = 0, dots = 0, end = at + 1;
    for (std::size_t i = at + 1; i < text_.size(); ++i) {
        const char16_t c = text_[i];
        if (is_digit(c)) {
            if (++digits > most) {
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
    if (digits < least || is_at(at + 1, u'0') || is_decimal || goes_on || !ends_word(end)) {
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
    const bool is_right = has_bracket ? second == u'-' || second == u' ' || second == u'.'
                                      : second == separator;
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
    const bool begins_pair = before == u';' || is_quote(before) ||
                             (before == u' ' && begin > 1 && text_[begin - 2] == u';');
    return begin < blank && begins_pair ? Range{begin, key.end} : key;
}

Role Finder::role_of_key(Text key, bool is_named) const noexcept {
    constexpr std::ptrdiff_t shortest = 2; // pw; a drive has one letter
    if (std::ranges::count_if(key, is_ascii_letter) < shortest) {
        return Role::nothing;
    }
    const KeyText name(key);
    const NameWords words(name.view());
    if (words.count() == 0) {
        return Role::nothing;
    }
    if (is_secret_key(words)) {
        return Role::secret;
    }
    if (search_ == Search::bytes) {
        return Role::nothing;
    }
    if (is_phone_name(words)) {
        return Role::phone;
    }
    if (!is_named) {
        return Role::nothing;
    }
    if (words.letters() == "server" || words.letters() == "datasource") {
        return Role::computer;
    }
    const Role role = role_of_text(name.view(), Role::nothing);
    return role == Role::user || role == Role::computer ? role : Role::nothing;
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
    Range key = key_before(at);
    if (key.empty()) {
        return at + 1;
    }
    std::size_t value = at + 1;
    if (!is_colon && (is_at(value, u'=') || is_at(value, u'>'))) {
        ++value; // == and =>
    }
    value = past_blanks(value);
    const bool key_is_quoted =
        key.end < at && !is_space(text_[key.end]) && text_[key.end] != u':';
    const bool is_named = !is_colon || key_is_quoted;
    const Text name = view(key);
    const bool is_value = equals_folded(name, u"value") || equals_folded(name, u"val");
    Role role = role_of_key(name, is_named);
    if (is_value && pending_ != Role::nothing) {
        role = pending_;
        pending_ = Role::nothing;
    } else if (is_named && (equals_folded(name, u"key") || equals_folded(name, u"name") ||
                            equals_folded(name, u"n") || equals_folded(name, u"k"))) {
        const Range of = quoted(value);
        if (of.end - of.begin <= limits::key_units) {
            pending_ = of.empty() ? Role::nothing : role_of_key(view(of), true);
        }
        return at + 1;
    }
    if (role == Role::nothing && !is_colon && !key_is_quoted) {
        key = with_word_before(key);
        role = role_of_key(view(key), is_named);
    }
    if (role == Role::nothing) {
        return at + 1;
    }
    const bool is_header = is_colon && !key_is_quoted && role == Role::secret &&
                           is_secret_header(NameWords(KeyText(name).view()));
    if (is_header) {
        const char16_t quote = key.begin > 0 ? text_[key.begin - 1] : u'\0';
        return line_of(value, is_quote(quote) ? quote : u'\0', role);
    }
    const bool ends_pairs = key.begin > 0 && (text_[key.begin - 1] == u';' ||
                                              (text_[key.begin - 1] == u' ' && key.begin > 1 &&
                                               text_[key.begin - 2] == u';'));
    return value_of(value, role, ends_pairs && !is_colon);
}

// The value of a header, up to the end of the line or the quote that began before its name.
std::size_t Finder::line_of(std::size_t at, char16_t quote, Role role) {
    std::size_t end = at;
    while (end < text_.size() && !ends_line(text_[end]) &&
           (quote == u'\0' || text_[end] != quote)) {
        ++end;
    }
    return end > at ? add_value({at, end}, role) : at;
}

// The value at `at`, in quotes, or up to where it seems to end.
std::size_t Finder::value_of(std::size_t at, Role role, bool ends_pairs) {
    if (at >= text_.size()) {
        return at;
    }
    if (const Range inside = quoted(at); !inside.empty()) {
        return add_value(inside, role);
    }
    if (text_[at] == u'"' || text_[at] == u'{' || text_[at] == u'[' || text_[at] == u'(' ||
        text_[at] == u'<') {
        return at; // empty, or what has names of its own
    }
    if (role == Role::phone) {
        std::size_t end = at;
        for (std::size_t i = at; i < text_.size(); ++i) {
            const char16_t c = text_[i];
            if (is_digit(c)) {
                end = i + 1;
            } else if (c != u' ' && c != u'-' && c != u'.' && c != u'/' && c != u'(' &&
                       c != u')' && c != u'+') {
                break;
            }
        }
        return end > at ? add_value({at, end}, role) : at;
    }
    const std::size_t end = end_of_unquoted(at, ends_pairs);
    return end > at ? add_value({at, end}, role) : at;
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
        if (text_[i] == quote && (before <= escapes && (escapes > 0 || before % 2 == 0))) {
            return {begin, i - std::min(before, escapes)};
        }
        before = text_[i] == u'\\' ? before + 1 : 0;
    }
    return {begin, text_.size()};
}

// A value of a connection string can contain blanks: it ends at the next `;` if no other pair
// begins before it.
std::size_t Finder::end_of_unquoted(std::size_t at, bool ends_pairs) const noexcept {
    constexpr std::size_t longest_with_blanks = 256;
    std::size_t end = at;
    for (; end < text_.size() && end - at < longest_with_blanks; ++end) {
        const char16_t c = text_[end];
        if (c == u';') {
            return end;
        }
        if (ends_line(c) || is_quote(c) || c == u'<' || c == u'>' || c == u'&' ||
            (c == u'=' && !ends_word(end + 1))) {
            break;
        }
    }
    if (ends_pairs && (end == text_.size() || ends_line(text_[end]) || is_quote(text_[end]))) {
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

std::size_t Finder::add_value(Range where, Role role) {
    if (search_ == Search::bytes) { // a text ends where a byte is no part of one
        const auto ends_text = [](char16_t c) { return (c < u' ' && !is_blank(c)) || c > u'~'; };
        const auto end = std::ranges::find_if(view(where), ends_text) - view(where).begin();
        where.end = where.begin + static_cast<std::size_t>(end);
    }
    const Text value = view(where);
    // Numbers of few digits count, or are flags; 0x and up to 8 digits: a token of metadata.
    constexpr std::size_t longest_number = 3, longest_hex = 10;
    const bool is_number = std::ranges::all_of(value, is_digit);
    const bool is_idle = says_nothing(value) || (is_number && value.size() <= longest_number) ||
                         (value.size() <= longest_hex && value.starts_with(u"0x")) ||
                         (is_number && role == Role::user);
    if (is_idle) {
        return where.end;
    }
    const std::size_t blank = value.find(u' ');
    if (role == Role::secret && blank < value.size() && is_scheme(value.substr(0, blank))) {
        where.begin += blank + 1; // the scheme of an Authorization header stays
    }
    found_->push_back({where, role});
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
    const Role role = role_of_key(view({local, end}), true);
    const std::size_t close = text_.find_first_of(u"<>", end);
    if (role == Role::nothing || close == Text::npos || text_[close] != u'>' ||
        text_[close - 1] == u'/') {
        return end;
    }
    std::size_t begin = close + 1;
    constexpr std::string_view data = "<![CDATA[";
    begin += begin < text_.size() && starts_at(begin, data) ? data.size() : 0;
    const std::size_t next = std::min(text_.find(u'<', begin), text_.size());
    if (begin < next) {
        add_value({begin, next}, role);
    }
    return end;
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
    const Role role = is_short || is_login ? Role::secret : role_of_key(key, true);
    if (role == Role::nothing) {
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
        return add_value({value + colon + 1, stop}, Role::secret);
    }
    const bool is_port = std::ranges::all_of(
        word, [](char16_t c) { return is_digit(c) || c == u':' || c == u'.' || c == u','; });
    if (is_short && (is_port || word.find_first_of(u"/\\") != Text::npos)) {
        return end;
    }
    return value_of(value, role, false);
}

// user:password@host; `at` is after the slashes.
std::size_t Finder::user_of_url(std::size_t at) {
    constexpr Text ends_authority = u"/?# \t\r\n\"'<>\\|,;";
    const std::size_t end = std::min(text_.find_first_of(ends_authority, at), text_.size());
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

void find_private(Text text, Search search, std::vector<Finding>& found) {
    Finder(text, search, found).run();
}

} // namespace etl::anonymize
