#include "facts/process_matcher.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace etl::facts {

namespace {

constexpr std::string_view extension = ".exe";

std::optional<std::uint32_t> parse_id(std::string_view word) noexcept {
    const bool is_hex = word.starts_with("0x") || word.starts_with("0X");
    word.remove_prefix(is_hex ? 2 : 0);
    std::uint32_t id = 0;
    const char* const end = word.data() + word.size();
    const auto [rest, error] = std::from_chars(word.data(), end, id, is_hex ? 16 : 10);
    return error == std::errc{} && rest == end ? std::optional(id) : std::nullopt;
}

} // namespace

ProcessSelection parse_process_selection(std::span<const std::string> words) {
    ProcessSelection selection;
    for (const std::string& word : words) {
        if (const auto id = parse_id(word)) {
            selection.ids.push_back(*id);
        } else {
            selection.names.push_back(word);
        }
    }
    return selection;
}

bool matches_process_name(std::string_view glob, std::string_view name) noexcept {
    if (matches_glob(glob, name)) {
        return true;
    }
    const std::size_t stem = name.size() - std::min(name.size(), extension.size());
    return equals_ignoring_case(name.substr(stem), extension) &&
           matches_glob(glob, name.substr(0, stem));
}

ProcessMatcher::Verdict ProcessMatcher::verdict_on(std::uint32_t process,
                                                   const flow::Event& event) const {
    if (std::ranges::find(selection_.ids, process) != selection_.ids.end()) {
        return Verdict::matches;
    }
    if (selection_.names.empty()) {
        return Verdict::differs;
    }
    const auto known = attributor_.facts_of(event).process(process, event.raw_time);
    if (!known || known->name.empty()) {
        return Verdict::unnamed;
    }
    const bool matches = std::ranges::any_of(selection_.names, [&](const std::string& glob) {
        return matches_process_name(glob, known->name);
    });
    return matches ? Verdict::matches : Verdict::differs;
}

ProcessMatcher::Verdict ProcessMatcher::operator()(const flow::Event& event) {
    return verdict_of(attributor_.attribute(event), event);
}

ProcessMatcher::Verdict ProcessMatcher::operator()(const decode::DecodedEvent& event,
                                                   std::uint32_t generation) {
    return verdict_of(attributor_.attribute(event, generation), *event.event);
}

ProcessMatcher::Verdict ProcessMatcher::verdict_of(const Attribution& about,
                                                   const flow::Event& event) const {
    Verdict verdict = about.is_complete ? Verdict::differs : Verdict::unattributed;
    for (const std::uint32_t process : {about.process, about.switched_out}) {
        if (process == flow::no_id) {
            continue;
        }
        const Verdict one = verdict_on(process, event);
        if (one == Verdict::matches) {
            return one;
        }
        verdict = verdict == Verdict::differs ? one : verdict;
    }
    return verdict;
}

} // namespace etl::facts
