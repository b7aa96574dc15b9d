#include "gather/stream_schemas.hpp"

#include "decode/layout_trial.hpp"
#include "format/event_header.hpp"
#include "format/records.hpp"
#include "gather/limits.hpp"

#include <utility>

namespace etl::gather {

namespace {

/// Building a store is expensive. Unless the next event may need the new schemas, it waits until
/// this many events have arrived.
constexpr std::uint64_t renewal_step = 1U << 14U;

/// After this many stores it always waits, and longer: a hostile trace carries a schema in each
/// buffer.
constexpr std::uint32_t prompt_renewals = 256;
constexpr std::uint64_t late_renewal_step = 1U << 17U;

/// The key by which the schema of this event is found; none if it has no schema or carries it.
std::optional<schema::EventKey> key_of(const flow::Event& event) noexcept {
    const auto get = [&](auto field) {
        return load_le<typename decltype(field)::type>(event.record + field.offset);
    };
    if (format::is_event(event.kind)) {
        if (get(format::event_record::channel) == format::tracelogging_channel) {
            return std::nullopt;
        }
        return schema::EventKey{get(format::event_record::provider_id),
                                get(format::event_record::id), get(format::event_record::version)};
    }
    if (format::is_full(event.kind)) {
        return schema::EventKey{get(format::full_record::guid), get(format::full_record::type),
                                static_cast<std::uint8_t>(get(format::full_record::version))};
    }
    return std::nullopt;
}

} // namespace

StreamSchemas::StreamSchemas(SchemaFiles files, bool harvests, Remarks remarks)
    : catalog_(std::move(files.catalog)), harvests_(harvests), remarks_(std::move(remarks)),
      from_files_(std::move(files.store)) {}

void StreamSchemas::load() {
    if (!harvests_) {
        catalog_.load_all(*from_files_);
    }
    renew_store();
}

std::expected<StreamSchemas, catalog::PathError> StreamSchemas::open(const SchemaOptions& options,
                                                                     Remarks remarks) {
    auto files = open_schema_files(options, remarks);
    if (!files) {
        return std::unexpected(std::move(files.error()));
    }
    StreamSchemas schemas(*std::move(files), options.scope == SchemaScope::everything,
                          std::move(remarks));
    schemas.load();
    return schemas;
}

void StreamSchemas::set_build(std::uint32_t build) {
    if (std::exchange(windows_build_, build) != build) {
        newest_ = schema::for_build(newest_, build);
    }
}

void StreamSchemas::add(flow::Run events) {
    if (!harvests_) {
        return;
    }
    harvest_.add(events);
    arrived_ += events.size();
    bool is_news = harvest_.found() != found_;
    if (windows_build_ == 0) {
        is_news = add_first_events(events) || is_news;
    }
    if (!pending_ && is_news) {
        pending_ = events.front().buffer->number;
    }
}

// Returns whether one of them has to choose. Those of new providers are found when these are
// loaded.
bool StreamSchemas::add_first_events(flow::Run events) {
    bool has_choice = false;
    for (const flow::Event& event : events) {
        const auto key = format::is_event(event.kind) ? key_of(event) : std::nullopt;
        if (!key || first_bytes_ >= limits::first_event_bytes || first_events_.contains(*key)) {
            continue;
        }
        const flow::EventHeader header = flow::read_header(event);
        first_events_[*key] = {.pointer_size = header.pointer_size,
                               .payload = {header.payload.begin(), header.payload.end()}};
        first_bytes_ += sizeof(FirstEvent) + header.payload.size();
        has_choice = has_choice || newest_->find(*key).has_choice;
    }
    return has_choice;
}

// The first payload does not change, so that a choice holds to the end of the stream.
void StreamSchemas::choose_layouts(const schema::SchemaStore& among, schema::SchemaStore& to) {
    for (const auto& [key, first] : first_events_) {
        schema::Match match = among.find(key);
        std::erase_if(match.candidates, [](const auto* layout) { return layout->builds == 0; });
        const schema::EventSchema* const fitting =
            match.has_choice
                ? decode::first_that_fits(match.candidates, first.payload, first.pointer_size)
                : nullptr;
        if (fitting != nullptr) {
            to.choose(key, *fitting);
        }
    }
}

bool StreamSchemas::renew(const flow::Event& next) {
    if (!pending_) {
        return false;
    }
    const bool is_prompt = renewals_ < prompt_renewals;
    const bool is_needed = is_prompt && next.buffer->number >= *pending_;
    if (!is_needed && arrived_ - renewed_at_ < (is_prompt ? renewal_step : late_renewal_step)) {
        return false;
    }
    renew_store();
    find_late_schemas();
    return true;
}

// As in schemas_of(), schemas that the events carry take precedence over those of files.
void StreamSchemas::renew_store() {
    auto store = std::make_shared<schema::SchemaStore>();
    report_ = decode::Harvest(harvest_).finish(*store);
    catalog_.load(harvest_.providers(), *from_files_);
    store->add_all(*from_files_);
    store->set_build(windows_build_);
    store->freeze();
    gather::report_rejections(catalog_, remarks_,
                              std::exchange(reported_, catalog_.remarks().size()));
    newest_ = store;
    if (windows_build_ == 0 && store->depends_on_build()) {
        auto chosen = std::make_shared<schema::SchemaStore>(newest_);
        choose_layouts(*newest_, *chosen);
        chosen->freeze();
        newest_ = std::move(chosen);
    }
    found_ = harvest_.found();
    pending_.reset();
    renewed_at_ = arrived_;
    ++renewals_;
}

void StreamSchemas::find_late_schemas() {
    for (const auto& [key, count] : undecoded_) {
        if (!newest_->find(key).candidates.empty()) {
            printed_too_early_ += count.printed;
        }
    }
    std::erase_if(undecoded_,
                  [&](const auto& kind) { return !newest_->find(kind.first).candidates.empty(); });
    recent_ = {};
}

void StreamSchemas::end_batch() {
    for (const Key& key : in_batch_) {
        if (const auto kind = undecoded_.find(key); kind != undecoded_.end()) {
            kind->second.printed += std::exchange(kind->second.in_batch, 0);
        }
    }
    in_batch_.clear();
}

StreamSchemas::Count* StreamSchemas::count_of(const Key& key) {
    if (!newest_->find(key).candidates.empty() ||
        undecoded_.size() >= limits::counted_stream_kinds) {
        return nullptr;
    }
    return &undecoded_[key];
}

void StreamSchemas::count_printed(flow::Run events) {
    if (!harvests_) {
        return;
    }
    for (const flow::Event& event : events) {
        const auto key = key_of(event);
        if (!key) {
            continue;
        }
        Recent& recent = recent_[(std::to_integer<std::size_t>(key->provider.bytes[0]) * 31 +
                                  key->id * std::size_t{7} + key->version) %
                                 recent_.size()];
        if (!recent.is_set || recent.key != *key) {
            recent = {*key, count_of(*key), true};
        }
        if (recent.count != nullptr && recent.count->in_batch++ == 0) {
            in_batch_.push_back(*key);
        }
    }
}

void StreamSchemas::report_rejections(const std::string& trace) const {
    gather::report_rejections(trace, report_, remarks_);
}

flow::Run SchemaFeed::next_run() {
    const flow::Run run = upstream_->next_run();
    if (!run.empty() && harvesting_ == Harvesting::on_passage) {
        schemas_->add(run);
    }
    if (!run.empty() && schemas_->renew(run.front()) && on_renewal_) {
        on_renewal_();
    }
    return run;
}

flow::Run PrintedEvents::next_run() {
    const flow::Run run = upstream_->next_run();
    schemas_->count_printed(run);
    return run;
}

} // namespace etl::gather
