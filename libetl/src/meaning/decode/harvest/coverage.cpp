#include "decode/coverage.hpp"

#include "decode/decode_note.hpp"

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

std::string_view name(RawReason reason) noexcept {
    switch (reason) {
    case RawReason::none:
        return "none";
    case RawReason::not_requested:
        return "not_asked";
    case RawReason::no_schema:
        return "no_schema";
    case RawReason::unknown_provider:
        return "unknown_provider";
    case RawReason::invalid_metadata:
        return "invalid_metadata";
    case RawReason::manifest_chunk:
        return "manifest_chunk";
    case RawReason::schema_record:
        return "schema_record";
    case RawReason::no_format:
        return "no_format";
    case RawReason::no_layout:
        return "no_layout";
    case RawReason::other_version:
        return "other_version";
    }
    return {};
}

std::uint64_t CoverageCounts::decoded() const noexcept {
    return sum(decoded_by);
}

std::uint64_t CoverageCounts::raw() const noexcept {
    return sum(raw_by_reason);
}

CoverageCounts& CoverageCounts::operator+=(const CoverageCounts& other) noexcept {
    add_each(decoded_by, other.decoded_by);
    add_each(raw_by_reason, other.raw_by_reason);
    exact += other.exact;
    guessed += other.guessed;
    trailing += other.trailing;
    short_payloads += other.short_payloads;
    contradicting += other.contradicting;
    return *this;
}

void Coverage::add(const DecodedEvent& event) {
    CoverageCounts& counts = counts_of(event.header.provider);
    if (event.kind->schema == nullptr) {
        ++counts.raw_by_reason[static_cast<std::size_t>(event.kind->raw_reason)];
        return;
    }
    ++counts.decoded_by[static_cast<std::size_t>(event.kind->decoded_by)];
    add_decoded(event, counts);
}

void Coverage::add_decoded(const DecodedEvent& event, CoverageCounts& counts) {
    const bool may_differ = event.kind->plan.size_fit(event.body.size()) != SizeFit::exact ||
                            event.kind->is_guess || event.problem != nullptr ||
                            !event.kind->problem.empty();
    if (!may_differ) {
        ++counts.exact;
        return;
    }
    walker_.start(event.kind->plan, event.body);
    while (walker_.next() != Step::end) {
    }
    switch (certainty_of(event, walker_)) {
    case Certainty::exact:
        ++counts.exact;
        break;
    case Certainty::guessed:
        ++counts.guessed;
        break;
    case Certainty::trailing:
        ++counts.trailing;
        break;
    case Certainty::too_short:
        ++counts.short_payloads;
        break;
    case Certainty::contradicting:
        ++counts.contradicting;
        break;
    }
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
