#include <etl/facts/attributor.hpp>
#include <etl/flow/context.hpp>
#include <etl/format/records.hpp>

#include "facts/owner_fields.hpp"

#include <optional>
#include <vector>

namespace etl::facts {

namespace {

using decode::Step;

/// Numbers of the payload; nothing where the payload ends before the field.
struct Owners {
    std::optional<std::uint32_t> process, thread, switched_out;
};

/// Names of files, the configuration, frames behind stack keys: whichever thread writes them.
bool is_about_machine(const flow::Event& event) noexcept {
    using flow::Context;
    if (format::is_event(event.kind)) {
        return false; // of a provider, which logs about its own process
    }
    switch (flow::context_of(event)) {
    case Context::header:
    case Context::system:
    case Context::file:
    case Context::schema:
    case Context::stack:
        return true;
    case Context::none:
    case Context::process:
    case Context::image:
        break;
    }
    return false;
}

} // namespace

struct Attributor::State {
    State(std::shared_ptr<const FactsByTrace> facts, schema::SchemasByTrace schemas,
          decode::DecoderOptions options)
        : all(std::move(facts)), decoder(std::move(schemas), options) {}

    const OwnerFields& fields_of(const decode::DecodedEvent& event, std::uint32_t newest);
    Attribution of(const decode::DecodedEvent& event, std::uint32_t newest, const Facts& facts);
    Owners read(const decode::DecodedEvent& event, const OwnerFields& fields) noexcept;
    Attribution by_payload(const decode::DecodedEvent& event, const OwnerFields& fields,
                           const Facts& facts) noexcept;

    std::shared_ptr<const FactsByTrace> all;
    Facts unknown; // of traces without facts
    decode::Decoder decoder;
    decode::FieldWalker walker;
    std::vector<std::optional<OwnerFields>> kinds; // by number of the kind
    std::uint32_t generation = 0;
};

namespace {

Attribution by_header(const flow::EventHeader& header, const Facts& facts,
                      std::int64_t time) noexcept {
    Attribution about;
    about.process = header.process_id;
    if (about.process == flow::no_id && header.thread_id != flow::no_id) {
        about.process = facts.process_of_thread(header.thread_id, time);
    }
    about.is_complete = about.process != flow::no_id;
    return about;
}

/// The process of a thread that the payload names.
std::uint32_t process_of(std::optional<std::uint32_t> thread, const decode::DecodedEvent& event,
                         const OwnerFields& fields, const Facts& facts) noexcept {
    const flow::EventHeader& header = event.header;
    if (!thread || *thread == flow::no_id) {
        return flow::no_id;
    }
    if (*thread == header.thread_id && header.process_id != flow::no_id) {
        return header.process_id;
    }
    if (*thread == 0) { // every processor has an idle thread 0
        return fields.may_be_idle ? 0 : flow::no_id;
    }
    return facts.process_of_thread(*thread, event.event->raw_time);
}

} // namespace

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

Owners Attributor::State::read(const decode::DecodedEvent& event,
                               const OwnerFields& fields) noexcept {
    Owners owners;
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
            owners.process = number();
        } else if (field == fields.thread) {
            owners.thread = number();
        } else if (field == fields.switched_out) {
            owners.switched_out = number();
        }
        if (field >= last) {
            break;
        }
    }
    return owners;
}

Attribution Attributor::State::by_payload(const decode::DecodedEvent& event,
                                          const OwnerFields& fields, const Facts& facts) noexcept {
    const Owners owners = read(event, fields);
    Attribution about;
    if (fields.process != OwnerFields::no_field) {
        about.process = owners.process.value_or(flow::no_id);
        if (fields.zero_is_kernel && about.process == 0) {
            return {.is_complete = true};
        }
    } else {
        about.process = process_of(owners.thread, event, fields, facts);
    }
    about.is_complete = about.process != flow::no_id;
    if (fields.switched_out != OwnerFields::no_field) {
        about.switched_out = process_of(owners.switched_out, event, fields, facts);
        about.is_complete = about.is_complete && about.switched_out != flow::no_id;
    }
    return about;
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

Attribution Attributor::State::of(const decode::DecodedEvent& event, std::uint32_t newest,
                                  const Facts& facts) {
    const OwnerFields& fields = fields_of(event, newest);
    if (fields.has_any()) {
        return by_payload(event, fields, facts);
    }
    return fields.header_counts ? by_header(event.header, facts, event.event->raw_time)
                                : Attribution{};
}

Attribution Attributor::attribute(const flow::Event& event) {
    if (is_about_machine(event)) {
        return {.is_complete = true};
    }
    const Facts& facts = facts_of(event);
    if (!may_have_owner_fields(event)) {
        return by_header(flow::read_header(event), facts, event.raw_time);
    }
    return state_->of(state_->decoder.decode(event), state_->decoder.generation(), facts);
}

Attribution Attributor::attribute(const decode::DecodedEvent& event, std::uint32_t generation) {
    if (is_about_machine(*event.event)) {
        return {.is_complete = true};
    }
    const Facts& facts = facts_of(*event.event);
    return may_have_owner_fields(*event.event)
               ? state_->of(event, generation, facts)
               : by_header(event.header, facts, event.event->raw_time);
}

} // namespace etl::facts
