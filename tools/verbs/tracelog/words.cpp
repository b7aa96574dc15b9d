#include "base/text.hpp"
#include "cli/console.hpp"
#include "format/provider_identity.hpp"
#include "verbs/tracelog/tracelog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>

namespace cli::tracelog {

namespace {

namespace mode = etl::session::mode;

template <std::uint32_t bits>
void set_mode(WindowsSession& to, const OptionValues&) {
    to.set(bits);
}

/// A mode of files, with their size.
template <std::uint32_t bits>
void set_size(WindowsSession& to, const OptionValues& values) {
    to.set(bits);
    to.options.maximum_file_size = values.number();
}

template <std::uint32_t clock>
void set_clock(WindowsSession& to, const OptionValues&) {
    to.options.clock = clock;
}

void set_hybrid_shutdown(WindowsSession& to, const OptionValues& values) {
    const std::string word = etl::to_lower_ascii(values.text());
    if (word != "stop" && word != "persist") {
        values.refuse("expected stop or persist");
    }
    to.set(word == "stop" ? mode::stop_on_hybrid_shutdown : mode::persist_on_hybrid_shutdown);
}

void set_guid(WindowsSession& to, const OptionValues& values) {
    std::string text = values.text();
    text.erase(0, text.starts_with('#') ? 1 : 0);
    const auto guid = etl::parse_guid(text);
    if (!guid) {
        values.refuse(fmt::format("'{}' is not a GUID", printable(text)));
    }
    to.options.guid = *guid;
}

constexpr SessionWord session_words[] = {
    {"--f", 1, 1, [](auto& to, auto& values) { to.file.path = values.text(); }, "FILE",
     "log file (default: LogFile.etl); of -flush and -stop: write a session in memory to it"},
    {"--rt", 0, 0, [](auto& to, auto&) { to.real_time = true; }, "",
     "real-time mode, for `etl live`; -f is optional"},
    {"--seq", 1, 1, set_size<mode::sequential>, "MB", "sequential file, limited to this size"},
    {"--cir", 1, 1, set_size<mode::circular>, "MB", "circular file of this size"},
    {"--newfile", 1, 1, set_size<mode::new_file>, "MB",
     "a series of files of this size; FILE contains %d"},
    {"--append", 0, 0, set_mode<mode::append>, "", "continue an existing file"},
    {"--prealloc", 0, 0, set_mode<mode::preallocate>, "", "reserve the size of the file"},
    {"--kb", 0, 0, set_mode<mode::use_kbytes_for_size>, "", "sizes of files are in KB"},
    {"--b", 1, 1, [](auto& to, auto& values) { to.options.buffer_kb = values.number(); }, "KB",
     "size of a buffer in KB"},
    {"--min", 1, 1, [](auto& to, auto& values) { to.options.minimum_buffers = values.number(); },
     "N", "buffers at the start"},
    {"--max", 1, 1, [](auto& to, auto& values) { to.options.maximum_buffers = values.number(); },
     "N", "maximum number of buffers"},
    {"--ft", 1, 1, [](auto& to, auto& values) { to.options.flush_timer = values.number(); },
     "SECONDS", "write partly filled buffers after this time"},
    {"--bt", 1, 1, [](auto& to, auto& values) { to.options.flush_threshold = values.number(); },
     "N", "write buffers when so many are full"},
    {"--buffering", 0, 0, set_mode<mode::buffering>, "",
     "keep the newest events in memory; -flush -f and -stop -f write them"},
    {"--useperfcounter", 0, 0, set_clock<1>, "", "clock: performance counter (default)"},
    {"--usesystemtime", 0, 0, set_clock<2>, "", "clock: system time"},
    {"--usecpucycle", 0, 0, set_clock<3>, "", "clock: CPU cycles"},
    {"--sessionguid", 1, 1, set_guid, "#GUID", "GUID of the session"},
};

/// Accepted, with the effect that docs/sessions.md#modes gives.
constexpr SessionWord other_modes[] = {
    {"--gs", 0, 0, set_mode<mode::use_global_sequence>},
    {"--ls", 0, 0, set_mode<mode::use_local_sequence>},
    {"--paged", 0, 0, set_mode<mode::use_paged_memory>},
    {"--lowcapacity", 0, 0, set_mode<mode::no_per_processor_buffering>},
    {"--secure", 0, 0, set_mode<mode::secure>},
    {"--independent", 0, 0, set_mode<mode::independent_session>},
    {"--kd", 0, 0, set_mode<mode::kd_filter>},
    {"--hybridshutdown", 1, 1, set_hybrid_shutdown},
};

constexpr const char* kernel = configures_kernel_events;
constexpr const char* private_session =
    "private sessions belong to one process, which starts them itself (docs/sessions.md)";
constexpr const char* boot = "sessions do not start with the machine; start them in a script";
constexpr const char* packages = "packages exist on Windows only; -ExeFilter selects programs";

constexpr RefusedWord refused[] = {
    {"--um", private_session},
    {"--pids", private_session},
    {"--addautologger", boot},
    {"--remove", boot},
    {"--systemrundown", kernel},
    {"--eflag", kernel},
    {"--img", kernel},
    {"--noprocess", kernel},
    {"--nothread", kernel},
    {"--nodisk", kernel},
    {"--nonet", kernel},
    {"--dpcisr", kernel},
    {"--fio", kernel},
    {"--hf", kernel},
    {"--pf", kernel},
    {"--cm", kernel},
    {"--critsec", kernel},
    {"--heap", kernel},
    {"--stackwalk", kernel},
    {"--pmc", kernel},
    {"--profilesource", kernel},
    {"--setprofint", kernel},
    {"--lbr", kernel},
    {"--systemlogger", kernel},
    {"--lp", kernel},
    {"--pkgidfilter", packages},
    {"--pkgappidfilter", packages},
    {"--stackwalkfilter", "`-enableproperty 4` records a stack with each event"},
};

// --- providers

void add_event_filter(CommandLine& to, const OptionValues& values, bool excludes) {
    std::vector<std::uint16_t> ids;
    for (const std::uint32_t id :
         values.counted_ids(0xFFFF, "the number of IDs, then the IDs: 2 100 101")) {
        ids.push_back(static_cast<std::uint16_t>(id));
    }
    to.how.filters.push_back(excludes ? etl::session::make_event_exclusion_filter(ids)
                                      : etl::session::make_event_filter(ids));
}

void add_process_filter(CommandLine& to, const OptionValues& values) {
    to.how.filters.push_back(etl::session::make_process_filter(
        values.counted_ids(std::numeric_limits<std::uint32_t>::max(),
                           "the number of process IDs, then the IDs: 1 4711")));
}

/// The lines `guid;keywords;level` of a file; `;` begins a comment.
std::vector<ProviderSpec> read_guid_file(const std::string& path, const CommandLine& line) {
    std::ifstream file(path);
    if (!file) {
        throw UsageError(
            "-guid",
            fmt::format("'{}' is not #GUID, *NAME, or a file that can be read", printable(path)));
    }
    std::vector<ProviderSpec> specs;
    std::size_t number = 0;
    for (std::string text; std::getline(file, text);) {
        ++number;
        std::array<std::string, 3> parts;
        std::size_t part = 0;
        for (const char c : text) {
            if (c == ';' && !parts[0].empty() && part + 1 < parts.size()) {
                ++part;
            } else if (c == ';') {
                break; // a comment
            } else if (c != ' ' && c != '\t' && c != '\r') {
                parts.at(part) += c;
            }
        }
        if (parts[0].empty()) {
            continue;
        }
        auto spec = parse_provider_spec({parts[0], parts[1], parts[2], {}}, text);
        if (!spec || !etl::parse_guid(parts[0])) {
            throw UsageError("-guid", fmt::format("{}:{}: expected GUID;KEYWORDS;LEVEL",
                                                  printable(path), number));
        }
        const etl::session::EnableOptions own = spec->enable;
        spec->enable = line.how;
        spec->enable.match_any = parts[1].empty() ? line.how.match_any : own.match_any;
        spec->enable.level = parts[2].empty() ? line.how.level : own.level;
        specs.push_back(*std::move(spec));
    }
    return specs;
}

void add_provider_words(Verb& verb, CommandLine& to) {
    const auto add = [&](const SessionWord& word, auto apply) {
        add_action_word(verb, word, "Providers",
                        [&to, apply](const OptionValues& values) { apply(to, values); });
    };
    add({"--guid", 1, 1, nullptr, "PROVIDER",
         "#GUID, *NAME (the GUID that EventSource derives from it), or a file with lines "
         "GUID;KEYWORDS;LEVEL; repeatable"},
        [](CommandLine& line, const OptionValues& values) { line.guids.push_back(values.text()); });
    const auto set_keywords = [](CommandLine& line, const OptionValues& values) {
        line.how.match_any = values.mask();
    };
    add({"--flag", 1, 1, nullptr, "N", "keywords (flags of classic providers)"}, set_keywords);
    add({"--matchanykw", 1, 1, nullptr, "N", "keywords, the same as -flag"}, set_keywords);
    add({"--matchallkw", 1, 1, nullptr, "N", "keywords that an event must all have"},
        [](CommandLine& line, const OptionValues& values) { line.how.match_all = values.mask(); });
    add({"--level", 1, 1, nullptr, "N", "highest level, 1 to 255"},
        [](CommandLine& line, const OptionValues& values) {
            line.how.level = static_cast<std::uint8_t>(values.number_of(values.text(), 255));
        });
    add({"--enableproperty", 1, 1, nullptr, "N", "bits of EnableProperty; 4: stacks"},
        [](CommandLine& line, const OptionValues& values) { line.how.property = values.number(); });
    add({"--sourceguid", 1, 1, nullptr, "#GUID", "source ID that callbacks receive"},
        [](CommandLine& line, const OptionValues& values) {
            WindowsSession parsed;
            set_guid(parsed, values);
            line.how.source = parsed.options.guid;
        });
    add({"--eventidfilter", 0, 0, nullptr, "", "-in N ID... or -out N ID...: events by ID"},
        [](CommandLine&, const OptionValues&) {});
    add({"--in", 1, 65, nullptr, "N ID...", "with -EventIdFilter: only these"},
        [](CommandLine& line, const OptionValues& values) {
            add_event_filter(line, values, false);
        });
    add({"--out", 1, 65, nullptr, "N ID...", "with -EventIdFilter: all others"},
        [](CommandLine& line, const OptionValues& values) {
            add_event_filter(line, values, true);
        });
    add({"--exefilter", 1, 1, nullptr, "NAME;NAME", "only in programs of these names"},
        [](CommandLine& line, const OptionValues& values) {
            line.how.filters.push_back(etl::session::make_executable_filter(values.text()));
        });
    add({"--pidfilter", 2, 9, nullptr, "N PID...", "only in these processes"}, add_process_filter);
}

void set_action(CommandLine& to, Action action, const OptionValues& values) {
    if (to.action && to.action != action) {
        values.refuse("one action at a time");
    }
    to.action = action;
    if (!values.text().empty()) {
        to.session.options.name = values.text();
    }
}

} // namespace

void add_words(Verb& verb, CommandLine& to) {
    to.session.options.name = kernel_logger;
    using enum Action;
    const auto add = [&](Action action, const SessionWord& word) {
        add_action_word(verb, word, "Actions", [&to, action](const OptionValues& values) {
            set_action(to, action, values);
        });
    };
    add(start, {"--start", 0, 1, nullptr, "NAME", "start a session"});
    add(stop, {"--stop", 0, 1, nullptr, "NAME", "stop it"});
    add(update, {"--update", 0, 1, nullptr, "NAME", "change it: -f, -rt, -max, -ft, -guid"});
    add(flush, {"--flush", 0, 1, nullptr, "NAME", "write all events recorded so far"});
    add(query, {"--q", 0, 1, nullptr, "NAME", "print its state"});
    add(list, {"--l", 0, 0, nullptr, "", "print the state of all sessions"});
    add(enable, {"--enable", 0, 1, nullptr, "NAME", "enable the providers of -guid"});
    add(enable, {"--enableex", 0, 1, nullptr, "NAME", "the same"});
    add(disable, {"--disable", 0, 1, nullptr, "NAME", "disable them"});
    add(capture_state, {"--capturestate", 0, 1, nullptr, "NAME", "ask them to record their state"});
    add(list_guids, {"--enumguid", 0, 0, nullptr, "", "list registered and enabled providers"});
    add_action_word(verb, {"--enumguidex", 0, 1, nullptr, "#GUID", "the same, with processes"},
                    "Actions", [&to](const OptionValues& values) {
                        set_action(to, list_guids, {"-enumguidex", {}});
                        to.has_processes = true;
                        to.guids = values.texts();
                    });
    const auto session = [&to]() -> WindowsSession& { return to.session; };
    add_session_words(verb, session_words, session, "Session");
    add_session_words(verb, other_modes, session, "");
    add_provider_words(verb, to);
    add_action_word(
        verb, {"--timeout", 1, 1, nullptr, "MS", "accepted: changes wait for up to 2 s"},
        "Providers", [](const OptionValues& values) { static_cast<void>(values.number()); });
    verb.add_flag("--y", to.session.file.force,
                  "replace an existing file (not in Windows' tracelog)");
    refuse_words(verb, refused);
}

std::vector<ProviderSpec> read_providers(const CommandLine& line) {
    std::vector<ProviderSpec> specs;
    for (const std::string& text : line.guids) {
        const std::string name =
            text.substr(text.starts_with('#') || text.starts_with('*') ? 1 : 0);
        if (text.starts_with('*')) {
            specs.push_back({etl::to_string(etl::format::guid_of_provider_name(name)), line.how});
        } else if (etl::parse_guid(name)) {
            specs.push_back({name, line.how});
        } else {
            std::ranges::move(read_guid_file(text, line), std::back_inserter(specs));
        }
    }
    return specs;
}

} // namespace cli::tracelog
