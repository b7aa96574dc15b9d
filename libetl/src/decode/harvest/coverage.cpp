#include <etl/decode/coverage.hpp>

#include <algorithm>
#include <functional>
#include <numeric>

namespace etl::decode {

namespace {

template <typename Counts>
std::uint64_t sum(const Counts& counts) noexcept {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

template <typename Counts>
void add_each(Counts& to, const Counts& from) noexcept {
    std::ranges::transform(to, from, to.begin(), std::plus{});
}

} // namespace

std::string_view name(WhyRaw why) noexcept {
    switch (why) {
    case WhyRaw::is_not:
        return "is_not";
    case WhyRaw::not_asked:
        return "not_asked";
    case WhyRaw::no_schema:
        return "no_schema";
    case WhyRaw::unknown_provider:
        return "unknown_provider";
    case WhyRaw::broken_metadata:
        return "broken_metadata";
    case WhyRaw::manifest_chunk:
        return "manifest_chunk";
    case WhyRaw::schema_record:
        return "schema_record";
    case WhyRaw::no_format:
        return "no_format";
    case WhyRaw::no_layout:
        return "no_layout";
    case WhyRaw::other_version:
        return "other_version";
    }
    return {};
}

std::uint64_t CoverageCounts::decoded() const noexcept {
    return sum(by_source);
}

std::uint64_t CoverageCounts::raw() const noexcept {
    return sum(by_why);
}

CoverageCounts& CoverageCounts::operator+=(const CoverageCounts& other) noexcept {
    add_each(by_source, other.by_source);
    add_each(by_why, other.by_why);
    exact += other.exact;
    guessed += other.guessed;
    trailing += other.trailing;
    is_short += other.is_short;
    contradicting += other.contradicting;
    return *this;
}

void Coverage::add(const DecodedEvent& event) {
    CoverageCounts& counts = counts_of(event.header.provider);
    if (event.kind->schema == nullptr) {
        ++counts.by_why[static_cast<std::size_t>(event.kind->why_raw)];
        return;
    }
    ++counts.by_source[static_cast<std::size_t>(event.kind->source)];
    add_decoded(event, counts);
}

void Coverage::add_decoded(const DecodedEvent& event, CoverageCounts& counts) {
    if (event.problem != nullptr || !event.kind->problem.empty()) {
        ++counts.contradicting;
        return;
    }
    if (event.kind->is_guess) {
        ++counts.guessed;
        return;
    }
    if (event.kind->plan.fits(event.body.size()) == Fits::exactly) {
        ++counts.exact;
        return;
    }
    walker_.start(event.kind->plan, event.body);
    while (walker_.next() != Step::end) {
    }
    ++(walker_.failed()             ? counts.contradicting
       : walker_.is_short()         ? counts.is_short
       : walker_.trailing().empty() ? counts.exact
                                    : counts.trailing);
}

CoverageCounts& Coverage::counts_of(const Guid& provider) {
    if (last_ == nullptr || provider != last_guid_) {
        last_ = &providers_[provider];
        last_guid_ = provider;
    }
    return *last_;
}

void Coverage::combine(const Coverage& other) {
    for (const auto& [guid, counts] : other.providers_) {
        providers_[guid] += counts;
    }
}

CoverageCounts Coverage::total() const noexcept {
    CoverageCounts total;
    for (const auto& [guid, counts] : providers_) {
        total += counts;
    }
    return total;
}

} // namespace etl::decode
