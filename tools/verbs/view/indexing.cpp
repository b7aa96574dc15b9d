#include "verbs/view/indexing.hpp"

#include "analysis/index_file.hpp"
#include "cli/console.hpp"
#include "cli/progress.hpp"
#include "gather/index_cache.hpp"
#include "gather/trace_index.hpp"
#include "io/find_files.hpp"
#include "trace/reader.hpp"

#include <fmt/format.h>

#include <chrono>
#include <new>
#include <utility>

namespace cli {

namespace {

/// Smaller traces are read as fast as an index.
constexpr std::uint64_t least_size = std::uint64_t{32} << 20U;

/// Of the cache: an index has 3% of its trace, and a quarter of the cache is for one.
constexpr std::uint64_t cache_bytes = std::uint64_t{8} << 30U;

/// Progress stays as it is for so long.
constexpr auto least_change = std::chrono::milliseconds(250);

bool is_large(const etl::dataset::Input& input) {
    return input.file->bytes().size() >= least_size;
}

bool needs_index(const etl::dataset::Input& input) {
    if (!etl::io::is_regular_file(input.name()) || !is_large(input)) {
        return false;
    }
    const auto index = etl::gather::index_of_state(*input.file);
    return index == nullptr || !etl::analysis::has_sections(*index);
}

std::expected<etl::analysis::MadeIndex, etl::TraceError>
make_index(const etl::dataset::Input& input, unsigned threads,
           const std::function<void(double)>& show, const etl::Stop& stop) {
    const auto progress = [&](std::uint64_t, const etl::flow::Event& newest) {
        show(fraction_by_place(newest));
    };
    return etl::analysis::make_index(input, threads, {.progress = progress}, &stop);
}

/// Makes an index, and puts it into the cache.
etl::Result<void> cache_index_of(const etl::dataset::Input& input, const etl::trace::IndexKey& key,
                                 unsigned threads, const std::function<void(double)>& show,
                                 const etl::Stop& stop) {
    auto made = make_index(input, threads, show, stop);
    if (!made) {
        return std::unexpected(static_cast<const etl::Error&>(made.error()));
    }
    const std::string name = made->name();
    return etl::gather::cache_index(name, key, etl::analysis::encode(*std::move(made), key),
                                    cache_bytes);
}

bool add_index(const etl::dataset::Input& input, unsigned threads,
               const std::function<void(double)>& show, const etl::Stop& stop) {
    const auto key = etl::gather::index_key_or_new();
    if (!key) {
        say(etl::gather::describe_key_error(key.error()));
        return false;
    }
    const auto kept = cache_index_of(input, *key, threads, show, stop);
    if (!kept && kept.error().code != etl::ErrorCode::stopped) {
        say(fmt::format("note: {}: no index: {}; questions read all of the trace",
                        printable(input.name()), etl::describe(kept.error())));
    }
    return kept.has_value();
}

/// Returns whether there is a new one.
bool make_indexes(const std::vector<etl::dataset::Input>& files, unsigned threads,
                  etl::viewer::Service& service, const etl::Stop& stop) {
    bool has_new = false;
    for (std::size_t i = 0; i < files.size() && !stop.is_requested(); ++i) {
        if (needs_index(files[i])) {
            const auto show = progress_to(
                service, files.size() == 1 ? "Indexing"
                                           : fmt::format("Indexing {} of {}", i + 1, files.size()));
            has_new = add_index(files[i], threads, show, stop) || has_new;
        }
    }
    return has_new;
}

} // namespace

etl::dataset::Options quiet(etl::dataset::Options options) {
    options.problems = {};
    options.findings = {};
    options.remarks = {};
    return options;
}

Background::Background(std::function<bool()> work, etl::Stop& stop) : stop_(&stop) {
    if (work) {
        thread_ = std::thread([this, work = std::move(work)] {
            try {
                has_failed_ = !work();
            } catch (const std::bad_alloc&) {
                say("not enough memory to prepare the trace");
                has_failed_ = true;
            }
        });
    }
}

Background::~Background() {
    stop_->request();
    if (thread_.joinable()) {
        thread_.join();
    }
}

std::function<void(double done)> progress_to(etl::viewer::Service& service, std::string what) {
    using Clock = std::chrono::steady_clock;
    service.show(etl::viewer::Progress{what, {}});
    return [&service, what = std::move(what), shown = Clock::time_point{}](double done) mutable {
        if (Clock::now() - shown > least_change) {
            shown = Clock::now();
            service.show(etl::viewer::Progress{what, done});
        }
    };
}

void add_indexes(const std::vector<std::string>& paths, etl::dataset::Options options,
                 etl::viewer::Service& service, const etl::Stop& stop,
                 const std::function<void(etl::explore::Explorer)>& use) {
    options = quiet(std::move(options));
    const etl::dataset::Inputs inputs = etl::dataset::open_inputs(paths, options);
    const bool has_new = make_indexes(inputs.files, options.worker_threads(), service, stop);
    auto opened = has_new && !stop.is_requested()
                      ? std::optional(etl::explore::Explorer::open(paths, std::move(options)))
                      : std::nullopt;
    service.show({});
    if (opened && *opened) {
        use(**std::move(opened));
    }
}

etl::dataset::Input with_index(etl::dataset::Input input, const etl::dataset::Options& options,
                               const std::function<void(double done)>& show,
                               const etl::Stop& stop) {
    if (!is_large(input)) {
        return input;
    }
    constexpr etl::trace::IndexKey key{}; // the index stays in this process: it needs no secret
    auto made = make_index(input, options.worker_threads(), show, stop);
    if (made) {
        const auto bytes = std::make_shared<const std::vector<std::byte>>(
            etl::analysis::encode(*std::move(made), key));
        auto index = etl::trace::parse_index(*bytes, input.file->bytes().size(),
                                             input.file->changed(), key, bytes);
        input.index =
            index ? std::make_shared<const etl::trace::TraceIndex>(*std::move(index)) : nullptr;
    }
    return input;
}

void add_index_of(etl::dataset::Input copy, const etl::dataset::Options& options,
                  etl::viewer::Service& service, const etl::Stop& stop) {
    if (!is_large(copy)) {
        return;
    }
    const auto show = progress_to(service, "Indexing");
    copy = with_index(std::move(copy), options, show, stop);
    auto opened = copy.index != nullptr
                      ? std::optional(etl::explore::Explorer::open_inputs(
                            etl::dataset::Inputs{.files = {std::move(copy)}}, quiet(options)))
                      : std::nullopt;
    service.show({});
    if (opened && *opened) {
        service.replace(**std::move(opened));
    }
}

} // namespace cli
