#include "verbs/generate/options.hpp"

#include "base/limits.hpp"
#include "cli/option_values.hpp"
#include "cli/progress.hpp"
#include "verbs/generate/generator.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace cli {

namespace {

using generate::Recipe;

constexpr std::uint32_t max_payload = 60'000; // fits any kind of record

template <typename T>
std::optional<T> number(std::string_view text) {
    T value{};
    const char* const end = text.data() + text.size();
    const auto [rest, code] = std::from_chars(text.data(), end, value);
    return code == std::errc{} && rest == end ? std::optional(value) : std::nullopt;
}

[[noreturn]] void refuse(const char* option, const std::string& word, const std::string& what) {
    throw UsageError(option, "'" + printable(word) + "' is not " + what);
}

std::uint64_t read_count(const std::string& word) {
    constexpr std::string_view letters = "KMG";
    std::string_view digits = word;
    std::uint64_t unit = 1;
    if (const std::size_t letter = letters.find(word.empty() ? ' ' : word.back());
        letter != std::string_view::npos) {
        digits.remove_suffix(1);
        for (std::size_t i = 0; i <= letter; ++i) {
            unit *= 1000;
        }
    }
    const auto count = number<std::uint32_t>(digits);
    if (!count) {
        refuse("--events", word, "a number of events (examples: 5000, 20K, 3M)");
    }
    return *count * unit;
}

std::int64_t read_duration(const std::string& word) {
    const auto ticks = parse_duration(word);
    if (!ticks || *ticks <= 0) {
        refuse("--duration", word, "a duration (examples: 500ms, 10s, 2m)");
    }
    return *ticks;
}

etl::Filetime read_start(const std::string& word) {
    using Kind = etl::match::TimePoint::Kind;
    const auto point = etl::match::parse_time_point(word);
    if (!point || (point->kind != Kind::absolute && point->kind != Kind::local)) {
        refuse("--start", word, "a date and time (example: 2024-05-17T04:00:00Z)");
    }
    return point->at;
}

/// `names`: of the kinds. `example`: a word that is accepted.
template <std::size_t N>
std::array<std::uint32_t, N> read_mix(const char* option, const std::string& words,
                                      const std::array<std::string_view, N>& names,
                                      const char* example) {
    std::array<std::uint32_t, N> mix{};
    for (const std::string& word : split_list(words, ',')) {
        const std::size_t colon = word.find(':');
        const std::string name = word.substr(0, colon);
        const auto weight = colon == std::string::npos
                                ? std::optional<std::uint32_t>(1)
                                : number<std::uint32_t>(std::string_view(word).substr(colon + 1));
        if (!weight || *weight > 1'000'000) {
            refuse(option, word, fmt::format("a kind with a weight (example: {})", example));
        }
        const auto* const kind = std::ranges::find(names, name);
        if (name == "all") {
            mix.fill(*weight);
        } else if (kind == names.end()) {
            refuse(option, name, fmt::format("one of all, {}", fmt::join(names, ", ")));
        } else {
            mix[static_cast<std::size_t>(kind - names.begin())] = *weight;
        }
    }
    if (std::ranges::count(mix, 0U) == std::ssize(mix)) {
        refuse(option, words, "a usable mix: all weights are 0");
    }
    return mix;
}

void read_payload(const std::string& word, Recipe& recipe) {
    const std::size_t dots = word.find("..");
    const auto least = number<std::uint32_t>(std::string_view(word).substr(0, dots));
    const auto most = dots == std::string::npos
                          ? least
                          : number<std::uint32_t>(std::string_view(word).substr(dots + 2));
    if (!least || !most || *least > *most || *most > max_payload) {
        refuse("--payload", word,
               fmt::format("a size or range up to {} (examples: 64, 16..128)", max_payload));
    }
    recipe.least_payload = *least;
    recipe.most_payload = *most;
}

std::vector<generate::Damage> read_damages(const std::string& words) {
    std::vector<generate::Damage> damages;
    for (const std::string& word : split_list(words, ',')) {
        const auto damage = generate::parse_damage(word);
        if (!damage) {
            refuse("--damage", word,
                   fmt::format(
                       "one of flip:N, truncate, zero-buffer:N, or bad-sizes:N, with N up to {}",
                       generate::Damage::max));
        }
        damages.push_back(*damage);
    }
    return damages;
}

/// An option whose value is parsed by `read`.
template <typename Read>
Option* add_word(Verb& verb, const char* name, const Read& read, const char* help,
                 const char* type) {
    return verb.add_option_function<std::string>(name, read, help)->type_name(type);
}

void add_amounts(Verb& verb, Recipe& recipe) {
    add_word(
        verb, "--events", [&](const std::string& word) { recipe.events = read_count(word); },
        "number of events, or with K, M, or G (default: 10000, or by --duration)", "N");
    add_word(
        verb, "--duration", [&](const std::string& word) { recipe.duration = read_duration(word); },
        "duration of the session, such as 10s", "TIME");
    verb.add_option("--rate", recipe.rate, "events per second, on average (default: 10000)")
        ->check(in_range(1e-3, 1e9))
        ->type_name("N");
    add_choice<Recipe::Spacing>(
        verb, "--spacing", recipe.spacing,
        {{"exponential", Recipe::Spacing::exponential}, {"fixed", Recipe::Spacing::fixed}},
        "intervals between events: exponential or fixed (default: exponential)", "HOW");
    verb.add_option("--out-of-order", recipe.out_of_order,
                    "fraction of events with timestamps that are too early, 0 to 1 (default: 0)")
        ->check(in_range(0.0, 1.0))
        ->type_name("SHARE");
    verb.add_option("--lost-events", recipe.lost_events,
                    "set the lost-event count in the header (default: 0)")
        ->type_name("N");
    verb.add_option("--lost-buffers", recipe.lost_buffers,
                    "set the lost-buffer count in the header (default: 0)")
        ->type_name("N");
}

std::vector<std::string> values_of_mix(std::span<const std::string_view> names) {
    std::vector<std::string> values(names.begin(), names.end());
    values.emplace_back("all");
    return values;
}

void add_contents(Verb& verb, GenerateOptions& options) {
    Recipe& recipe = options.recipe;
    Option* const mix = add_word(
        verb, "--kinds",
        [&](const std::string& word) {
            recipe.mix = read_mix("--kinds", word, generate::kind_names, "perfinfo:3");
        },
        "kinds of events with weights, such as tracelogging:5,perfinfo, or all: tracelogging, "
        "event, string, system, compact, perfinfo, stack, full, instance, message, timed, wnode "
        "(default: the mix of a busy machine)",
        "LIST");
    suggest_values(mix, values_of_mix(generate::kind_names));
    verb.add_option("--providers", recipe.providers,
                    "number of providers of each kind that has providers (default: 4)")
        ->check(in_range(1, 10'000))
        ->type_name("N");
    add_word(
        verb, "--payload", [&](const std::string& word) { read_payload(word, recipe); },
        "approximate payload size in bytes, except for kernel events (default: 16..128)",
        "MIN..MAX");
    add_choice<Recipe::Text>(verb, "--text", recipe.text,
                             {{"ascii", Recipe::Text::ascii}, {"unicode", Recipe::Text::unicode}},
                             "characters in strings: ascii or unicode (default: ascii)", "WHICH");
    verb.add_option(
            "--manifest", options.manifest,
            "also write the manifest of the `event` kind to FILE; --force applies to it as well")
        ->check([](const std::string& path) {
            return std::string(path == "-" ? "expected a file name, found '-'" : "");
        })
        ->type_name("FILE");
}

void add_machine(Verb& verb, Recipe& recipe) {
    verb.add_option("--processors", recipe.processors, "number of processors (default: 4)")
        ->check(in_range(1U, etl::limits::processors))
        ->type_name("N");
    verb.add_option("--skew", recipe.skew,
                    "load skew: processor i gets a share of events proportional to 1/i^S (default: "
                    "0, equal load)")
        ->check(in_range(0.0, 10.0))
        ->type_name("S");
    using etl::format::ClockType;
    add_choice<ClockType>(verb, "--clock", recipe.clock,
                          {{"qpc", ClockType::qpc},
                           {"system", ClockType::system_time},
                           {"cycles", ClockType::cpu_cycles}},
                          "clock type: qpc, system, or cycles (default: qpc)", "CLOCK");
    using etl::format::Width;
    add_choice<Width>(verb, "--width", recipe.width, {{"32", Width::bits32}, {"64", Width::bits64}},
                      "pointer size in bits: 32 or 64 (default: 64)", "BITS");
    add_word(
        verb, "--start", [&](const std::string& word) { recipe.start = read_start(word); },
        "start time of the session (default: 2024-05-17T04:00:00Z)", "TIME");
}

} // namespace

void GenerateOptions::add_to(Verb& verb) {
    output.add_to(verb);
    add_amounts(verb, recipe);
    add_contents(verb, *this);
    add_machine(verb, recipe);
    auto* const flag = verb.add_flag(
        "--workload", this->workload,
        "generate a small machine at work instead of kinds: context switches, samples with stacks, "
        "disk reads, garbage collections (docs/generate.md)");
    const auto choose_captures = [this](const std::string& word) {
        capture = true;
        if (!word.empty()) {
            recipe.captures = read_mix("--capture", word, generate::capture_kind_names, "vlan:3");
        }
    };
    Option* const captures = verb.add_option_function<std::string>(
        "--capture", choose_captures,
        "generate captured packets instead of kinds of events: kinds of captures with weights, "
        "or all: ndis, fragments, wifi, mobile, switch, ras, pktmon, pktmon-wifi, pktmon-24h2, "
        "vlan, segmentation, ras-users, layers, dns, http (default: the first seven)");
    captures->expected(0, 1)->type_name("LIST")->excludes(flag);
    suggest_values(captures, values_of_mix(generate::capture_kind_names));
    verb.add_option("--truth", truth, "also write what --workload or --capture contains to FILE")
        ->type_name("FILE");
    Option* const damage = add_word(
        verb, "--damage", [this](const std::string& word) { damages = read_damages(word); },
        "damage the finished file: flip:N, truncate, zero-buffer:N, bad-sizes:N, or several, such "
        "as flip:20,truncate",
        "LIST");
    suggest_values(damage, {"flip:", "truncate", "zero-buffer:", "bad-sizes:"});
    verb.add_option("--seed", recipe.seed, "random seed (default: 1)")->type_name("N");
    verb.add_option("--threads", threads,
                    "number of compression threads (default: logical processors)")
        ->check(in_range(0, 1024))
        ->type_name("N");
    add_progress(verb, progress);
}

} // namespace cli
