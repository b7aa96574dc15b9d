#include "verbs/session/windows_session.hpp"

#include <etl/session.hpp>

#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/option_values.hpp"
#include "session/kernel_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cli {

namespace {

namespace mode = etl::session::mode;
using etl::machine::Controller;
using etl::session::SessionState;

constexpr std::string_view kernel_names[] = {
    kernel_logger, "Circular Kernel Context Logger", "Windows Kernel Trace",
    "9e814aad-3204-11d2-9a82-006008a86939", "54dea73a-ed1f-42a4-af71-3e63d056f174"};

bool is_in(std::string_view name, auto&& list, auto&& name_of) {
    return std::ranges::any_of(
        list, [&](const auto& one) { return etl::equals_ignoring_case(name, name_of(one)); });
}

/// Prints which part asks for kernel events.
bool asks_for_kernel(const WindowsSession& session) {
    const auto refused = [](const std::string& name) {
        say(printable(fmt::format("{}: {}", name, no_kernel_events)));
        return true;
    };
    for (const ProviderSpec& spec : session.providers) {
        if (is_of_kernel(spec.provider)) {
            return refused(spec.provider);
        }
    }
    return is_of_kernel(session.options.name) && refused(session.options.name);
}

/// The values without the empty one that CLI11 passes for an option that stands alone.
std::vector<std::string> without_empty(std::vector<std::string> texts) {
    std::erase(texts, "");
    return texts;
}

/// Whether there are options that only a start uses. NewFile names the files of logman.
bool has_fixed_options(const etl::session::SessionOptions& options) {
    return options.buffer_kb != 0 || options.maximum_file_size != 0 || options.clock != 0 ||
           options.flush_threshold != 0 || !options.guid.is_zero() ||
           (options.mode & ~mode::new_file) != 0;
}

ExitCode warn_of_losses(const SessionState& state) {
    const std::uint64_t buffers =
        std::uint64_t{state.log_buffers_lost} + state.real_time_buffers_lost;
    if (state.events_lost == 0 && buffers == 0) {
        return ExitCode::well;
    }
    say(fmt::format("warning: {}: {} and {} were lost", printable(state.options.name),
                    plural(state.events_lost, "event"), plural(buffers, "buffer")));
    return ExitCode::damaged;
}

} // namespace

const std::string& OptionValues::text(std::size_t at) const {
    static const std::string none;
    return at < texts_.size() ? texts_[at] : none;
}

std::uint32_t OptionValues::number_of(std::string_view text, std::uint32_t maximum) const {
    const auto number = etl::parse_number(text);
    if (!number || *number > maximum) {
        refuse(fmt::format("'{}' is not a number from 0 to {}", printable(text), maximum));
    }
    return static_cast<std::uint32_t>(*number);
}

std::uint64_t OptionValues::mask() const {
    const auto number = etl::parse_number(text());
    if (!number) {
        refuse(fmt::format("'{}' is not a number, such as 0x10", printable(text())));
    }
    return *number;
}

std::uint32_t OptionValues::one_of(std::span<const NamedValue> names) const {
    const auto found = std::ranges::find_if(
        names, [&](const NamedValue& one) { return etl::equals_ignoring_case(one.name, text()); });
    if (found == names.end()) {
        std::string list;
        for (std::size_t i = 0; i + 1 < names.size(); ++i) {
            list.append(names[i].name).append(names.size() > 2 ? ", " : " ");
        }
        refuse(fmt::format("expected {}or {}; found '{}'", list, names.back().name,
                           printable(text())));
    }
    return found->value;
}

std::vector<std::uint32_t> OptionValues::counted_ids(std::uint32_t maximum,
                                                     std::string_view what) const {
    std::vector<std::uint32_t> ids;
    for (const std::string& text : texts_) {
        ids.push_back(number_of(text, maximum));
    }
    if (ids.size() < 2 || ids.front() != ids.size() - 1) {
        refuse(fmt::format("expected {}", what));
    }
    ids.erase(ids.begin());
    return ids;
}

std::uint32_t OptionValues::seconds() const {
    constexpr std::uint32_t max = 24 * 60 * 60;
    std::uint32_t total = 0;
    std::string_view rest = text();
    while (true) {
        const std::size_t colon = std::min(rest.find(':'), rest.size());
        total = total * 60 + number_of(rest.substr(0, colon), max);
        if (total > max) {
            refuse("at most 24 hours");
        }
        if (colon == rest.size()) {
            return total;
        }
        rest.remove_prefix(colon + 1);
    }
}

std::uint32_t OptionValues::mode_bits(std::string_view names) const {
    std::uint32_t bits = 0;
    while (!names.empty()) {
        const std::size_t end = std::min(names.find_first_of("+|"), names.size());
        const std::uint32_t bit = etl::session::parse_mode_word(names.substr(0, end));
        if (bit == 0) {
            refuse(fmt::format("'{}' is not a mode; expected Sequential, Circular, Append, "
                               "NewFile, Preallocate, Buffering, or RealTime, or another name of "
                               "docs/sessions.md",
                               printable(names.substr(0, end))));
        }
        bits |= bit;
        names.remove_prefix(std::min(end + 1, names.size()));
    }
    return bits;
}

