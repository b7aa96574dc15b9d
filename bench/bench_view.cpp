// bench_view FILE: all fields of all events through `view`, as a ratio to the same walk by hand,
// measured in one run over the same mapped file. Schemas are found before either begins.
#include "best_seconds.hpp"

#include <etl/trace.hpp>

#include "catalog/catalog.hpp"
#include "decode/decoder.hpp"
#include "decode/harvest.hpp"
#include "io/input_file.hpp"
#include "trace/reader.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

struct Sums {
    std::uint64_t events = 0;
    std::uint64_t values = 0;
    std::uint64_t bytes = 0;
    std::uint64_t names = 0;

    bool operator==(const Sums&) const = default;
};

std::shared_ptr<etl::schema::SchemaStore> schemas_of(etl::trace::Reader& reader) {
    etl::decode::Harvest harvest;
    reader.for_each_buffer(1, [&](unsigned, const auto&, etl::flow::Run run) { harvest.add(run); });
    auto store = std::make_shared<etl::schema::SchemaStore>();
    harvest.finish(*store);
    if (auto catalog = etl::catalog::Catalog::open({})) {
        catalog->load(harvest.providers(), *store);
    }
    store->freeze();
    return store;
}

/// What a program writes that goes to the rooms below: reader, decoder, walker.
Sums by_hand(const std::shared_ptr<const etl::io::InputFile>& file, etl::decode::Decoder& decoder) {
    Sums sums;
    auto reader = etl::trace::Reader::open(file);
    etl::flow::EventCursor events(**reader);
    etl::decode::FieldWalker walker;
    while (const etl::flow::Event* event = events.next()) {
        ++sums.events;
        const etl::decode::DecodedEvent& decoded = decoder.decode(*event);
        if (decoded.kind->schema == nullptr) {
            continue;
        }
        walker.start(decoded.kind->plan, decoded.body);
        for (auto step = walker.next(); step != etl::decode::Step::end; step = walker.next()) {
            if (step == etl::decode::Step::value) {
                ++sums.values;
                sums.bytes += walker.value().bytes.size();
                sums.names += decoded.kind->schema->fields[walker.field()].name.size();
            }
        }
    }
    return sums;
}

void add(const auto& fields, Sums& sums) {
    for (const etl::Field& field : fields) {
        if (field.is_value()) {
            ++sums.values;
            sums.bytes += field.as<etl::Bytes>().value().size();
            sums.names += field.name().size();
        } else {
            add(field, sums);
        }
    }
}

Sums through_view(etl::Trace& trace) {
    Sums sums;
    for (const etl::Event& event : trace) {
        ++sums.events;
        add(event.fields(), sums);
    }
    return sums;
}

} // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::fprintf(stderr, "usage: bench_view FILE (uncompressed)\n");
        return 64;
    }
    auto file = etl::io::InputFile::map(arguments[1]);
    auto reader = file ? etl::trace::Reader::open(*file) : std::unexpected(file.error());
    auto trace = etl::Trace::open(arguments[1], {.threads = 1});
    if (!reader || !trace) {
        return 2;
    }
    etl::decode::Decoder decoder(schemas_of(**reader));
    // In turns, so that both meet the same conditions; the median of the ratios ignores rounds that
    // were interrupted.
    constexpr std::size_t rounds = 41;
    std::vector<double> ratios;
    double hand = 1e9;
    double view = 1e9;
    Sums of_hand;
    Sums of_view;
    for (std::size_t i = 0; i < rounds; ++i) {
        const double by_hand_now = etl::bench::seconds([&] { of_hand = by_hand(*file, decoder); });
        const double view_now = etl::bench::seconds([&] { of_view = through_view(*trace); });
        ratios.push_back(view_now / by_hand_now);
        hand = std::min(hand, by_hand_now);
        view = std::min(view, view_now);
    }
    std::ranges::nth_element(ratios, ratios.begin() + rounds / 2);
    std::printf("%llu events, %llu values\n", static_cast<unsigned long long>(of_hand.events),
                static_cast<unsigned long long>(of_hand.values));
    std::printf("%-12s %8.4f s\n%-12s %8.4f s  %.3f of by hand (best), %.3f (median)\n", "by hand",
                hand, "view", view, view / hand, ratios[rounds / 2]);
    if (of_hand != of_view) {
        std::printf("the walks differ in what they saw\n");
        return 1;
    }
    return 0;
}
