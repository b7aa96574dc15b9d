#include "facts/attributor.hpp"

#include "base/text.hpp"
#include "facts/attribution.hpp"
#include "facts/owner_layouts.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

namespace etl::facts {

struct Attributor::State {
    State(std::shared_ptr<const FactsByTrace> facts, schema::SchemasByTrace schemas,
          decode::DecoderOptions options)
        : all(std::move(facts)), layouts(schemas, options), decoder(std::move(schemas), options) {}

    const Facts& facts_of(const flow::Event& event) const noexcept {
        const Facts* const facts = all->find(event);
        return facts != nullptr ? *facts : unknown;
    }

    std::optional<Attribution> by_layout(const flow::Event& event);
    const OwnerFields& fields_of(const decode::DecodedEvent& event, std::uint32_t newest);
    OwnerIds read(const decode::DecodedEvent& event, const OwnerFields& fields) noexcept;

    std::shared_ptr<const FactsByTrace> all;
    Facts unknown; // of traces without facts
    OwnerLayouts layouts;
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
    return state_->facts_of(event);
}

/// Without decoding. Nothing: it must be decoded.
std::optional<Attribution> Attributor::State::by_layout(const flow::Event& event) {
    const auto record = flow::plain_kernel_record(event);
    const OwnerLayouts::Layout* const layout = record ? layouts.find(event, *record) : nullptr;
    return layout != nullptr
               ? std::optional(attribution_by({record->thread, record->process}, layout->fields,
                                              OwnerLayouts::ids(*layout, record->payload),
                                              facts_of(event), event.raw_time))
               : std::nullopt;
}

Attribution Attributor::attribute(const flow::Event& event) {
    if (is_about_machine(event)) {
        return {.is_complete = true};
    }
    if (!may_have_owner_fields(event)) {
        const flow::EventHeader header = flow::read_header(event);
        return attribution_by_header({header.thread_id, header.process_id}, facts_of(event),
                                     event.raw_time);
    }
    if (const auto known = state_->by_layout(event)) {
        return *known;
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

namespace {

constexpr std::string_view extension = ".exe";

std::optional<std::uint32_t> parse_id(std::string_view word) noexcept {
    const bool is_hex = word.starts_with("0x") || word.starts_with("0X");
    word.remove_prefix(is_hex ? 2 : 0);
    std::uint32_t id = 0;
    const char* const end = word.data() + word.size();
    const auto [rest, error] = std::from_chars(word.data(), end, id, is_hex ? 16 : 10);
    return error == std::errc{} && rest == end ? std::optional(id) : std::nullopt;
}

} // namespace

ProcessSelection parse_process_selection(std::span<const std::string> words) {
    ProcessSelection selection;
    for (const std::string& word : words) {
        if (const auto id = parse_id(word)) {
            selection.ids.push_back(*id);
        } else {
            selection.names.push_back(word);
        }
    }
    return selection;
}

bool matches_process_name(std::string_view glob, std::string_view name) noexcept {
    if (matches_glob(glob, name)) {
        return true;
    }
    const std::size_t stem = name.size() - std::min(name.size(), extension.size());
    return equals_ignoring_case(name.substr(stem), extension) &&
           matches_glob(glob, name.substr(0, stem));
}

ProcessMatcher::Verdict ProcessMatcher::verdict_on(std::uint32_t process,
                                                   const flow::Event& event) const {
    if (std::ranges::find(selection_.ids, process) != selection_.ids.end()) {
        return Verdict::matches;
    }
    if (selection_.names.empty()) {
        return Verdict::differs;
    }
    const auto known = attributor_.facts_of(event).process(process, event.raw_time);
    if (!known || known->name.empty()) {
        return Verdict::unnamed;
    }
    const bool matches = std::ranges::any_of(selection_.names, [&](const std::string& glob) {
        return matches_process_name(glob, known->name);
    });
    return matches ? Verdict::matches : Verdict::differs;
}

ProcessMatcher::Verdict ProcessMatcher::operator()(const flow::Event& event) {
    return verdict_of(attributor_.attribute(event), event);
}

ProcessMatcher::Verdict ProcessMatcher::operator()(const decode::DecodedEvent& event,
                                                   std::uint32_t generation) {
    return verdict_of(attributor_.attribute(event, generation), *event.event);
}

ProcessMatcher::Verdict ProcessMatcher::verdict_of(const Attribution& about,
                                                   const flow::Event& event) const {
    Verdict verdict = about.is_complete ? Verdict::differs : Verdict::unattributed;
    for (const std::uint32_t process : {about.process, about.switched_out}) {
        if (process == flow::no_id) {
            continue;
        }
        const Verdict one = verdict_on(process, event);
        if (one == Verdict::matches) {
            return one;
        }
        verdict = verdict == Verdict::differs ? one : verdict;
    }
    return verdict;
}

} // namespace etl::facts
