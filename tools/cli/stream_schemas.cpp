#include "cli/stream_schemas.hpp"

#include <etl/format/records.hpp>
#include <etl/relog/limits.hpp>

#include "cli/console.hpp"

#include <utility>

namespace cli {

namespace {

namespace format = etl::format;

/// Making a store costs: what arrives while events from before it are decoded waits until so much
/// of the stream has come.
constexpr std::uint64_t build_step = 1U << 20U;

/// After so many stores it always waits, and longer: a hostile trace brings a schema in each
/// buffer.
constexpr std::uint32_t prompt_builds = 256;
constexpr std::uint64_t late_build_step = 8U << 20U;

constexpr std::uint8_t tracelogging_channel = 11;

/// What a schema of this event would be found by; nothing where it can have none, or carries it.
std::optional<etl::schema::EventKey> key_of(const etl::flow::Event& event) noexcept {
    using Kind = format::RecordKind;
    const auto get = [&](auto field) {
        return etl::load_le<typename decltype(field)::type>(event.record + field.offset);
    };
    if (event.kind == Kind::event32 || event.kind == Kind::event64) {
        if (get(format::event_record::channel) == tracelogging_channel) {
            return std::nullopt;
        }
        return etl::schema::EventKey{get(format::event_record::provider_id),
                                     get(format::event_record::id),
                                     get(format::event_record::version)};
    }
    if (event.kind == Kind::full32 || event.kind == Kind::full64) {
        return etl::schema::EventKey{get(format::full_record::guid), get(format::full_record::type),
                                     static_cast<std::uint8_t>(get(format::full_record::version))};
    }
    return std::nullopt;
}

} // namespace

StreamSchemas::StreamSchemas(etl::catalog::Catalog catalog, bool harvests)
    : catalog_(std::move(catalog)), harvests_(harvests) {}

void StreamSchemas::load() {
    if (!harvests_) {
        catalog_.load_all(from_files_);
    }
    build();
}

std::optional<StreamSchemas> StreamSchemas::open(const SchemaOptions& options) {
    std::vector<std::string> files = options.paths;
    std::vector<std::string> lending = take_traces(files);
    auto catalog = etl::catalog::Catalog::open({.paths = files, .culture = options.culture});
    if (!catalog) {
        say(catalog.error().path, catalog.error().error);
        return std::nullopt;
    }
    StreamSchemas schemas(std::move(*catalog), options.harvest);
    if (!lend(std::move(lending), 1, schemas.from_files_)) {
        return std::nullopt;
    }
    schemas.load();
    return schemas;
}

void StreamSchemas::add(etl::flow::Run events) {
    if (!harvests_) {
        return;
    }
    harvest_.add(events);
    arrived_ = events.front().buffer->where.value;
    if (!pending_ && harvest_.found() != found_) {
        pending_ = events.front().buffer->number;
    }
}

bool StreamSchemas::renew(const etl::flow::Event& next) {
    if (!pending_) {
        return false;
    }
    const bool is_prompt = builds_ < prompt_builds;
    const bool is_needed = is_prompt && next.buffer->number >= *pending_;
    if (!is_needed && arrived_ - built_ < (is_prompt ? build_step : late_build_step)) {
        return false;
    }
    build();
    find_late_schemas();
    return true;
}

// As gather_schemas(): what the trace carries comes before what files say.
void StreamSchemas::build() {
    auto store = std::make_shared<etl::schema::SchemaStore>();
    report_ = etl::decode::Harvest(harvest_).finish(*store);
    catalog_.load(harvest_.providers(), from_files_);
    for (const auto& schema : from_files_.schemas()) {
        store->add(schema);
    }
    for (const auto& [guid, provider] : from_files_.providers()) {
        store->add_provider(provider);
    }
    store->freeze();
    cli::tell_refusals(catalog_, std::exchange(told_, catalog_.remarks().size()));
    newest_ = std::move(store);
    found_ = harvest_.found();
    pending_.reset();
    built_ = arrived_;
    ++builds_;
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
    if (!newest_->find(key).candidates.empty() || undecoded_.size() >= etl::limits::counted_kinds) {
        return nullptr;
    }
    return &undecoded_[key];
}

void StreamSchemas::count_printed(etl::flow::Run events) {
    if (!harvests_) {
        return;
    }
    for (const etl::flow::Event& event : events) {
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

void StreamSchemas::tell_refusals(const std::string& trace) const {
    cli::tell_refusals(trace, report_);
}

etl::flow::Run SchemaFeed::next_run() {
    const etl::flow::Run run = upstream_->next_run();
    if (!run.empty() && schemas_->renew(run.front()) && on_renewal_) {
        on_renewal_();
    }
    return run;
}

etl::flow::Run PrintedEvents::next_run() {
    const etl::flow::Run run = upstream_->next_run();
    schemas_->count_printed(run);
    return run;
}

} // namespace cli
