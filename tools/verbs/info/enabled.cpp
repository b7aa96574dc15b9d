#include "verbs/info/enabled.hpp"

#include "cli/provider_label.hpp"
#include "decode/decoder.hpp"
#include "decode/display_value.hpp"
#include "format/known_guids.hpp"
#include "verbs/info/shown.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace cli {

namespace {

using etl::decode::FieldWalker;
using etl::decode::Step;

constexpr std::uint16_t provider_enabled = 14;

/// Providers that a runtime can have, as on Windows; a damaged trace may name more.
constexpr std::size_t max_providers = 0x8000;

/// The enablement that an event records, and the session that it is of.
struct Recorded {
    EnabledProvider provider;
    std::string session;
};

void take(Recorded& to, std::string_view name, const etl::decode::Value& value,
          const etl::decode::DecodedEvent& event) {
    if (name == "ProviderName" && value.bytes.size() == to.provider.id.bytes.size()) {
        std::ranges::copy(value.bytes, to.provider.id.bytes.begin());
    } else if (name == "SessionName") {
        etl::decode::append_display(to.session, value, etl::decode::options_for({}, event));
    } else if (name == "MatchAnyKeyword") {
        to.provider.match_any = etl::decode::bits_of(value);
    } else if (name == "MatchAllKeyword") {
        to.provider.match_all = etl::decode::bits_of(value);
    } else if (name == "EnableProperty") {
        to.provider.property = static_cast<std::uint32_t>(etl::decode::bits_of(value));
    } else if (name == "Level") {
        to.provider.level = static_cast<std::uint8_t>(etl::decode::bits_of(value));
    }
}

Recorded recorded_in(const etl::decode::DecodedEvent& event) {
    Recorded result;
    result.provider.time = event.event->raw_time;
    FieldWalker walker;
    walker.start(event.kind->plan, event.body);
    for (Step step = walker.next(); step != Step::end; step = walker.next()) {
        if (step == Step::value) {
            take(result, event.kind->schema->fields[walker.field()].name, walker.value(), event);
        }
    }
    return result;
}

/// Of one thread.
class Collector {
public:
    /// `session`: null: all.
    Collector(etl::schema::SchemasByTrace schemas, const std::string* session)
        : decoder_(std::move(schemas)), session_(session) {}

    void add(const etl::flow::Event& event) {
        const etl::flow::EventHeader header = etl::flow::read_header(event);
        if (header.provider != etl::format::kernel_event_tracing_guid ||
            header.id != provider_enabled) {
            return;
        }
        const etl::decode::DecodedEvent& decoded = decoder_.decode(event);
        if (decoded.kind->schema == nullptr) {
            return;
        }
        Recorded recorded = recorded_in(decoded);
        if (session_ == nullptr || recorded.session == *session_) {
            add(std::move(recorded.provider));
        }
    }

    void combine(const Collector& other) {
        for (const auto& [id, provider] : other.latest_) {
            add(provider);
        }
    }

    const std::map<etl::Guid, EnabledProvider>& latest() const { return latest_; }

private:
    void add(EnabledProvider provider) {
        if (latest_.size() >= max_providers && !latest_.contains(provider.id)) {
            return;
        }
        const auto [at, is_new] = latest_.try_emplace(provider.id, provider);
        if (!is_new && at->second.time <= provider.time) {
            at->second = std::move(provider);
        }
    }

    etl::decode::Decoder decoder_;
    const std::string* session_;
    std::map<etl::Guid, EnabledProvider> latest_;
};

} // namespace

std::vector<EnabledProvider> find_enabled(etl::trace::Reader& reader,
                                          const etl::trace::Summary& summary,
                                          const etl::schema::SchemasByTrace& schemas,
                                          unsigned threads) {
    if (!summary.by_provider.contains(etl::format::kernel_event_tracing_guid)) {
        return {};
    }
    // A relogged trace has another name, and may be of several sessions.
    const etl::format::LogfileHeader& header = reader.info().header;
    const bool is_relogged = (header.log_file_mode & etl::format::log_mode::relog) != 0;
    const std::string session = utf8(header.session_name);
    std::vector<Collector> parts;
    for (unsigned i = 0; i < threads; ++i) {
        parts.emplace_back(schemas, is_relogged ? nullptr : &session);
    }
    reader.for_each_buffer(
        threads, [&](unsigned worker, const etl::trace::BufferEntry&, etl::flow::Run events) {
            for (const etl::flow::Event& event : events) {
                parts[worker].add(event);
            }
        });
    for (const Collector& part : std::span(parts).subspan(1)) {
        parts.front().combine(part);
    }
    const auto& store = schemas.store_for(reader.info().file);
    std::vector<EnabledProvider> list;
    for (const auto& [id, provider] : parts.front().latest()) {
        list.push_back(provider);
        list.back().name = label_of(id, store.get());
        if (list.back().name == etl::to_string(id)) {
            list.back().name.clear();
        }
    }
    std::ranges::sort(list, {},
                      [](const EnabledProvider& one) { return std::pair(one.name, one.id); });
    return list;
}

} // namespace cli