void OptionValues::refuse(const std::string& why) const {
    throw UsageError(option_, printable(why));
}

Option& add_action_word(Verb& verb, const SessionWord& word, const char* group,
                        const std::function<void(const OptionValues&)>& run) {
    const std::string shown = std::string(word.name).substr(1);
    if (word.most == 0) {
        return *verb.add_flag_callback(
                        word.name, [run, shown] { run({shown, {}}); }, word.help)
                    ->trigger_on_parse()
                    ->group(group);
    }
    Option* const option = verb.add_option_function<std::vector<std::string>>(
                                   word.name,
                                   [run, shown](const std::vector<std::string>& texts) {
                                       run({shown, without_empty(texts)});
                                   },
                                   word.help)
                               ->expected(word.least, word.most)
                               ->allow_extra_args(false)
                               ->trigger_on_parse()
                               ->type_name(word.type)
                               ->group(group);
    return *word.values == '\0' ? *option : *suggest_values(option, split_list(word.values, ','));
}

void add_session_words(Verb& verb, std::span<const SessionWord> words,
                       const std::function<WindowsSession&()>& session, const char* group) {
    for (const SessionWord& word : words) {
        add_action_word(verb, word, group,
                        [session, apply = word.apply](const OptionValues& values) {
                            apply(session(), values);
                        });
    }
}

void refuse_words(Verb& verb, std::span<const RefusedWord> words) {
    for (const RefusedWord& word : words) {
        verb.add_option_function<std::vector<std::string>>(
                word.name,
                [word](const std::vector<std::string>&) {
                    throw UsageError(std::string(word.name).substr(1),
                                     std::string("not supported; ") + word.why);
                })
            ->expected(0, -1)
            ->trigger_on_parse()
            ->group("");
    }
}

bool is_kernel_flag(std::string_view name) {
    const auto name_of = [](const auto& one) { return one.name; };
    return is_in(name, etl::session::kernel_flags(), name_of) ||
           is_in(name, etl::session::kernel_groups(), name_of);
}

bool is_of_kernel(std::string_view name) {
    if (name.starts_with('{') && name.ends_with('}')) {
        name = name.substr(1, name.size() - 2);
    }
    return is_in(name, kernel_names, std::identity{});
}

ExitCode start(WindowsSession session, const std::string& default_file) {
    if (asks_for_kernel(session)) {
        return ExitCode::usage;
    }
    etl::session::SessionOptions& options = session.options;
    options.mode |= session.real_time.value_or(false) ? mode::real_time : 0U;
    session.file.continues_existing = (options.mode & mode::append) != 0;
    if ((options.mode & mode::buffering) != 0 && !session.file.path.empty()) {
        say(printable(options.name) + ": a session in memory has no file; -flush and -stop write "
                                      "it to one");
        return ExitCode::usage;
    }
    if (session.file.path.empty() && (options.mode & (mode::buffering | mode::real_time)) == 0) {
        session.file.path = default_file;
    }
    return start_recording(session.providers, options, session.file);
}

ExitCode update(Controller& host, const WindowsSession& session) {
    if (asks_for_kernel(session)) {
        return ExitCode::usage;
    }
    const std::string& name = session.options.name;
    if (has_fixed_options(session.options)) {
        say(printable(name) + ": only the file, real-time mode, the maximum number of buffers, the "
                              "flush timer, and providers can be changed while a session runs");
        return ExitCode::usage;
    }
    const auto file = session.file.permitted();
    const auto providers = file ? find_providers(host, session.providers) : std::nullopt;
    if (!providers) {
        return ExitCode::failed;
    }
    etl::session::UpdateOptions change;
    change.file = *file;
    change.real_time = session.real_time;
    change.flush_timer = session.options.flush_timer; // 0: unchanged
    change.maximum_buffers = session.options.maximum_buffers;
    if (const auto updated = host.update(name, change); !updated) {
        return say_failure(name, updated.error());
    }
    const ExitCode exit = change_providers(host, name, *providers, Change::enable);
    if (exit == ExitCode::well) {
        warn_of_unregistered(host, *providers, Unregistered::all);
    }
    return exit;
}

std::optional<SessionState> finish(Controller& host, const WindowsSession& session, Ending how,
                                   ExitCode& exit) {
    const std::string& name = session.options.name;
    const auto file = session.file.permitted();
    if (!file) {
        exit = worst(exit, ExitCode::failed);
        return std::nullopt;
    }
    const auto nothing = how == Ending::stop
                             ? std::optional<NothingRecorded>(std::in_place, host, name)
                             : std::nullopt;
    const auto state = how == Ending::stop ? host.stop(name, *file) : host.flush(name, *file);
    if (state && nothing) {
        nothing->warn(*state, *file);
    }
    exit = worst(exit, state ? warn_of_losses(*state) : say_failure(name, state.error()));
    return state ? std::optional(*state) : std::nullopt;
}

} // namespace cli
