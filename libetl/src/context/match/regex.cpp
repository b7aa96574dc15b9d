#include "match/regex.hpp"

#include "base/text.hpp"
#include "match/limits.hpp"

#include <fmt/format.h>
#include <unicode/regex.h>
#include <unicode/unistr.h>

#include <mutex>
#include <vector>

namespace etl::match {

namespace {

// Of one search: steps of the engine, and bytes of its stack for backtracking.
constexpr std::int32_t max_steps = 200; // of about a millisecond each
constexpr std::int32_t max_stack = 8 << 20;

icu::UnicodeString unicode_of(std::string_view text) {
    return icu::UnicodeString::fromUTF8(
        icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())));
}

} // namespace

struct Regex::State {
    std::unique_ptr<const icu::RegexPattern> pattern;
    mutable std::mutex mutex;
    mutable std::vector<std::unique_ptr<icu::RegexMatcher>> idle; // one thread each
};

Regex::Regex(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}

Regex::~Regex() = default;

std::expected<std::shared_ptr<const Regex>, std::string> Regex::compile(std::string_view pattern) {
    UErrorCode status = U_ZERO_ERROR;
    UParseError place{};
    auto state = std::make_unique<State>();
    state->pattern.reset(
        icu::RegexPattern::compile(unicode_of(pattern), UREGEX_CASE_INSENSITIVE, place, status));
    if (U_FAILURE(status) || !state->pattern) {
        return std::unexpected(
            fmt::format("not a valid regular expression: {} at character {}",
                        U_FAILURE(status) ? u_errorName(status) : "out of memory", place.offset));
    }
    return std::shared_ptr<const Regex>(new Regex(std::move(state)));
}

bool Regex::finds(std::string_view text) const {
    UErrorCode status = U_ZERO_ERROR;
    std::unique_ptr<icu::RegexMatcher> matcher;
    {
        const std::scoped_lock lock(state_->mutex);
        if (!state_->idle.empty()) {
            matcher = std::move(state_->idle.back());
            state_->idle.pop_back();
        }
    }
    if (!matcher) {
        matcher.reset(state_->pattern->matcher(status));
        if (U_FAILURE(status) || !matcher) {
            return false;
        }
        matcher->setTimeLimit(max_steps, status);
        matcher->setStackLimit(max_stack, status);
    }
    const icu::UnicodeString subject = unicode_of(text.substr(0, limits::regex_text_bytes));
    matcher->reset(subject);
    status = U_ZERO_ERROR;
    const bool found = matcher->find(status) != 0;
    matcher->reset();
    const std::scoped_lock lock(state_->mutex);
    state_->idle.push_back(std::move(matcher));
    return found && U_SUCCESS(status) != 0;
}

} // namespace etl::match
