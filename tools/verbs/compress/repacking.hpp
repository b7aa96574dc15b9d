// Converts a trace between a container, compressed buffers, and plain. docs/compress.md
#pragma once

#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "codec/codec.hpp"
#include "io/container.hpp"
#include "outputs/output_guard.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cli {

/// The form of the output.
enum class Form : unsigned char { plain, zst, lz4, xpress, xpress_huffman, lznt1 };

struct CompressOptions {
    std::vector<std::string> arguments;
    std::string output; // a file, a directory, or `-`; empty: next to the input
    std::optional<Form> form;
    etl::codec::Level level = etl::codec::Level::normal;
    bool in_place = false;
    bool force = false;
    unsigned threads = 0;
    ProgressBar::Mode progress = ProgressBar::Mode::automatic;
};

constexpr etl::io::Container container_of(Form form) noexcept {
    using etl::io::Container;
    return form == Form::zst   ? Container::zstd
           : form == Form::lz4 ? Container::lz4
                               : Container::none;
}

/// How an input was named. Files of a directory or glob that already have the requested form are
/// skipped.
enum class Named : unsigned char { itself, by_directory };

struct CompressInput {
    std::string path;
    Named named = Named::itself;
};

/// Converts one input. Its progress runs from `begin` to `begin + share`. Prints errors. `guard`
/// has all inputs registered; the output is added to it.
ExitCode repack(const CompressOptions& options, const CompressInput& input, Form wanted,
                OutputGuard& guard, ProgressBar& bar, double begin, double share);

} // namespace cli
