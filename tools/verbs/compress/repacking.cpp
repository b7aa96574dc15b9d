#include "verbs/compress/repacking.hpp"

#include "base/task_pool.hpp"
#include "base/text.hpp"
#include "cli/console.hpp"
#include "eventlog/convert.hpp"
#include "io/find_files.hpp"
#include "io/inherit_rights.hpp"
#include "io/output_file.hpp"
#include "io/unpack.hpp"
#include "outputs/trace_output.hpp"
#include "repair/repair.hpp"
#include "trace/inputs.hpp"
#include "trace/repack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

namespace cli {

namespace {

using etl::io::Container;

std::string_view ending_of(Form form) noexcept {
    return form == Form::zst ? ".zst" : form == Form::lz4 ? ".lz4" : "";
}

etl::codec::Format codec_of(Form form) noexcept {
    using etl::codec::Format;
    return form == Form::xpress           ? Format::xpress
           : form == Form::xpress_huffman ? Format::xpress_huffman
           : form == Form::lznt1          ? Format::lznt1
                                          : Format::none;
}

etl::io::ContainerLevel container_level(etl::codec::Level level) noexcept {
    using etl::io::ContainerLevel;
    return level == etl::codec::Level::fast    ? ContainerLevel::fast
           : level == etl::codec::Level::small ? ContainerLevel::small
                                               : ContainerLevel::normal;
}

/// `x.etl` for `x.etl.zst`; the path itself if it has no extension of a compressed file.
std::string without_ending(const std::string& path) {
    constexpr std::array<std::string_view, 6> endings = {".zst", ".lz4", ".gz",
                                                         ".xz",  ".bz2", ".zstd"};
    const std::string name = etl::to_lower_ascii(path);
    const auto* const ending =
        std::ranges::find_if(endings, [&](std::string_view one) { return name.ends_with(one); });
    return ending == endings.end() ? path : path.substr(0, path.size() - ending->size());
}

/// Once the input is open, these errors are of the output.
bool is_of_output(const etl::Error& error) noexcept {
    return error.code == etl::ErrorCode::io_failure || error.code == etl::ErrorCode::not_found;
}

/// The processing of one input.
class Repacking {
public:
    Repacking(const CompressOptions& options, OutputGuard& guard, ProgressBar& bar, double begin,
              double share)
        : options_(options), guard_(guard), bar_(bar), begin_(begin), share_(share) {}

    ExitCode run(const CompressInput& input, Form wanted) {
        input_ = input.path;
        auto file = etl::trace::open_input(input_);
        if (!file) {
            say(input_, file.error());
            return ExitCode::failed;
        }
        form_ = wanted;
        if (!take(*std::move(file))) {
            return ExitCode::failed;
        }
        if (input.named == Named::by_directory && has_form()) {
            return ExitCode::well;
        }
        if (!choose_output()) {
            return ExitCode::failed;
        }
        // Each output is that of its own input.
        etl::io::inherit_rights(std::span(&input_, 1), etl::io::Inherit::copied_rights);
        const bool is_plain = form_ == Form::plain;
        const bool packed = container_of(form_) != Container::none ? pack()
                            : is_plain && is_container_            ? unpack()
                            : is_plain && is_foreign_              ? copy()
                                                                   : repack_natively();
        return packed ? finish() : pipe_closed_ ? ExitCode::well : ExitCode::failed;
    }

private:
    void refuse(std::string_view why) const { say(fmt::format("{}: {}", printable(input_), why)); }

    bool show(double done) const {
        bar_.show(begin_ + share_ * done, 0);
        return true;
    }

    unsigned threads() const {
        return options_.threads > 0 ? options_.threads : etl::hardware_threads();
    }

    /// Files in other formats are decompressed completely.
    bool take(std::shared_ptr<const etl::io::InputFile> file) {
        is_container_ = etl::io::container_of(file->bytes()) != Container::none;
        is_foreign_ = !is_container_ && etl::io::is_packed(file->bytes());
        file_ = std::move(file);
        if (!is_foreign_) {
            return true;
        }
        auto opened = etl::trace::open_inputs({input_});
        if (!opened.problems.empty()) {
            say(opened.problems.front().name, opened.problems.front().error);
            return false;
        }
        if (opened.files.size() != 1 || opened.files.front()->damage()) {
            refuse("not a single intact compressed trace");
            return false;
        }
        file_ = std::move(opened.files.front());
        return true;
    }

    /// Whether the input already has the requested form: any container, or buffers compressed by
    /// any codec.
    bool has_form() const {
        if (container_of(form_) != Container::none) {
            return is_container_;
        }
        if (is_container_ || is_foreign_) {
            return false;
        }
        const auto reader = etl::trace::Reader::open(file_);
        return reader && ((*reader)->info().compressed_buffers > 0) == (form_ != Form::plain);
    }

    bool fail(const etl::Error& error) {
        pipe_closed_ = is_closed_pipe(output_, error);
        if (!pipe_closed_) {
            say(is_of_output(error) ? output_ : input_, error);
        }
        return false;
    }

