#include "base/text.hpp"
#include "cli/console.hpp"
#include "verbs/logman/logman.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>

namespace cli::logman {

namespace {

namespace mode = etl::session::mode;

/// The number of keywords: a number, or names as `(A,B)` or `A,B`.
std::string keyword_number(const std::string& provider, std::string text,
                           const OptionValues& values) {
    if (text.starts_with('(') && text.ends_with(')')) {
        text = text.substr(1, text.size() - 2);
    }
    if (text.empty() || text == "*" || etl::parse_number(text)) {
        return text;
    }
    if (is_of_kernel(provider)) {
        return {}; // refused with the session
    }
    const auto mask = keyword_mask(read_described_providers(), provider, text);
    if (!mask) {
        values.refuse(fmt::format("'{}' are not keywords that a schema of {} has; `logman query "
                                  "providers NAME` lists them; expected PROVIDER [KEYWORDS "
                                  "[LEVEL]]",
                                  text, provider));
    }
    return fmt::format("{:#x}", *mask);
}

/// `PROVIDER [KEYWORDS [LEVEL]]`.
ProviderSpec spec_of(const std::vector<std::string>& texts, const OptionValues& values) {
    const auto part = [&](std::size_t at) { return at < texts.size() ? texts[at] : std::string(); };
    const std::string provider = part(0), level = part(2);
    const std::string keywords = keyword_number(provider, part(1), values);
    auto spec = parse_provider_spec({provider, keywords, level, {}},
                                    fmt::format("{}", fmt::join(texts, " ")));
    if (!spec) {
        values.refuse(spec.error() + "; expected PROVIDER [KEYWORDS [LEVEL]]");
    }
    return *std::move(spec);
}

/// The words of a line; quotes keep spaces.
std::vector<std::string> words_of(const std::string& line) {
    std::vector<std::string> words;
    bool is_quoted = false, is_open = false;
    for (const char c : line) {
        if (c == '"') {
            is_quoted = !is_quoted;
        }
        if (c == '"' || (!is_quoted && (c == ' ' || c == '\t' || c == '\r'))) {
            is_open = is_open && c == '"';
            continue;
        }
        if (!is_open) {
            words.emplace_back();
            is_open = true;
        }
        words.back() += c;
    }
    return words;
}

/// The lines `{guid} keywords level name` of a file.
void add_provider_file(WindowsSession& to, const OptionValues& values) {
    std::ifstream file(values.text());
    if (!file) {
        values.refuse(printable(values.text()) + ": cannot read the file");
    }
    constexpr std::size_t max_words = 4; // the name is a comment
    std::size_t number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        const std::vector<std::string> words = words_of(line);
        const bool is_text = std::ranges::all_of(
            line, [](char c) { return c == '\t' || c == '\r' || !(c >= 0 && c < ' '); });
        if (words.size() > max_words || !is_text) {
            values.refuse(
                fmt::format("{}:{}: expected GUID KEYWORDS LEVEL NAME", values.text(), number));
        }
        if (!words.empty()) {
            to.providers.push_back(spec_of(words, values));
        }
    }
}

void set_format(WindowsSession& to, const OptionValues& values) {
    const std::string word = etl::to_lower_ascii(values.text());
    if (word == "bincirc") {
        to.set(mode::circular);
    } else if (word != "bin") {
        values.refuse("sessions write bin or bincirc; `etl dump -o FILE.csv` converts a trace");
    }
}

void set_clock(WindowsSession& to, const OptionValues& values) {
    constexpr NamedValue clocks[] = {{"perf", 1}, {"system", 2}, {"cycle", 3}};
    to.options.clock = values.one_of(clocks);
}

void set_modes(WindowsSession& to, const OptionValues& values) {
    for (const std::string& text : values.texts()) {
        to.set(values.mode_bits(text));
    }
}

void set_series(WindowsSession& to, const OptionValues& values) {
    if (!values.texts().empty() && values.seconds() != 0) {
        values.refuse("not supported by time; -cnf with -max begins a new file when it is full");
    }
    to.set(mode::new_file);
}

void set_buffers(WindowsSession& to, const OptionValues& values) {
    to.options.minimum_buffers = values.number(0);
    to.options.maximum_buffers = values.number(1);
}

constexpr SessionWord session_words[] = {
    {"--p", 1, 3,
     [](auto& to, auto& values) { to.providers.push_back(spec_of(values.texts(), values)); },
     "PROVIDER [KEYWORDS [LEVEL]]",
     "enable a provider; a name, glob, or GUID; repeatable; --p disables it (update)"},
    {"--pf", 1, 1, add_provider_file, "FILE",
     "enable the providers of a file: lines GUID KEYWORDS LEVEL NAME"},
    {"--o", 1, 1, [](auto& to, auto& values) { to.file.path = values.text(); }, "FILE",
     "log file; .etl is added if it has no extension (default: NAME.etl)"},
    {"--f", 1, 1, set_format, "FORMAT", "bin or bincirc (circular; needs -max)", "bin,bincirc"},
    {"--max", 1, 1, [](auto& to, auto& values) { to.options.maximum_file_size = values.number(); },
     "MB", "limit the file to this size in MB"},
    {"--cnf", 0, 1, set_series, "", "a series of files NAME_N.etl of the size -max"},
    {"--a", 0, 0, [](auto& to, auto&) { to.set(mode::append); }, "", "continue an existing file"},
    {"--ow", 0, 0, [](auto& to, auto&) { to.file.force = true; }, "", "replace an existing file"},
    {"--y", 0, 0, [](auto& to, auto&) { to.file.force = true; }, "", "the same"},
    {"--bs", 1, 1, [](auto& to, auto& values) { to.options.buffer_kb = values.number(); }, "KB",
     "size of a buffer in KB"},
    {"--nb", 2, 2, set_buffers, "MIN MAX", "minimum and maximum number of buffers"},
    {"--ft", 1, 1, [](auto& to, auto& values) { to.options.flush_timer = values.seconds(); },
     "TIME", "write partly filled buffers after this time, [[HH:]MM:]SS"},
    {"--ct", 1, 1, set_clock, "CLOCK", "perf, system, or cycle (default: perf)",
     "perf,system,cycle"},
    {"--mode", 1, 8, set_modes, "MODE...",
     "globalsequence, localsequence, pagedmemory, circular, buffering, ...",
     "globalsequence,localsequence,pagedmemory,sequential,circular,append,newfile,preallocate,"
     "buffering,realtime"},
    {"--rt", 0, 0, [](auto& to, auto&) { to.real_time = true; }, "",
     "real-time mode, for `etl live`; -o is optional; --rt ends it (update)"},
    {"--ln", 1, 1, [](auto& to, auto& values) { to.options.name = values.text(); }, "NAME",
     "name of the session, instead of NAME"},
};

/// `--x` turns an option off; see read_windows_words().
constexpr SessionWord off_words[] = {
    {"--no-rt", 0, 0, [](auto& to, auto&) { to.real_time = false; }},
    {"--no-a", 0, 0, [](auto& to, auto&) { to.options.mode &= ~mode::append; }},
    {"--no-ow", 0, 0, [](auto& to, auto&) { to.file.force = false; }},
    {"--no-cnf", 0, 0, [](auto& to, auto&) { to.options.mode &= ~mode::new_file; }},
};

constexpr const char* no_schedule =
    "sessions have no schedule; start and stop them with cron or systemd";
constexpr const char* no_remote = "sessions of other machines are not controlled; run it there";

constexpr RefusedWord refused[] = {
    {"--b", no_schedule},
    {"--e", no_schedule},
    {"--rf", no_schedule},
    {"--m", no_schedule},
    {"--rc", no_schedule},
    {"--s", no_remote},
    {"--u", no_remote},
    {"--config", "write its options on the command line"},
    {"--ul", "private sessions belong to one process, which starts them itself"},
    {"--v", "write the version into the name of the file"},
};

} // namespace

void add_words(Verb& verb, CommandLine& to) {
    const auto session = [&to]() -> WindowsSession& { return to.session; };
    add_session_words(verb, session_words, session, "Options");
    add_session_words(verb, off_words, session, "");
    add_action_word(verb, {"--no-p", 1, 3}, "", [&to](const OptionValues& values) {
        to.disabled.push_back(spec_of(values.texts(), values));
    });
}

void add_refused_words(Verb& verb) {
    refuse_words(verb, refused);
}

} // namespace cli::logman
