#include "anonymize/kind_plan.hpp"
#include "anonymize/names.hpp"
#include "anonymize/packets/packet_events.hpp"
#include "anonymize/texts/recent_texts.hpp"

#include <variant>

namespace etl::anonymize {

struct NameCollector::State {
    State(schema::SchemasByTrace schemas, decode::DecoderOptions how)
        : decoder(std::move(schemas), how) {}

    KindPlan& plan_of(const decode::DecodedEvent& event) {
        if (generation != decoder.generation()) {
            plans.clear();
            generation = decoder.generation();
        }
        const std::size_t number = event.kind->number;
        if (number >= plans.size()) {
            plans.resize(number + 1);
        }
        if (!plans[number]) {
            plans[number] = std::make_unique<KindPlan>(make_plan(event, options));
            if (event.kind->log) {
                learn_computer(event.kind->log->computer);
            }
        }
        return *plans[number];
    }

    void learn(Bytes bytes, const FieldTask& task) {
        if (is_text(task.role) && !bytes.empty()) {
            load_units(bytes, task.unit, units);
            if (recent.find(units, task.role) == nullptr) {
                learn_names(units, task.role, keys, names);
                recent.keep(units, task.role);
            }
        }
    }

    void learn_computer(std::string_view name) {
        load_units(std::as_bytes(std::span(name)), UnitSize::one, units);
        learn_names(units, Role::computer, keys, names);
    }

    // As 8-bit text and as UTF-16 at either place.
    void learn_opaque(Bytes bytes) {
        for (const UnitSize unit : {UnitSize::one, UnitSize::two}) {
            load_units(bytes, unit, units);
            learn_profiles(units, names);
        }
        if (!bytes.empty()) {
            load_units(bytes.subspan(1), UnitSize::two, units);
            learn_profiles(units, names);
        }
    }

    /// Whose it is: what packets hold is wiped.
    void learn_packet(const flow::EventHeader& header) {
        find_packet_parts(header, parts);
        for (const PacketPart& part : parts) {
            if (part.holds == PacketPart::Holds::user) {
                load_units(header.payload.subspan(part.at, part.size), UnitSize::two, units);
                learn_names(units, Role::user, keys, names);
            }
        }
    }

    void add(const flow::Event& event) {
        using decode::Step;
        const decode::DecodedEvent& decoded = decoder.decode(event);
        const KindPlan& plan = plan_of(decoded);
        if (plan.has_packet) {
            learn_packet(decoded.header);
            return;
        }
        if (plan.is_opaque) {
            learn_opaque(decoded.header.payload);
        }
        if (plan.is_idle || plan.carries_schema) {
            return;
        }
        Bytes pieces;
        walker.start(decoded.kind->plan, decoded.body);
        for (Step step = walker.next(); step != Step::end; step = walker.next()) {
            const FieldTask& task = plan.tasks[walker.field()];
            if (step == Step::value && task.in_pieces) {
                const Bytes piece = walker.bytes();
                pieces = pieces.empty() ? piece : Bytes(pieces.data(), piece.data() + piece.size());
            } else if (step == Step::value) {
                learn(walker.bytes(), task);
            } else if (step == Step::array_end && task.in_pieces) {
                learn(pieces, task);
                pieces = {};
            }
        }
    }

    Options options;
    decode::Decoder decoder;
    decode::FieldWalker walker;
    std::vector<std::unique_ptr<KindPlan>> plans; // by number of the kind
    std::uint32_t generation = 0;
    std::u16string units;
    std::vector<PacketPart> parts;
    Names names;
    KeyRoles keys;
    RecentTexts<std::monostate> recent; // their names are known
};

NameCollector::NameCollector(schema::SchemasByTrace schemas, decode::DecoderOptions options)
    : state_(std::make_unique<State>(std::move(schemas), options)) {}

NameCollector::~NameCollector() = default;
NameCollector::NameCollector(NameCollector&&) noexcept = default;
NameCollector& NameCollector::operator=(NameCollector&&) noexcept = default;

void NameCollector::add(flow::Run events) {
    for (const flow::Event& event : events) {
        state_->add(event);
    }
}

void NameCollector::add(const format::LogfileHeader& header) {
    learn_names(header.log_file_name, Role::path, state_->keys, state_->names);
    learn_names(header.session_name, Role::text, state_->keys, state_->names);
}

Names NameCollector::take() {
    return std::move(state_->names);
}

} // namespace etl::anonymize