    bool choose_output() {
        if (is_container_ && container_of(form_) != Container::none) {
            refuse("already compressed");
            return false;
        }
        const std::string plain = without_ending(input_);
        const std::string made = plain + std::string(ending_of(form_));
        const std::size_t slash = made.find_last_of('/') + 1;
        output_ = options_.output.empty() ? made
                  : etl::io::is_directory(options_.output)
                      ? options_.output + "/" + made.substr(slash)
                      : options_.output;
        if (output_ == "-") {
            return true;
        }
        const bool is_itself = options_.output.empty() && made == input_;
        if (is_itself && !options_.in_place) {
            refuse("the output has the same name; use --in-place to replace the input, or -o to "
                   "name another file");
            return false;
        }
        std::error_code ignored;
        if (!is_itself && options_.in_place && std::filesystem::is_symlink(input_, ignored)) {
            refuse("the input is a symbolic link, which would dangle; name its target");
            return false;
        }
        return is_itself || guard_.permits(output_, existing_files(options_.force));
    }

    etl::trace::RepackOptions repack_options() const {
        return {.level = container_level(options_.level),
                .threads = threads(),
                .progress = [this](double done) { return show(done); }};
    }

    /// Opens the output, calls `fill` to write it, and closes it.
    template <typename Fill>
    bool write(Fill fill) {
        auto opened =
            files_.open(etl::rewrite::file_of(output_), etl::io::FileFactory::Open::replace);
        if (!opened) {
            return fail(opened.error());
        }
        etl::io::WritableFile& output = **opened;
        const etl::Result<std::uint64_t> bytes = fill(output);
        if (!bytes) {
            return fail(bytes.error());
        }
        auto ended = options_.in_place ? output.sync() : etl::Result<void>{};
        if (ended) {
            ended = output.close();
        }
        return ended || fail(ended.error());
    }

    bool pack() {
        return write([&](etl::io::WritableFile& output) -> etl::Result<std::uint64_t> {
            const auto packed =
                etl::trace::pack(file_, output, container_of(form_), repack_options());
            return packed ? etl::Result<std::uint64_t>(packed->packed_bytes)
                          : std::unexpected(packed.error());
        });
    }

    bool unpack() {
        return write([&](etl::io::WritableFile& output) -> etl::Result<std::uint64_t> {
            const auto unpacked = etl::trace::unpack(file_, output, repack_options());
            return unpacked ? etl::Result<std::uint64_t>(unpacked->plain_bytes)
                            : std::unexpected(unpacked.error());
        });
    }

    bool copy() {
        return write([&](etl::io::WritableFile& output) -> etl::Result<std::uint64_t> {
            const auto copied = output.write_at({0}, file_->bytes());
            return copied ? etl::Result<std::uint64_t>(file_->bytes().size())
                          : std::unexpected(copied.error());
        });
    }

    /// Rewrites each buffer with another codec, as `etl repair` does for an intact trace.
    bool repack_natively() {
        if (etl::eventlog::is_event_log(*file_)) {
            refuse(
                form_ == Form::plain
                    ? "not compressed"
                    : "an event log has no buffers to compress; use --format zst or lz4, or write "
                      "a trace: etl relog LOG --compress xpress -o TRACE");
            return false;
        }
        const auto reader = etl::trace::Reader::open(file_);
        if (!reader) {
            say(input_, reader.error());
            return false;
        }
        if (form_ == Form::plain && (*reader)->info().compressed_buffers == 0) {
            refuse("not compressed");
            return false;
        }
        etl::repair::Options how{.files = &files_};
        how.file.compression = codec_of(form_);
        how.file.level = options_.level;
        how.file.container = etl::io::Container::none;
        how.file.durability =
            options_.in_place ? etl::trace::Durability::at_close : etl::trace::Durability::none;
        how.file.threads = how.threads = threads();
        how.progress = [this](double done) { show(done); };
        const auto report = etl::repair::run(file_, etl::rewrite::file_of(output_), how);
        if (!report) {
            return fail(report.error());
        }
        if (!report->is_intact) {
            refuse("damaged; not changed; use `etl repair` to recover intact records");
            return false;
        }
        if (!report->is_complete) {
            refuse(fmt::format("warning: {} missing; counted in BuffersLost of the output",
                               plural(report->missing_buffers, "buffer is", "buffers are")));
        }
        return true;
    }

    ExitCode finish() {
        if (file_->intact_size() < file_->bytes().size()) {
            refuse("truncated while it was read; not changed");
            return ExitCode::failed;
        }
        if (const auto committed = files_.commit(); !committed) {
            say(output_, committed.error());
            return ExitCode::failed;
        }
        guard_.writes(output_);
        if (options_.in_place && output_ != input_) {
            if (const auto removed = etl::io::disk().remove(input_); !removed) {
                say(input_, removed.error());
                return ExitCode::failed;
            }
        }
        return ExitCode::well;
    }

    const CompressOptions& options_;
    OutputGuard& guard_;
    ProgressBar& bar_;
    double begin_, share_;
    std::string input_, output_;
    Form form_ = Form::plain;
    std::shared_ptr<const etl::io::InputFile> file_;
    bool is_container_ = false; // written by etl
    bool is_foreign_ = false;   // compressed by other tools
    bool pipe_closed_ = false;
    etl::io::AtomicFiles files_;
};

} // namespace

ExitCode repack(const CompressOptions& options, const CompressInput& input, Form wanted,
                OutputGuard& guard, ProgressBar& bar, double begin, double share) {
    return Repacking(options, guard, bar, begin, share).run(input, wanted);
}

} // namespace cli
