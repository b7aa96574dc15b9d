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

std::string_view name(Source source) noexcept {
    switch (source) {
    case Source::none:
        return "none";
    case Source::string:
        return "string";
    case Source::tracelogging:
        return schema::name(schema::Origin::tracelogging);
    case Source::event_info:
        return schema::name(schema::Origin::event_info);
    case Source::eventsource:
        return schema::name(schema::Origin::eventsource);
    case Source::manifest:
        return schema::name(schema::Origin::manifest);
    case Source::wevt:
        return schema::name(schema::Origin::wevt);
    case Source::mof:
        return schema::name(schema::Origin::mof);
    case Source::wpp:
        return schema::name(schema::Origin::wpp);
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
               : "the log file header is cut short";
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
        variants = &kinds_->table.add(key, hash,
                                      build_kinds(decoded_.header, decoded_.items, family,
                                                  schemas_.of(trace).get(), options_));
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
const EventKind& Decoder::choose(const std::vector<std::unique_ptr<EventKind>>& variants,
                                 Bytes payload) noexcept {
    const auto first_guess =
        std::ranges::find_if(variants, [](const auto& kind) { return kind->is_guess; });
    const EventKind* best = variants.front().get();
    Fit best_fit = Fit::none;
    for (auto kind = variants.begin(); kind != first_guess && best_fit < Fit::exact; ++kind) {
        if (const Fit fit = fit_of(**kind, payload); fit > best_fit) {
            best = kind->get();
            best_fit = fit;
        }
    }
    return first_guess == variants.end()
               ? *best
               : guess(*best, best_fit == Fit::exact, {first_guess, variants.end()}, payload);
}

// A guess is taken instead of a reading that is not exact, or whose values cannot be meant.
const EventKind& Decoder::guess(const EventKind& instead_of, bool is_exact,
                                std::span<const std::unique_ptr<EventKind>> guesses,
                                Bytes payload) noexcept {
    // Under a 64-bit header an address may be anything: stacks are walked into garbage.
    const Judged judged =
        is_exact && instead_of.pointer_size == 4 ? Judged::texts_and_addresses : Judged::texts;
    if (is_exact && is_plausible(instead_of.plan, payload, judged, probe_)) {
        return instead_of;
    }
    for (const auto& kind : guesses) {
        if (fit_of(*kind, payload) == Fit::exact &&
            is_plausible(kind->plan, payload, judged, probe_)) {
            return *kind;
        }
    }
    return instead_of;
}

// Walks only where the size of the payload does not answer.
Decoder::Fit Decoder::fit_of(const EventKind& kind, Bytes payload) noexcept {
    if (kind.schema == nullptr) {
        return Fit::raw;
    }
    const Fits fits = kind.plan.fits(payload.size());
    if (fits == Fits::exactly) {
        return Fit::exact;
    }
    if (fits != Fits::unknown && kind.is_guess) {
        return Fit::none;
    }
    if (fits == Fits::loosely) {
        return Fit::trailing;
    }
    probe_.start(kind.plan, payload);
    while (probe_.next() != Step::end) {
    }
    if (probe_.consumed_exactly()) {
        return Fit::exact;
    }
    return kind.is_guess       ? Fit::none
           : probe_.failed()   ? Fit::contradicting
           : probe_.is_short() ? Fit::too_short
                               : Fit::trailing;
}

} // namespace etl::decode
