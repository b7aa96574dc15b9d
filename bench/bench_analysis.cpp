// bench_analysis FILE: the time of tables, and of the facts that a table needs first, as ratios to
// an undecoded ordered walk with two threads, measured in the same run.
#include "best_seconds.hpp"

#include "analysis/pass.hpp"
#include "analysis/tables.hpp"
#include "catalog/catalog.hpp"
#include "gather/facts.hpp"
#include "io/input_file.hpp"
#include "trace/reader.hpp"

#include <cstdio>

namespace {

using File = std::shared_ptr<const etl::io::InputFile>;

constexpr unsigned threads = 2;

std::uint64_t walk(const File& file) {
    auto reader = etl::trace::Reader::open(file, {.threads = threads});
    std::uint64_t sum = 0;
    for (auto run = (*reader)->next_run(); !run.empty(); run = (*reader)->next_run()) {
        for (const etl::flow::Event& event : run) {
            sum += event.size + static_cast<std::uint64_t>(event.raw_time);
        }
    }
    return sum;
}

std::uint64_t table(const File& file, const etl::analysis::TableForm& form,
                    const std::shared_ptr<const etl::schema::SchemaStore>& store) {
    auto reader = etl::trace::Reader::open(file, {.threads = threads});
    const auto analyzer = form.make({});
    etl::analysis::PassOptions options;
    options.facts = std::make_shared<const etl::facts::FactsByTrace>(1);
    options.schemas = store;
    const auto made = etl::analysis::run(**reader, (*reader)->info(), *analyzer, options);
    return made ? made->rows.size() : 0;
}

std::uint64_t facts(const File& file, etl::facts::Scope scope,
                    const std::shared_ptr<const etl::schema::SchemaStore>& store) {
    std::vector<std::unique_ptr<etl::trace::Reader>> readers;
    readers.push_back(*etl::trace::Reader::open(file, {.threads = threads}));
    const auto found =
        etl::gather::facts_of(readers, store, {.scope = scope}, threads, [](const auto&) {});
    return found->size();
}

} // namespace

int main(int count, char** arguments) {
    auto file = count == 2 ? etl::io::InputFile::map(arguments[1])
                           : etl::Result<File>(std::unexpected(etl::Error{}));
    if (!file) {
        std::fprintf(stderr, "usage: bench_analysis FILE\n");
        return 64;
    }
    auto store = std::make_shared<etl::schema::SchemaStore>();
    auto catalog = etl::catalog::Catalog::open({.environment = false});
    if (catalog) {
        catalog->load_all(*store);
    }
    store->freeze();
    std::uint64_t sum = 0;
    const double walked = etl::bench::best_seconds([&] { sum += walk(*file); });
    std::printf("%-24s %8.3f s\n", "ordered walk", walked);
    for (const auto& [scope, name] : {std::pair(etl::facts::Scope::processes, "of processes"),
                                      std::pair(etl::facts::Scope::everything, "of everything")}) {
        const double seconds = etl::bench::best_seconds([&] { sum += facts(*file, scope, store); });
        std::printf("%-10s %-13s %8.3f s  %5.2f of the walk\n", "facts", name, seconds,
                    seconds / walked);
    }
    for (const auto* const form : etl::analysis::table_forms()) {
        const bool needs_end = form->has_slices;
        const double seconds =
            needs_end ? 0 : etl::bench::best_seconds([&] { sum += table(*file, *form, store); });
        if (!needs_end) {
            std::printf("%-10s %-13s %8.3f s  %5.2f of the walk\n", form->kind->name.data(),
                        form->by.data(), seconds, seconds / walked);
        }
    }
    return sum == 0 ? 1 : 0;
}
