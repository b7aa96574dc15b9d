#include <etl/decode/decoder.hpp>

#include "decode/kind_builder.hpp"
#include "decode/logfile_event.hpp"

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
    if (options_.pointer_size != 0) {
        decoded_.header.pointer_size = static_cast<std::uint8_t>(options_.pointer_size);
    }
    decoded_.items = sort_items(decoded_.header);
    const Family family = family_of(event, decoded_.header);
    const KindKey key = key_of(decoded_.header, decoded_.items, family);
    const std::uint64_t hash = hash_of(key);
    const Variants* variants = kinds_->table.find(key, hash);
    if (variants == nullptr) [[unlikely]] {
        variants = &kinds_->table.add(
            key, hash,
            build_kinds(decoded_.header, decoded_.items, family, store_.get(), options_.payloads));
    }
    decoded_.body = decoded_.header.payload;
    decoded_.problem = nullptr;
    if (family == Family::logfile_header && options_.payloads == Payloads::decoded) [[unlikely]] {
        if (!lay_out_logfile_header(decoded_.header.payload, decoded_.header.pointer_size,
                                    arranged_)) {
            decoded_.problem = "the log file header is cut short";
        }
        decoded_.body = arranged_;
    }
    decoded_.kind =
        variants->size() == 1 ? variants->front().get() : &choose(*variants, decoded_.body);
    return decoded_;
}

// Several schemas claim the event: the first that uses up the payload to the last byte; else the
// first that leaves bytes over, else one for which it is too short, else any.
const EventKind& Decoder::choose(const std::vector<std::unique_ptr<EventKind>>& variants,
                                 Bytes payload) noexcept {
    const EventKind* best = nullptr;
    int best_fit = -1;
    for (const auto& kind : variants) {
        probe_.start(kind->plan, payload);
        while (probe_.next() != Step::end) {
        }
        const int fit = probe_.consumed_exactly() ? 3
                        : probe_.failed()         ? 0
                        : probe_.is_short()       ? 1
                                                  : 2;
        if (fit > best_fit) {
            best = kind.get();
            best_fit = fit;
        }
    }
    return *best;
}

} // namespace etl::decode
