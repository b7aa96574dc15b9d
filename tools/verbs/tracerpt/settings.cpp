#include "verbs/tracerpt/settings.hpp"

#include "base/text.hpp"
#include "cli/console.hpp"

#include <fmt/format.h>

#include <fstream>

namespace cli {

namespace {

constexpr std::size_t max_settings = 1U << 20U;

/// Splits at blanks outside of quotes.
void add_words(std::vector<std::string>& to, std::string_view line) {
    std::string word;
    bool is_quoted = false;
    bool has_word = false;
    for (const char c : line) {
        if (c == '"') {
            is_quoted = !is_quoted;
            has_word = true;
        } else if (!is_quoted && (c == ' ' || c == '\t')) {
            if (has_word) {
                to.push_back(std::move(word));
            }
            word.clear();
            has_word = false;
        } else {
            word.push_back(c);
            has_word = true;
        }
    }
    if (has_word) {
        to.push_back(std::move(word));
    }
}

/// `-OF` as `--of`.
std::string as_long_option(std::string_view word) {
    return "--" +
           etl::to_lower_ascii(word.substr(std::min(word.find_first_not_of("-/"), word.size())));
}

void add_line(std::vector<std::string>& to, std::string_view line) {
    if (line.starts_with('-') || line.starts_with('/')) {
        std::vector<std::string> words;
        add_words(words, line);
        for (std::string& word : words) {
            to.push_back(word.size() > 1 && word.starts_with('-') ? as_long_option(word)
                                                                  : std::move(word));
        }
        if (!words.empty() && line.starts_with('/')) {
            to[to.size() - words.size()] = as_long_option(words.front());
        }
        return;
    }
    const std::size_t equals = line.find('=');
    if (equals == line.npos) {
        add_words(to, line); // traces
        return;
    }
    to.push_back(as_long_option(etl::trimmed(line.substr(0, equals))));
    add_words(to, etl::trimmed(line.substr(equals + 1)));
}

} // namespace

std::vector<std::string> words_of_settings(std::string_view text) {
    std::vector<std::string> words;
    if (text.starts_with("\xEF\xBB\xBF")) {
        text.remove_prefix(3);
    }
    while (!text.empty()) {
        const std::string_view whole = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), whole.size() + 1));
        const std::string_view line = etl::trimmed(whole);
        if (!line.empty() && !line.starts_with('#') && !line.starts_with(';') &&
            !line.starts_with('[')) {
            add_line(words, line);
        }
    }
    return words;
}

std::expected<std::vector<std::string>, std::string> read_settings(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text(max_settings + 1, '\0');
    if (!file) {
        return std::unexpected(fmt::format("-config: {}: cannot open", printable(path)));
    }
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.size() > max_settings) {
        return std::unexpected(fmt::format("-config: {}: larger than 1 MB", printable(path)));
    }
    return words_of_settings(text);
}

} // namespace cli
