#include "decode/decoder.hpp"

#include "base/text.hpp"
#include "decode/fields/laid_out_payloads.hpp"
#include "decode/fields/plausible.hpp"
#include "decode/kinds/kind_builder.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace etl::decode {

struct Decoder::Kinds {
    KindTable table;
};

std::string_view EventKind::schema_from() const noexcept {
    using namespace std::string_view_literals;
    return file == nullptr ? ""sv : file->built_in ? "built-in"sv : file->name;
}

std::string_view name(DecodedBy decoded_by) noexcept {
    switch (decoded_by) {
    case DecodedBy::none:
        return "none";
    case DecodedBy::string:
        return "string";
    case DecodedBy::tracelogging:
        return schema::name(schema::Origin::tracelogging);
    case DecodedBy::event_info:
        return schema::name(schema::Origin::event_info);
    case DecodedBy::eventsource:
        return schema::name(schema::Origin::eventsource);
    case DecodedBy::manifest:
        return schema::name(schema::Origin::manifest);
    case DecodedBy::wevt:
        return schema::name(schema::Origin::wevt);
    case DecodedBy::mof:
        return schema::name(schema::Origin::mof);
    case DecodedBy::wpp:
        return schema::name(schema::Origin::wpp);
    case DecodedBy::evtx:
        return "evtx";
    }
    return {};
}

namespace {

bool is_arranged(Family family) noexcept {
    return family == Family::logfile_header || family == Family::packed_text;
}

// Lays out in `to` what the plan of such an event describes. Returns what is wrong with its
// payload, or null.
const char* arrange(Family family, const flow::EventHeader& header, std::vector<std::byte>& to) {
    if (family == Family::packed_text) {
        return lay_out_packed_text(header, to);
    }
    return lay_out_logfile_header(header.payload, header.pointer_size, to)
               ? nullptr
               : "the log file header is truncated";
}

/// Layouts of an event that are tried; a trace can bring thousands of manifests of one provider.
constexpr unsigned max_tried = 64;

/// How near a log is to an event: one before it is nearer than one after it.
using LogRank = std::tuple<bool, bool, std::int64_t>;

LogRank rank_of(const schema::ManifestLog& log, bool is_exact, std::int64_t time) noexcept {
    const bool is_before = log.time <= time;
    return {is_exact, is_before, is_before ? log.time : ~log.time};
}

/// The channel of an event of an event log is known by name only.
Variants with_log_origin(Variants variants, Bytes traits) {
    if (const auto log = read_log_origin(traits)) {
        for (const auto& kind : variants) {
            kind->log = log;
            kind->channel_name = log->channel;
        }
    }
    return variants;
}

} // namespace

Decoder::Decoder(schema::SchemasByTrace schemas, DecoderOptions options)
    : schemas_(std::move(schemas)), options_(options), kinds_(std::make_unique<Kinds>()) {}

Decoder::~Decoder() = default;
Decoder::Decoder(Decoder&&) noexcept = default;
Decoder& Decoder::operator=(Decoder&&) noexcept = default;

std::uint32_t Decoder::generation() const noexcept {
    return kinds_->table.generation();
}

/// The kinds that share the identity of an event. Fills the header and the body of `decoded_`.
Decoder::EventKinds Decoder::variants_of(const flow::Event& event) {
    decoded_.event = &event;
    decoded_.header = flow::read_header(event);
    decoded_.items = sort_items(decoded_.header);
    const Family family = family_of(event, decoded_.header);
    if (options_.pointer_size != 0 && family != Family::logfile_header) {
        decoded_.header.pointer_size = static_cast<std::uint8_t>(options_.pointer_size);
    }
    const std::uint32_t trace = event.trace().file;
    const std::uint16_t input = event.buffer->merged_input;
    const KindKey key =
        key_of(decoded_.header, decoded_.items, family, schemas_.number_of(trace, input));
    const std::uint64_t hash = hash_of(key);
    const Variants* variants = kinds_->table.find(key, hash);
    if (variants == nullptr) [[unlikely]] {
        variants = &kinds_->table.add(
            key, hash,
            with_log_origin(build_kinds(decoded_.header, decoded_.items, family,
                                        schemas_.store_for(trace, input).get(), options_),
                            decoded_.items.traits));
    }
    decoded_.body = decoded_.header.payload;
    decoded_.problem = nullptr;
    if (is_arranged(family) && options_.payloads == Payloads::decoded) [[unlikely]] {
        decoded_.problem = arrange(family, decoded_.header, arranged_);
        decoded_.body = arranged_;
    }
    return *variants;
}

