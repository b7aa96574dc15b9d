#include "verbs/info/coverage.hpp"

#include "cli/console.hpp"
#include "cli/json_object.hpp"

#include <fmt/format.h>

#include <vector>

namespace cli {

namespace {

using etl::decode::Coverage;
using etl::decode::CoverageCounts;
using etl::decode::DecodedBy;
using etl::decode::RawReason;

double percent(std::uint64_t part, std::uint64_t whole) {
    constexpr double all = 100;
    return whole == 0 ? all : all * static_cast<double>(part) / static_cast<double>(whole);
}

/// Calls `each(name, count)` for those that are not 0.
template <typename Enum, typename Counts, typename Each>
void for_each_counted(const Counts& counts, Each each) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] > 0) {
            each(name(static_cast<Enum>(i)), counts[i]);
        }
    }
}

template <typename Enum, typename Counts>
std::string counts_json(const Counts& counts) {
    JsonObject json;
    for_each_counted<Enum>(
        counts, [&](std::string_view key, std::uint64_t count) { json.number(key, count); });
    return json.take();
}

/// `mof 12, manifest 3`
template <typename Enum, typename Counts>
std::string counts_text(const Counts& counts) {
    std::string text;
    for_each_counted<Enum>(counts, [&](std::string_view key, std::uint64_t count) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", key, count);
    });
    return text;
}

std::string total_text(const CoverageCounts& total) {
    const std::uint64_t events = total.events();
    std::string text =
        fmt::format("\n  {:<14} {} of {} events ({:.2f}%){}{}\n", "decoded", total.decoded(),
                    events, percent(total.decoded(), events), total.decoded() > 0 ? ": " : "",
                    counts_text<DecodedBy>(total.decoded_by));
    text += fmt::format("  {:<14} {} of those ({:.2f}%), {} guessed, {} with trailing bytes, {} "
                        "short, {} mismatched\n",
                        "exact", total.exact, percent(total.exact, total.decoded()), total.guessed,
                        total.trailing, total.short_payloads, total.contradicting);
    text += fmt::format("  {:<14} {} ({:.2f}%){}{}\n", "raw", total.raw(),
                        events > 0 ? percent(total.raw(), events) : 0, total.raw() > 0 ? ": " : "",
                        counts_text<RawReason>(total.raw_by_reason));
    return text;
}

std::string row_text(const CoverageCounts& counts, std::string_view label) {
    const std::string sources = counts_text<DecodedBy>(counts.decoded_by);
    const std::string why = counts_text<RawReason>(counts.raw_by_reason);
    return fmt::format("{:>13}  {:>13}  {:>9}  {:>9}  {:>9}  {:>9}  {:>13}  {} ({}{}{})\n",
                       counts.decoded(), counts.exact, counts.guessed, counts.trailing,
                       counts.short_payloads, counts.contradicting, counts.raw(), printable(label),
                       sources, sources.empty() || why.empty() ? "" : "; ",
                       why.empty() ? "" : "raw: " + why);
}

} // namespace

Coverage measure_coverage(etl::trace::Reader& reader, const etl::schema::SchemasByTrace& schemas,
                          etl::decode::DecoderOptions options, unsigned threads,
                          PassProgress& progress) {
    struct Worker {
        etl::decode::Decoder decoder;
        Coverage coverage;
    };

    std::vector<Worker> workers;
    for (unsigned i = 0; i < threads; ++i) {
        workers.push_back({etl::decode::Decoder(schemas, options), {}});
    }
    reader.for_each_buffer(
        threads, [&](unsigned worker, const etl::trace::BufferEntry&, etl::flow::Run events) {
            for (const etl::flow::Event& event : events) {
                workers[worker].coverage.add(workers[worker].decoder.decode(event));
            }
            progress.add(events.size());
        });
    Coverage whole;
    for (const Worker& worker : workers) {
        whole.combine(worker.coverage);
    }
    return whole;
}

std::string coverage_json(const CoverageCounts& counts) {
    JsonObject json;
    json.number("events", counts.events());
    json.number("decoded", counts.decoded());
    json.number("exact", counts.exact);
    json.number("guessed", counts.guessed);
    json.number("trailing", counts.trailing);
    json.number("short", counts.short_payloads);
    json.number("mismatched", counts.contradicting);
    json.raw("sources", counts_json<DecodedBy>(counts.decoded_by));
    json.number("raw", counts.raw());
    json.raw("raw_by_reason", counts_json<RawReason>(counts.raw_by_reason));
    json.raw("decoded_percent", fmt::format("{:.2f}", percent(counts.decoded(), counts.events())));
    json.raw("exact_percent", fmt::format("{:.2f}", percent(counts.exact, counts.events())));
    return json.take();
}

std::string coverage_text(const Coverage& coverage, std::span<const LabelledProvider> providers) {
    std::string text = total_text(coverage.total());
    text += "\n      decoded          exact    guessed   trailing      short   mismatch            "
            "raw  provider\n";
    for (const LabelledProvider& provider : providers) {
        const auto counts = coverage.providers().find(provider.guid);
        if (counts != coverage.providers().end()) {
            text += row_text(counts->second, provider.label);
        }
    }
    return text;
}

} // namespace cli
