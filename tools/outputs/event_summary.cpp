#include "outputs/event_summary.hpp"

#include "gather/facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cli {

namespace {

using etl::decode::DecodedEvent;

/// The parts of a name such as `Process/Start`; without a slash the whole is the type.
std::pair<std::string, std::string> parts_of(const std::string& event) {
    const std::size_t slash = event.find('/');
    return slash == event.npos ? std::pair(std::string(), event)
                               : std::pair(event.substr(0, slash), event.substr(slash + 1));
}

EventSummary::Kind kind_of(const DecodedEvent& event) {
    const etl::decode::EventKind& kind = *event.kind;
    EventSummary::Kind result{{}, {}, event.header.provider};
    if (kind.schema != nullptr && kind.schema->site) { // a WPP message
        result.name = kind.schema->site->component;
        result.type = kind.schema->symbol;
        return result;
    }
    const std::string name = kind.event.value_or("");
    if (kind.decoded_by == etl::decode::DecodedBy::mof) {
        std::tie(result.name, result.type) = parts_of(name);
    } else {
        result.name = kind.provider.value_or("Unknown");
        result.type = name;
    }
    if (result.type.empty()) {
        result.type = fmt::format("{}", event.header.id);
    }
    return result;
}

bool is_unknown_format(const DecodedEvent& event) noexcept {
    return event.kind->schema == nullptr && etl::format::is_message(event.event->kind);
}

} // namespace

void EventSummary::add(const Counts& counts) {
    const std::scoped_lock lock(mutex_);
    for (const auto& [kind, events] : counts.kinds) {
        counts_.kinds[kind] += events;
    }
    counts_.format_errors += counts.format_errors;
    counts_.unknown_formats += counts.unknown_formats;
}

std::string EventSummary::text(const Traces& traces, const Words& words) const {
    std::uint64_t events = 0, buffers = 0, lost = 0;
    for (const auto& [kind, count] : counts_.kinds) {
        events += count;
    }
    std::string text = "Files Processed:\n";
    for (const auto& file : traces.files()) {
        text += fmt::format("\t{}\n", printable(file.name()));
    }
    for (const auto& reader : traces.readers()) {
        buffers += reader->info().buffers;
        lost += reader->info().header.events_lost;
    }
    const auto bounds = traces.dataset().bounds();
    const std::int64_t ticks = bounds.end ? bounds.end->ticks - bounds.start.ticks : 0;
    text += fmt::format("Total Buffers Processed {}\nTotal Events  Processed {}\n"
                        "Total Events  Lost      {}\n",
                        buffers, events, lost);
    if (words.has_formats) {
        text += fmt::format("Total Format  Errors    {}\nTotal Formats Unknown   {}\n",
                            counts_.format_errors, counts_.unknown_formats);
    }
    text += fmt::format("Elapsed Time            {} sec\n",
                        std::max<std::int64_t>(ticks, 0) / etl::Filetime::per_second);
    constexpr int width = 87;
    const std::string rule = fmt::format("+{:-<{}}+\n", "", width);
    text += rule;
    text += fmt::format("|{:<10}    {:<20} {:<10}  {:<40}|\n", words.count, words.name, words.type,
                        words.guid);
    text += rule;
    for (const auto& [kind, count] : counts_.kinds) {
        std::string guid;
        etl::append_guid(guid, kind.guid);
        text += fmt::format("|{:>10}    {:<20} {:<10}  {:<40}|\n", count, printable(kind.name),
                            printable(kind.type), guid);
    }
    return text + rule;
}

SummingEncoder::SummingEncoder(std::unique_ptr<etl::flow::Encoder> inner,
                               std::shared_ptr<EventSummary> summary,
                               etl::schema::SchemasByTrace schemas)
    : inner_(std::move(inner)), summary_(std::move(summary)), schemas_(std::move(schemas)),
      decoder_(schemas_) {}

SummingEncoder::SummingEncoder(std::unique_ptr<etl::sink::DecodingEncoder> inner,
                               std::shared_ptr<EventSummary> summary,
                               etl::schema::SchemasByTrace schemas)
    : decoding_(inner.get()), inner_(std::move(inner)), summary_(std::move(summary)),
      schemas_(std::move(schemas)), decoder_(schemas_) {}

SummingEncoder::~SummingEncoder() {
    add_up();
    summary_->add({.kinds = {},
                   .format_errors = decode_counts().errors,
                   .unknown_formats = unknown_formats_});
}

std::unique_ptr<etl::flow::Encoder> SummingEncoder::clone() const {
    if (decoding_ != nullptr) {
        return std::make_unique<SummingEncoder>(decoding_->clone_decoding(), summary_, schemas_);
    }
    return std::make_unique<SummingEncoder>(inner_ ? inner_->clone() : nullptr, summary_, schemas_);
}

std::string_view SummingEncoder::head() const {
    return inner_ ? inner_->head() : std::string_view();
}

std::string_view SummingEncoder::separator() const {
    return inner_ ? inner_->separator() : std::string_view();
}

std::string_view SummingEncoder::tail() const {
    return inner_ ? inner_->tail() : std::string_view();
}

bool SummingEncoder::encode(const etl::flow::Event& event, std::string& to) {
    if (inner_ && !inner_->encode(event, to)) {
        return false;
    }
    if (decoding_ != nullptr) {
        count(decoding_->last(), decoding_->generation());
    } else {
        const DecodedEvent& decoded = decoder_.decode(event);
        count(decoded, decoder_.generation());
    }
    return inner_ != nullptr;
}

etl::flow::DecodeCounts SummingEncoder::decode_counts() const {
    return inner_ ? inner_->decode_counts() : etl::flow::DecodeCounts();
}

void SummingEncoder::count(const DecodedEvent& event, std::uint32_t generation) {
    if (generation != generation_) { // the numbers started over
        add_up();
        generation_ = generation;
    }
    const std::size_t number = event.kind->number;
    if (number >= kinds_.size()) {
        kinds_.resize(number + 1);
        events_.resize(number + 1);
    }
    if (events_[number]++ == 0) {
        kinds_[number] = kind_of(event);
    }
    unknown_formats_ += is_unknown_format(event) ? 1U : 0U;
}

void SummingEncoder::add_up() {
    EventSummary::Counts counts;
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
        if (events_[i] > 0) {
            counts.kinds[std::move(kinds_[i])] += events_[i];
        }
    }
    summary_->add(counts);
    kinds_.clear();
    events_.clear();
}

} // namespace cli
