#include <etl/decode/decoder.hpp>

#include "decode/fields/logfile_event.hpp"
#include "decode/fields/packed_text.hpp"
#include "decode/fields/plausible.hpp"
#include "decode/kinds/kind_builder.hpp"

#include <algorithm>
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

const DecodedEvent& Decoder::decode(const flow::Event& event) {
    decoded_.event = &event;
    decoded_.header = flow::read_header(event);
    decoded_.items = sort_items(decoded_.header);
    const Family family = family_of(event, decoded_.header);
    if (options_.pointer_size != 0 && family != Family::logfile_header) {
        decoded_.header.pointer_size = static_cast<std::uint8_t>(options_.pointer_size);
    }
    const std::uint32_t trace = event.trace().file;
    const KindKey key = key_of(decoded_.header, decoded_.items, family, schemas_.number_of(trace));
    const std::uint64_t hash = hash_of(key);
    const Variants* variants = kinds_->table.find(key, hash);
    if (variants == nullptr) [[unlikely]] {
        variants = &kinds_->table.add(
            key, hash,
            with_log_origin(build_kinds(decoded_.header, decoded_.items, family,
                                        schemas_.store_for(trace).get(), options_),
                            decoded_.items.traits));
    }
    decoded_.body = decoded_.header.payload;
    decoded_.problem = nullptr;
    if (is_arranged(family) && options_.payloads == Payloads::decoded) [[unlikely]] {
        decoded_.problem = arrange(family, decoded_.header, arranged_);
        decoded_.body = arranged_;
    }
    if (variants->size() == 1) [[likely]] {
        decoded_.kind = variants->front().get();
    } else {
        decoded_.kind = &choose(*variants, decoded_.body);
        decoded_.header.pointer_size = decoded_.kind->pointer_size;
        guesses_ += decoded_.kind->is_guess ? 1U : 0U;
    }
    return decoded_;
}

// Several readings are possible: the first that consumes the payload to the last byte; else the
// first that leaves bytes over, else one for which it is too short, else any. Guesses come last
// (kind_builder.cpp).
const EventKind& Decoder::choose(EventKinds variants, Bytes payload) noexcept {
    const auto first_guess =
        std::ranges::find_if(variants, [](const auto& kind) { return kind->is_guess; });
    const EventKind* best = variants.front().get();
    Reading best_reading = Reading::none;
    for (auto kind = variants.begin(); kind != first_guess && best_reading < Reading::exact;
         ++kind) {
        if (const Reading reading = reading_of(**kind, payload); reading > best_reading) {
            best = kind->get();
            best_reading = reading;
        }
    }
    return first_guess == variants.end() ? *best
                                         : guess(*best, best_reading == Reading::exact,
                                                 {first_guess, variants.end()}, payload);
}

// A guess is taken instead of a reading that is not exact, or whose values cannot be meant.
const EventKind& Decoder::guess(const EventKind& instead_of, bool is_exact, EventKinds guesses,
                                Bytes payload) noexcept {
    // Under a 64-bit header an address may be anything: stacks are walked into garbage.
    const Judged judged =
        is_exact && instead_of.pointer_size == 4 ? Judged::texts_and_addresses : Judged::texts;
    if (is_exact && is_plausible(instead_of.plan, payload, judged, probe_)) {
        return instead_of;
    }
    for (const auto& kind : guesses) {
        if (reading_of(*kind, payload) == Reading::exact &&
            is_plausible(kind->plan, payload, judged, probe_)) {
            return *kind;
        }
    }
    return instead_of;
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
    if (fit != SizeFit::unknown && kind.is_guess) {
        return Reading::none;
    }
    if (fit == SizeFit::trailing) {
        return Reading::trailing;
    }
    probe_.start(kind.plan, payload);
    while (probe_.next() != Step::end) {
    }
    if (probe_.consumed_exactly()) {
        return Reading::exact;
    }
    return kind.is_guess       ? Reading::none
           : probe_.failed()   ? Reading::contradicting
           : probe_.is_short() ? Reading::too_short
                               : Reading::trailing;
}

} // namespace etl::decode
