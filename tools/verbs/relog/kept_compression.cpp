#include "verbs/relog/kept_compression.hpp"

#include "cli/console.hpp"
#include "io/container.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cli {

namespace {

using etl::codec::Format;

std::string_view codec_name(Format codec) noexcept {
    switch (codec) {
    case Format::lznt1:
        return "lznt1";
    case Format::xpress:
        return "xpress";
    case Format::xpress_huffman:
        return "xpress-huffman";
    case Format::none:
        break;
    }
    return "none";
}

Format codec_of(const etl::trace::Reader& reader) noexcept {
    return static_cast<Format>(reader.info().codec);
}

/// The output is larger than its input, perhaps not on purpose.
void note_container(const etl::flow::TraceInfo& input, const TraceOutputOptions& output) {
    const std::string name = printable(output.path);
    const std::string_view ending = input.container.name == "lz4" ? ".lz4" : ".zst";
    const std::string remedy =
        output.path == "-" ? "use `etl compress`" : fmt::format("name it {}{}", name, ending);
    say(fmt::format("note: {} is compressed, but {} is not; {}", printable(input.name),
                    output.path == "-" ? "the output" : name, remedy));
}

} // namespace

Format kept_compression(const Traces& traces, const TraceOutputOptions& output) {
    if (etl::io::container_by_name(output.path) != etl::io::Container::none) {
        return Format::none;
    }
    const auto& readers = traces.readers();
    const auto first = std::ranges::find_if(
        readers, [](const auto& reader) { return codec_of(*reader) != Format::none; });
    const Format kept = first == readers.end() ? Format::none : codec_of(**first);
    const auto other = std::ranges::find_if(readers, [&](const auto& reader) {
        return codec_of(*reader) != Format::none && codec_of(*reader) != kept;
    });
    if (other != readers.end()) {
        say(fmt::format("note: {} is compressed with {}, {} with {}; the output uses {} (change "
                        "with --compress)",
                        printable((*first)->info().name), codec_name(kept),
                        printable((*other)->info().name), codec_name(codec_of(**other)),
                        codec_name(kept)));
    }
    const auto container = std::ranges::find_if(
        readers, [](const auto& reader) { return !reader->info().container.name.empty(); });
    if (container != readers.end() && kept == Format::none) {
        note_container((*container)->info(), output);
    }
    return kept;
}

} // namespace cli
