#include "verbs/view/indexing.hpp"

#include "analysis/index_file.hpp"
#include "cli/console.hpp"
#include "gather/index_cache.hpp"
#include "gather/trace_index.hpp"
#include "io/find_files.hpp"
#include "trace/reader.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace cli {

namespace {

/// Smaller traces are read as fast as an index.
constexpr std::uint64_t least_size = std::uint64_t{32} << 20U;

/// Of the cache: an index has 3% of its trace, and a quarter of the cache is for one.
constexpr std::uint64_t cache_bytes = std::uint64_t{8} << 30U;

bool needs_index(const etl::dataset::Input& input) {
    if (!etl::io::is_regular_file(input.name()) || input.file->bytes().size() < least_size) {
        return false;
    }
    const auto index = etl::gather::index_of_state(*input.file);
    return index == nullptr || !etl::analysis::has_sections(*index);
}

} // namespace

Indexing::Indexing(std::vector<std::string> paths, etl::dataset::Options options,
                   etl::viewer::Service& service)
    : paths_(std::move(paths)), options_(std::move(options)), service_(&service) {
    options_.problems = {};
    options_.findings = {};
    options_.remarks = {};
    thread_ = std::thread([this] { run(); });
}

Indexing::~Indexing() {
    stop_.request();
    thread_.join();
}

void Indexing::run() {
    if (!add_indexes() || stop_.is_requested()) {
        service_->show({});
        return;
    }
    auto opened = etl::explore::Explorer::open(paths_, options_);
    service_->show({});
    if (opened) {
        service_->replace(*std::move(opened));
    }
}

/// Returns whether there is a new one.
bool Indexing::add_indexes() {
    const etl::dataset::Inputs inputs = etl::dataset::open_inputs(paths_, options_);
    bool has_new = false;
    for (std::size_t i = 0; i < inputs.files.size() && !stop_.is_requested(); ++i) {
        const etl::dataset::Input& input = inputs.files[i];
        if (needs_index(input)) {
            const std::string what =
                inputs.files.size() == 1
                    ? "Indexing"
                    : fmt::format("Indexing {} of {}", i + 1, inputs.files.size());
            has_new = add_index(input, what) || has_new;
        }
    }
    return has_new;
}

bool Indexing::add_index(const etl::dataset::Input& input, const std::string& what) {
    using Clock = std::chrono::steady_clock;
    constexpr auto often = std::chrono::milliseconds(250);
    service_->show(etl::viewer::Progress{what, {}});
    const auto key = etl::gather::index_key_or_new();
    if (!key) {
        say(etl::gather::describe_key_error(key.error()));
        return false;
    }
    Clock::time_point shown{};
    const auto progress = [&](std::uint64_t, const etl::flow::Event& newest) {
        if (Clock::now() - shown > often) {
            shown = Clock::now();
            service_->show(etl::viewer::Progress{what, etl::flow::fraction_by_place(newest)});
        }
    };
    auto made =
        etl::analysis::make_index(input, options_.worker_threads(), {.progress = progress}, &stop_);
    const auto kept = [&]() -> etl::Result<void> {
        if (!made) {
            return std::unexpected(static_cast<const etl::Error&>(made.error()));
        }
        const std::string name = made->name();
        return etl::gather::cache_index(name, *key, etl::analysis::encode(*std::move(made), *key),
                                        cache_bytes);
    }();
    if (!kept && kept.error().code != etl::ErrorCode::stopped) {
        say(fmt::format("note: {}: no index: {}; questions read all of the trace",
                        printable(input.name()), etl::describe(kept.error())));
    }
    return kept.has_value();
}

} // namespace cli