const DecodedEvent& Decoder::decode(const flow::Event& event) {
    const EventKinds variants = variants_of(event);
    if (variants.size() == 1) [[likely]] {
        decoded_.kind = variants.front().get();
    } else {
        const EventKind* const logged = variants.front()->decoded_by == DecodedBy::eventsource
                                            ? choose_logged(variants, event.raw_time)
                                            : nullptr;
        decoded_.kind = logged != nullptr ? logged : &choose(variants, decoded_.body);
        decoded_.header.pointer_size = decoded_.kind->pointer_size;
        guesses_ += decoded_.kind->is_guess ? 1U : 0U;
    }
    return decoded_;
}

std::vector<const EventKind*> Decoder::possible_kinds(const flow::Event& event) {
    std::vector<const EventKind*> possible;
    for (const auto& kind : variants_of(event)) {
        const SizeFit fit = kind->plan.size_fit(decoded_.body.size());
        const bool can_be_taken = fit == SizeFit::exact || fit == SizeFit::unknown ||
                                  (fit == SizeFit::trailing && kind->allows_more);
        if (!kind->is_guess || can_be_taken) { // as reading_of()
            possible.push_back(kind.get());
        }
    }
    return possible;
}

void Decoder::show_kinds(const flow::Event& event,
                         FunctionRef<void(const DecodedEvent& event)> visit) {
    for (const auto& kind : variants_of(event)) {
        decoded_.kind = kind.get();
        decoded_.header.pointer_size = kind->pointer_size;
        visit(decoded_);
    }
}

// Several readings are possible: the first that consumes the payload to the last byte, if possible
// with valid values; else the first that leaves bytes over, else one for which it is too short,
// else any. Guesses come last (kind_builder.cpp).
const EventKind& Decoder::choose(EventKinds variants, Bytes payload) noexcept {
    const auto first_guess =
        std::ranges::find_if(variants, [](const auto& kind) { return kind->is_guess; });
    const EventKind* best = variants.front().get();
    Reading best_reading = Reading::none;
    const auto end = variants.begin() + std::min(first_guess - variants.begin(),
                                                 static_cast<std::ptrdiff_t>(max_tried));
    for (auto kind = variants.begin(); kind != end && best_reading < Reading::exact; ++kind) {
        if (const Reading reading = reading_of(**kind, payload); reading > best_reading) {
            best = kind->get();
            best_reading = reading;
        }
    }
    return first_guess == variants.end() ? *best
                                         : guess(*best, best_reading == Reading::exact,
                                                 {first_guess, variants.end()}, payload);
}

// Of several layouts that manifests of an EventSource state, that of the event's process counts,
// and of one process the one that consumes the payload. Where that leaves several, or none, the
// layout is marked (Builder::add_other_manifests). Null: there are not several, or the payload
// decides.
const EventKind* Decoder::choose_logged(EventKinds variants, std::int64_t time) noexcept {
    const auto is_logged = [](const auto& kind) {
        return !kind->is_guess && kind->schema != nullptr && kind->schema->logs != nullptr;
    };
    if (std::ranges::count_if(variants, is_logged) < 2) {
        return nullptr;
    }
    unsigned tried = 0;
    const auto is_exact = [&](const EventKind& kind) {
        ++tried;
        return reading_of(kind, decoded_.body) == Reading::exact;
    };
    const EventKind* own = nullptr; // the best one that the process logged
    LogRank own_rank;
    unsigned own_exact = 0;
    for (const auto& kind : variants) {
        const auto* const log =
            is_logged(kind) && tried < max_tried
                ? schema::find_log(*kind->schema->logs, decoded_.header.process_id, time)
                : nullptr;
        if (log == nullptr) {
            continue;
        }
        const bool matches = is_exact(*kind);
        own_exact += matches ? 1U : 0U;
        if (const LogRank rank = rank_of(*log, matches, time); own == nullptr || rank > own_rank) {
            own = kind.get();
            own_rank = rank;
        }
    }
    if (own_exact == 1) {
        return own;
    }
    const EventKind* other = nullptr; // the first one that consumes the payload
    bool are_several = false;
    for (const auto& kind : variants) {
        if (are_several || (tried >= max_tried && other != nullptr)) {
            break;
        }
        if (is_logged(kind) && tried < max_tried && is_exact(*kind)) {
            are_several = other != nullptr;
            other = other == nullptr ? kind.get() : other;
        }
    }
    are_several = are_several || (other != nullptr && tried >= max_tried); // as far as is known
    if (own == nullptr ? !are_several : other == nullptr) {
        return own;
    }
    const EventKind* const best = own_exact > 1 ? own : other;
    return std::ranges::find_if(
               variants,
               [&](const auto& kind) { return kind->is_guess && kind->schema == best->schema; })
        ->get();
}

