#include "anonymize/kind_plan.hpp"

#include "anonymize/packets/packet_events.hpp"
#include "base/text.hpp"
#include "format/kernel_group.hpp"
#include "format/limits.hpp"

#include <algorithm>

namespace etl::anonymize {

namespace {

std::string provider_of(const decode::DecodedEvent& event) {
    return event.kind->provider ? *event.kind->provider : to_string(event.header.provider);
}

std::string event_of(const decode::DecodedEvent& event) {
    if (event.kind->event && !event.kind->event->empty()) {
        return *event.kind->event;
    }
    return std::to_string(event.header.id != 0 ? event.header.id : event.header.opcode);
}

// `Parent.Member` where there is a parent.
std::vector<std::string> full_names(const schema::EventSchema& schema) {
    std::vector<std::string> names;
    std::vector<std::pair<std::size_t, std::string>> open; // structures: their end, their name
    for (std::size_t i = 0; i < schema.fields.size(); ++i) {
        while (!open.empty() && open.back().first <= i) {
            open.pop_back();
        }
        const schema::Field& field = schema.fields[i];
        names.push_back(open.empty() ? field.name : open.back().second + "." + field.name);
        if (field.members > 0 && open.size() < limits::struct_depth) {
            open.emplace_back(i + 1 + field.members, names.back());
        }
    }
    return names;
}

// What is said of a structure is said of its members.
bool matches_field(std::string_view pattern, std::string_view full, std::string_view own) noexcept {
    if (matches_glob(pattern, own) || matches_glob(pattern, full)) {
        return true;
    }
    for (std::size_t dot = full.find('.'); dot != std::string_view::npos;
         dot = full.find('.', dot + 1)) {
        if (matches_glob(pattern, full.substr(0, dot))) {
            return true;
        }
    }
    return false;
}

/// Classes of the kernel also serve as providers: Process/Start/CommandLine is short for
/// MSNT_SystemTrace/Process/Start/CommandLine.
bool matches_event(const Redaction& asked, const KindPlan& plan) {
    return (matches_glob(asked.provider, plan.provider) && matches_glob(asked.event, plan.event)) ||
           (plan.provider == format::system_trace_name &&
            matches_glob(asked.provider + "/" + asked.event, plan.event));
}

} // namespace

KindPlan make_plan(const decode::DecodedEvent& event, const Options& options) {
    using decode::RawReason;
    KindPlan plan;
    plan.provider = provider_of(event);
    plan.event = event_of(event);
    const decode::EventKind& kind = *event.kind;
    plan.carries_schema =
        kind.raw_reason == RawReason::manifest_chunk || kind.raw_reason == RawReason::schema_record;
    const PacketEvent packet =
        options.scope == Scope::everything ? packet_event_of(event.header) : PacketEvent::none;
    plan.has_packet =
        packet == PacketEvent::packet || (packet == PacketEvent::details && kind.schema == nullptr);
    plan.has_details = packet == PacketEvent::details && kind.schema != nullptr;
    plan.is_opaque = kind.schema == nullptr && !plan.carries_schema && !plan.has_packet;
    if (kind.schema == nullptr) {
        return plan;
    }
    const bool is_arranged = event.body.data() != event.header.payload.data(); // is not redacted
    std::vector<std::size_t> redactions;
    for (std::size_t i = 0; i < options.redact.size() && !is_arranged; ++i) {
        if (matches_event(options.redact[i], plan)) {
            redactions.push_back(i);
        }
    }
    plan.redactions.resize(options.redact.size());
    plan.fields = full_names(*kind.schema);
    const auto& planned = kind.plan.fields();
    const std::size_t count = std::min(plan.fields.size(), planned.size());
    plan.tasks.resize(planned.size());
    plan.counts.resize(planned.size());
    plan.fields.resize(planned.size());
    for (std::size_t i = 0; i < count; ++i) {
        FieldTask& task = plan.tasks[i];
        task.form = planned[i].form;
        task.unit = unit_size_of(task.form);
        const bool is_array = planned[i].count.kind != schema::Extent::Kind::natural;
        const bool may_be_private = is_array || !is_piece(task.form);
        task.in_pieces = is_array && is_piece(task.form);
        if (options.scope == Scope::everything && may_be_private) {
            task.role = role_of(task.form, kind.schema->fields[i].name, event.header.provider);
        }
        const auto asked_by = std::ranges::count_if(redactions, [&](std::size_t redaction) {
            const bool fits = matches_field(options.redact[redaction].field, plan.fields[i],
                                            kind.schema->fields[i].name);
            plan.redactions[redaction] += fits ? 1U : 0U;
            return fits;
        });
        const bool asked = asked_by > 0;
        task.cannot_redact = asked && planned[i].slot != decode::PlannedField::no_slot;
        task.redact = asked && !task.cannot_redact;
        plan.has_packet = plan.has_packet && !task.redact; // its binary fields are wiped anyway
        plan.is_idle = plan.is_idle && task.is_idle();
    }
    return plan;
}

void settle(KindPlan& plan, Report& report) {
    const auto add = [&](const std::string& field, Kind kind, std::uint64_t values) {
        if (values > 0) {
            report.fields.push_back({plan.provider, plan.event, field, kind, values});
            report.values[static_cast<std::size_t>(kind)] += values;
        }
    };
    for (std::size_t i = 0; i < plan.counts.size(); ++i) {
        FieldCounts& counts = plan.counts[i];
        for (std::size_t kind = 0; kind < kind_count; ++kind) {
            add(plan.fields[i], static_cast<Kind>(kind), counts.changed[kind]);
        }
        if (counts.binary > 0) {
            report.binary.push_back({plan.provider, plan.event, plan.fields[i], counts.binary});
        }
        if (counts.unredacted > 0) {
            report.unredacted[plan.provider + "/" + plan.event + "/" + plan.fields[i]] +=
                counts.unredacted;
        }
        if (counts.kept + counts.partly > 0) {
            report.kept.push_back({plan.provider, plan.event, plan.fields[i], counts.kept,
                                   counts.partly, counts.shape});
        }
        counts = {};
    }
    add("(header)", Kind::sid, plan.sids_of_items);
    for (std::size_t kind = 0; kind < kind_count; ++kind) {
        add("(bytes)", static_cast<Kind>(kind), plan.elsewhere[kind]);
        add("(packet)", static_cast<Kind>(kind), plan.packets[kind]);
        add("(schema)", static_cast<Kind>(kind), plan.schemas[kind]);
    }
    const Report::Unchecked& unchecked = plan.unchecked;
    if (unchecked.undecodable + unchecked.packed + unchecked.trailing + unchecked.items > 0) {
        Report::Unchecked& all = report.unchecked[plan.provider];
        all.undecodable += unchecked.undecodable;
        all.packed += unchecked.packed;
        all.trailing += unchecked.trailing;
        all.items += unchecked.items;
    }
    report.redactions.resize(std::max(report.redactions.size(), plan.redactions.size()));
    for (std::size_t i = 0; i < plan.redactions.size(); ++i) {
        report.redactions[i] += plan.redactions[i];
    }
    plan.redactions.clear();
    plan.sids_of_items = 0;
    plan.elsewhere = {};
    plan.packets = {};
    plan.schemas = {};
    plan.unchecked = {};
}

} // namespace etl::anonymize
