#include "verbs/info/overview.hpp"

#include "cli/provider_label.hpp"

#include <algorithm>

namespace cli {

namespace {

std::vector<ProviderRow> provider_rows(const etl::trace::Summary& summary,
                                       const etl::schema::SchemaStore* store) {
    std::vector<ProviderRow> rows;
    for (const auto& [guid, counts] : summary.by_provider) {
        rows.push_back({guid, etl::to_string(guid), label_of(guid, store), counts.events,
                        counts.payload_bytes});
    }
    std::ranges::sort(rows, [](const ProviderRow& a, const ProviderRow& b) {
        return a.events != b.events ? a.events > b.events : a.guid < b.guid;
    });
    return rows;
}

} // namespace

Overview look_over(etl::trace::Reader& reader, unsigned threads, PassProgress& progress) {
    std::vector<Overview> parts(threads);
    Overview all;
    all.summary.damage = reader.for_each_buffer(
        threads, [&](unsigned worker, const etl::trace::BufferEntry&, etl::flow::Run events) {
            parts[worker].summary.add(events);
            for (const etl::flow::Event& event : events) {
                parts[worker].machine.add(event);
            }
            progress.add(events.size());
        });
    for (const Overview& part : parts) {
        all.summary.combine(part.summary);
        all.machine.combine(part.machine);
    }
    return all;
}

ShownTrace shown_of(const etl::trace::Reader& reader, const Overview& overview,
                    const etl::schema::SchemasByTrace& schemas) {
    return {.info = &reader.info(),
            .summary = &overview.summary,
            .machine = overview.machine.get(),
            .providers =
                provider_rows(overview.summary, schemas.store_for(reader.info().file).get()),
            .enabled = {},
            .damage = reader.damage() + overview.summary.damage + overview.summary.invalid_items,
            .missing = etl::trace::find_missing_buffers(reader.info(), reader.buffers()),
            .coverage = nullptr,
            .needs = nullptr};
}

} // namespace cli
