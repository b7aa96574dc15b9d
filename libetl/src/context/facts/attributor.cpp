#include "facts/attributor.hpp"

#include "facts/attribution.hpp"

#include <optional>
#include <vector>

namespace etl::facts {

struct Attributor::State {
    State(std::shared_ptr<const FactsByTrace> facts, schema::SchemasByTrace schemas,
          decode::DecoderOptions options)
        : all(std::move(facts)), decoder(std::move(schemas), options) {}

    const OwnerFields& fields_of(const decode::DecodedEvent& event, std::uint32_t newest);
    OwnerIds read(const decode::DecodedEvent& event, const OwnerFields& fields) noexcept;

    std::shared_ptr<const FactsByTrace> all;
    Facts unknown; // of traces without facts
    decode::Decoder decoder;
    decode::FieldWalker walker;
    std::vector<std::optional<OwnerFields>> kinds; // by number of the kind
    std::uint32_t generation = 0;
};

const OwnerFields& Attributor::State::fields_of(const decode::DecodedEvent& event,
                                                std::uint32_t newest) {
    if (newest != generation) {
        kinds.clear();
        generation = newest;
    }
    if (event.kind->number >= kinds.size()) {
        kinds.resize(event.kind->number + 1);
    }
    auto& known = kinds[event.kind->number];
    if (!known) [[unlikely]] {
        known = owner_fields_of(event);
    }
    return *known;
}

OwnerIds Attributor::State::read(const decode::DecodedEvent& event,
                                 const OwnerFields& fields) noexcept {
    using decode::Step;
    OwnerIds ids;
    if (!fields.has_any()) {
        return ids;
    }
    const std::uint32_t last = fields.last();
    walker.start(event.kind->plan, event.body);
    for (Step step = walker.next(); step != Step::end; step = walker.next()) {
        if (step != Step::value || !schema::is_integer(walker.value().form)) {
            continue;
        }
        const std::uint32_t field = walker.field();
        const auto number = [&] {
            return static_cast<std::uint32_t>(decode::bits_of(walker.value()));
        };
        if (field == fields.process) {
            ids.process = number();
        } else if (field == fields.thread) {
            ids.thread = number();
        } else if (field == fields.switched_out) {
            ids.switched_out = number();
        }
        if (field >= last) {
            break;
        }
    }
    return ids;
}

Attributor::Attributor(std::shared_ptr<const FactsByTrace> facts, schema::SchemasByTrace schemas,
                       decode::DecoderOptions options)
    : state_(std::make_unique<State>(std::move(facts), std::move(schemas), options)) {}

Attributor::~Attributor() = default;
Attributor::Attributor(Attributor&&) noexcept = default;
Attributor& Attributor::operator=(Attributor&&) noexcept = default;

const Facts& Attributor::facts_of(const flow::Event& event) const noexcept {
    const Facts* const facts = state_->all->find(event);
    return facts != nullptr ? *facts : state_->unknown;
}

Attribution Attributor::attribute(const flow::Event& event) {
    if (is_about_machine(event)) {
        return {.is_complete = true};
    }
    if (!may_have_owner_fields(event)) {
        return attribution_by_header(flow::read_header(event), facts_of(event), event.raw_time);
    }
    return attribute(state_->decoder.decode(event), state_->decoder.generation());
}

Attribution Attributor::attribute(const decode::DecodedEvent& event, std::uint32_t generation) {
    if (!may_have_owner_fields(*event.event)) {
        return attribution_of(event, {}, {}, facts_of(*event.event));
    }
    const OwnerFields& fields = state_->fields_of(event, generation);
    return attribution_of(event, fields, state_->read(event, fields), facts_of(*event.event));
}

} // namespace etl::facts
