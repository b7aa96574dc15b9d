#include "rewrite/anonymizing.hpp"

#include "anonymize/limits.hpp"
#include "io/input_file.hpp"
#include "relog/edit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace etl::rewrite {

namespace {

bool looks_like_path(const std::string& text) {
    return text.find_first_of("/\\") != std::string::npos || text.ends_with(".key");
}

std::unexpected<TraceError> empty_key(const std::string& about) {
    return std::unexpected(
        TraceError{{.code = ErrorCode::invalid_option, .what = "key"}, about, "empty key"});
}

TraceError undecodable(const anonymize::Report& report, const std::string& output) {
    return {{.code = ErrorCode::unsupported, .what = "anonymizing undecodable events"},
            output,
            fmt::format("not written: {} events could not be decoded and cannot be anonymized: {}; "
                        "add schemas, or drop or keep these events",
                        report.undecodable, undecodable_providers(report))};
}

} // namespace

anonymize::Undecodable undecodable_of(Undecodable choice, anonymize::Scope scope) noexcept {
    using Result = anonymize::Undecodable;
    switch (choice) {
    case Undecodable::drop:
        return Result::drop;
    case Undecodable::clear:
        return Result::clear;
    case Undecodable::keep:
        return Result::keep;
    case Undecodable::refuse:
        break;
    }
    return scope == anonymize::Scope::everything ? Result::drop : Result::keep;
}

anonymize::Key random_key() {
    std::random_device device;
    anonymize::Key key{};
    std::ranges::generate(key, [&] { return static_cast<std::uint8_t>(device()); });
    return key;
}

std::expected<anonymize::Key, TraceError> key_of(const std::string& file_or_text) {
    if (file_or_text.empty()) {
        return empty_key("key");
    }
    const auto file = io::InputFile::map(file_or_text);
    if (file) {
        return (*file)->bytes().empty()
                   ? empty_key(file_or_text)
                   : std::expected<anonymize::Key, TraceError>(anonymize::key_of((*file)->bytes()));
    }
    if (file.error().code != ErrorCode::not_found || looks_like_path(file_or_text)) {
        return std::unexpected(TraceError{file.error(), file_or_text});
    }
    return anonymize::key_of(std::as_bytes(std::span(file_or_text)));
}

std::optional<anonymize::Redaction> parse_redaction(std::string_view text) {
    const std::size_t first = text.find('/');
    const std::size_t last = text.rfind('/');
    if (first == std::string_view::npos || first == 0 || last <= first + 1 ||
        last + 1 >= text.size()) {
        return {};
    }
    return anonymize::Redaction{std::string(text.substr(0, first)),
                                std::string(text.substr(first + 1, last - first - 1)),
                                std::string(text.substr(last + 1))};
}

std::expected<anonymize::Names, TraceError> names_of(const dataset::Dataset& traces,
                                                     const schema::SchemasByTrace& schemas,
                                                     const decode::DecoderOptions& decoder,
                                                     unsigned threads) {
    using anonymize::NameCollector;
    std::vector<NameCollector> collectors;
    for (unsigned i = 0; i < threads; ++i) {
        collectors.emplace_back(schemas, decoder);
    }
    for (const auto& reader : traces.readers()) {
        collectors.front().add(reader->info().header);
        reader->for_each_buffer(threads, [&](unsigned worker, const trace::BufferEntry&,
                                             flow::Run run) { collectors[worker].add(run); });
    }
    anonymize::Names names;
    for (NameCollector& collector : collectors) {
        names.combine(collector.take());
    }
    if (names.has_omitted()) {
        return std::unexpected(TraceError{
            {.code = ErrorCode::limit, .what = "names"},
            {},
            fmt::format("more than {} names of users or computers; the rest would not be replaced",
                        anonymize::limits::private_names)});
    }
    return names;
}

std::string undecodable_providers(const anonymize::Report& report) {
    constexpr std::size_t shown_providers = 5;
    std::vector<std::pair<std::uint64_t, std::string>> providers;
    for (const auto& [name, unchecked] : report.unchecked) {
        if (unchecked.undecodable + unchecked.packed > 0) {
            providers.emplace_back(unchecked.undecodable + unchecked.packed, name);
        }
    }
    std::ranges::sort(providers, std::greater<>());
    std::string text;
    for (const auto& [events, name] :
         std::span(providers).first(std::min(shown_providers, providers.size()))) {
        text += fmt::format("{}{} of {}", text.empty() ? "" : ", ", events, name);
    }
    return text + (providers.size() > shown_providers ? ", ..." : "");
}

std::expected<Anonymized, MergeError> anonymize(dataset::Dataset& traces, const Anonymizing& what) {
    anonymize::Options how = what.how;
    const unsigned threads = traces.options().worker_threads();
    auto context = traces.context({.schemas = gather::SchemaScope::everything});
    if (!context) {
        return std::unexpected(MergeError{std::move(context.error())});
    }
    const bool is_everything = how.scope == anonymize::Scope::everything;
    if (is_everything) {
        auto names = names_of(traces, context->schemas, how.decoder, threads);
        if (!names) {
            return std::unexpected(MergeError{std::move(names.error())});
        }
        how.names = *std::move(names);
    }
    const bool refuses = is_everything && what.undecodable == Undecodable::refuse;
    how.undecodable = undecodable_of(what.undecodable, how.scope);
    auto joined = Joined::join(traces);
    if (!joined) {
        return std::unexpected(std::move(joined.error()));
    }
    anonymize::Anonymizer edit(context->schemas, std::move(how));
    relog::EditedSource edited(joined->source(), edit);
    trace::WriterOptions writer = joined->writer_options();
    edit.anonymize(writer.recording->header);
    OutputOptions options = what.output;
    options.buffer_size = options.buffer_size.value_or(joined->buffer_size());
    auto output = Output::open(options, threads, std::move(writer));
    if (!output) {
        return std::unexpected(MergeError{std::move(output.error())});
    }
    if (const auto copied = joined->copy(edited, *output, what.progress); !copied) {
        return std::unexpected(MergeError{{copied.error(), {}}});
    }
    anonymize::Report report = edit.report();
    if (refuses && report.undecodable > 0) {
        return std::unexpected(MergeError{undecodable(report, options.path)});
    }
    return Anonymized{output->finish(), std::move(report)};
}

} // namespace etl::rewrite
