#include <etl/decode/decoder.hpp>

#include "decode/kind_builder.hpp"
#include "decode/logfile_event.hpp"
#include "decode/packed_text.hpp"

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

Decoder::Decoder(std::shared_ptr<const schema::SchemaStore> store, DecoderOptions options)
    : store_(std::move(store)), options_(options), kinds_(std::make_unique<Kinds>()) {}

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
    const KindKey key = key_of(decoded_.header, decoded_.items, family);
    const std::uint64_t hash = hash_of(key);
    const Variants* variants = kinds_->table.find(key, hash);
    if (variants == nullptr) [[unlikely]] {
        variants = &kinds_->table.add(
            key, hash,
            build_kinds(decoded_.header, decoded_.items, family, store_.get(), options_));
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
    }
    return decoded_;
}

// Several schemas claim the event: the first that uses up the payload to the last byte; else the
// first that leaves bytes over, else one for which it is too short, else any.
const EventKind& Decoder::choose(const std::vector<std::unique_ptr<EventKind>>& variants,
                                 Bytes payload) noexcept {
    const EventKind* best = variants.front().get();
    Fit best_fit = Fit::none;
    for (const auto& kind : variants) {
        const Fit fit = fit_of(kind->plan, payload, kind->only_if_exact);
        if (fit == Fit::exact) {
            return *kind;
        }
        if (fit > best_fit) {
            best = kind.get();
            best_fit = fit;
        }
    }
    return *best;
}

// Walks only where the size of the payload does not answer.
Decoder::Fit Decoder::fit_of(const Plan& plan, Bytes payload, bool only_exact_counts) noexcept {
    const Fits fits = plan.fits(payload.size());
    if (fits == Fits::exactly) {
        return Fit::exact;
    }
    if (fits != Fits::unknown && only_exact_counts) {
        return Fit::none;
    }
    if (fits == Fits::loosely) {
        return Fit::trailing;
    }
    probe_.start(plan, payload);
    while (probe_.next() != Step::end) {
    }
    if (probe_.consumed_exactly()) {
        return Fit::exact;
    }
    return only_exact_counts   ? Fit::none
           : probe_.failed()   ? Fit::contradicting
           : probe_.is_short() ? Fit::too_short
                               : Fit::trailing;
}

} // namespace etl::decode