// A guess is taken instead of a reading that is not exact, or whose values cannot be meant.
const EventKind& Decoder::guess(const EventKind& instead_of, bool is_exact, EventKinds guesses,
                                Bytes payload) noexcept {
    // Under a 64-bit header an address may be anything: stacks are walked into garbage.
    const Judged judged =
        is_exact && instead_of.pointer_size == 4 ? Judged::texts_and_addresses : Judged::texts;
    const auto is_meant = [&](const EventKind& kind, Judged how) {
        return is_plausible(*kind.schema, kind.plan, payload, how, probe_);
    };
    if (is_exact && is_meant(instead_of, judged)) {
        return instead_of;
    }
    const EventKind* extended = nullptr;
    for (const auto& kind : guesses) {
        const Reading reading = reading_of(*kind, payload);
        if (reading == Reading::exact &&
            is_meant(*kind, kind->allows_more ? Judged::appended : judged)) {
            return *kind;
        }
        if (reading == Reading::trailing && extended == nullptr &&
            is_meant(*kind, Judged::appended)) {
            extended = kind.get();
        }
    }
    return extended != nullptr ? *extended : instead_of;
}

// Walks only where the size of the payload does not answer.
Decoder::Reading Decoder::reading_of(const EventKind& kind, Bytes payload) noexcept {
    if (kind.schema == nullptr) {
        return Reading::raw;
    }
    const SizeFit fit = kind.plan.size_fit(payload.size());
    if (fit == SizeFit::exact) {
        return Reading::exact;
    }
    if (fit == SizeFit::trailing) {
        return !kind.is_guess || kind.allows_more ? Reading::trailing : Reading::none;
    }
    if (fit == SizeFit::too_short && kind.is_guess) {
        return Reading::none;
    }
    probe_.start(kind.plan, payload);
    while (probe_.next() != Step::end) {
    }
    const bool is_doubtful = probe_.doubt() > Doubt::odd_value;
    const Reading reading = probe_.failed()              ? Reading::contradicting
                            : probe_.is_short()          ? Reading::too_short
                            : !probe_.consumed_exactly() ? Reading::trailing
                            : is_doubtful                ? Reading::doubtful
                                                         : Reading::exact;
    if (!kind.is_guess || reading == Reading::exact) {
        return reading;
    }
    return reading == Reading::trailing && kind.allows_more && !is_doubtful ? reading
                                                                            : Reading::none;
}

using format::ItemType;

std::shared_ptr<const LogOrigin> read_log_origin(Bytes traits) {
    const auto stored = format::parse_log_origin(traits);
    if (!stored) {
        return nullptr;
    }
    auto origin = std::make_shared<LogOrigin>();
    origin->payload = stored->payload;
    origin->qualifiers = stored->qualifiers;
    append_utf8(origin->channel, stored->channel);
    append_utf8(origin->computer, stored->computer);
    append_utf8(origin->event_source, stored->event_source);
    append_utf8(origin->xml_namespace, stored->xml_namespace);
    return origin;
}

std::optional<std::uint64_t> record_id(const flow::EventHeader& header) noexcept {
    const Bytes key = flow::find_item(header, ItemType::event_key).data;
    return key.size() == sizeof(std::uint64_t) ? std::optional(load_le<std::uint64_t>(key.data()))
                                               : std::nullopt;
}

std::optional<std::uint64_t> record_id_if_of_log(const flow::EventHeader& header) noexcept {
    const Bytes traits = flow::find_item(header, ItemType::provider_traits).data;
    return format::parse_log_origin(traits) ? record_id(header) : std::nullopt;
}

Bytes user_sid(const flow::EventHeader& header) noexcept {
    constexpr std::size_t head = 8; // and 4 bytes for each sub-authority
    const Bytes sid = flow::find_item(header, ItemType::sid).data;
    const bool is_sid =
        sid.size() >= head && sid.size() >= head + 4 * std::to_integer<std::size_t>(sid[1]);
    return is_sid ? sid : Bytes{};
}

} // namespace etl::decode
