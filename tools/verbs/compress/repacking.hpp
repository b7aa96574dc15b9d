// One trace into another form: packed as a whole, packed inside, or plain. docs/compress.md
#pragma once

#include <etl/codec/codec.hpp>
#include <etl/io/container.hpp>

#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "cli/output_guard.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cli {

/// What a trace becomes.
enum class Form : unsigned char { plain, zst, lz4, xpress, xpress_huffman, lznt1 };

struct CompressOptions {
    std::vector<std::string> arguments;
    std::string output; // a file, a folder, `-`; empty: beside the input
    std::optional<Form> form;
    etl::codec::Level level = etl::codec::Level::normal;
    bool in_place = false;
    bool force = false;
    unsigned threads = 0;
    ProgressBar::Wish progress = ProgressBar::Wish::automatic;
};

constexpr etl::io::Container container_of(Form form) noexcept {
    using etl::io::Container;
    return form == Form::zst   ? Container::zstd
           : form == Form::lz4 ? Container::lz4
                               : Container::none;
}

/// Who names a file means it; of a folder or a glob only those are meant that have not yet the
/// wanted form.
enum class Named : unsigned char { itself, by_folder };

struct CompressInput {
    std::string path;
    Named named = Named::itself;
};

/// Repacks one input, which is `share` of the whole from `begin` on, both of 1. Prints what went
/// wrong. `guard` knows all inputs, and from then on this output.
ExitCode repack(const CompressOptions& options, const CompressInput& input, Form wanted,
                OutputGuard& guard, ProgressBar& bar, double begin, double share);

} // namespace cli
