#include "io/byte_stream.hpp"

#include "io/find_files.hpp"
#include "io/limits.hpp"
#include "io/packed/member_data.hpp"
#include "io/packed/spool.hpp"
#include "io/system/os_file.hpp"
#include "io/system/system.hpp"
#include "io/unpack.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

namespace etl::io {

namespace {

class OpenStream final : public ByteStream {
public:
    explicit OpenStream(OsFile file) : file_(std::move(file)) {}

    Result<Arrival> read(MutableBytes into, std::chrono::milliseconds timeout) override {
        const auto is_ready = file_.wait(timeout);
        if (!is_ready) {
            return std::unexpected(is_ready.error());
        }
        if (!*is_ready) {
            return Arrival{State::pause, 0};
        }
        const auto size = file_.read(into);
        if (!size) {
            return std::unexpected(size.error());
        }
        return Arrival{*size == 0 ? State::end : State::data, *size};
    }

private:
    OsFile file_;
};

constexpr std::size_t pipe_block = 1U << 18U;

} // namespace

std::unique_ptr<ByteStream> stream_of(OsFile file) {
    return std::make_unique<OpenStream>(std::move(file));
}

bool is_stream(const std::string& path) noexcept {
    if (path != "-") {
        return is_device(path);
    }
    const auto kind = OsFile::standard_input().kind();
    return kind && *kind == OsFile::Kind::stream;
}

Result<std::unique_ptr<ByteStream>> open_stream(const std::string& path) {
    if (path == "-") {
        return stream_of(OsFile::standard_input());
    }
    auto file = OsFile::open_for_reading(path);
    if (!file) {
        return std::unexpected(file.error());
    }
    return stream_of(std::move(*file));
}

Result<std::shared_ptr<const InputFile>> spool(ByteStream& stream, Bytes head, std::string name,
                                               const UnpackOptions& options) {
    auto to = Spool::create();
    if (!to) {
        return std::unexpected(to.error());
    }
    std::vector<std::byte> block(pipe_block);
    std::uint64_t total = 0;
    for (Bytes part = head;;) {
        total += part.size();
        if (total > options.max_unpacked) {
            return fail(ErrorCode::limit, limit_of_stream, {}, options.max_unpacked);
        }
        if (const auto written = to->write(part); !written) {
            return std::unexpected(written.error());
        }
        const auto arrival = stream.read(block, std::chrono::seconds(1));
        if (!arrival) {
            return std::unexpected(arrival.error());
        }
        if (arrival->state == ByteStream::State::end) {
            return to->finish(std::move(name));
        }
        part = Bytes(block).first(arrival->size);
    }
}

std::string spool_directory() {
    return OsFile::temporary_folder();
}

std::uint64_t spool_allowance() noexcept {
    try {
        std::error_code code;
        const auto space = std::filesystem::space(to_path(spool_directory()), code);
        return code ? limits::unpacked_bytes : space.available / 2;
    } catch (...) { // a name that is no path
        return limits::unpacked_bytes;
    }
}

std::uint64_t unpack_allowance(std::uint64_t packed_size) noexcept {
    const std::uint64_t max_by_size =
        packed_size > std::numeric_limits<std::uint64_t>::max() / limits::unpacked_times
            ? std::numeric_limits<std::uint64_t>::max()
            : packed_size * limits::unpacked_times;
    return std::min(std::max(max_by_size, limits::always_unpacked_bytes), spool_allowance());
}

bool exceeds_unpack_limit(const Error& error) noexcept {
    return error.code == ErrorCode::limit && (error.what == std::string_view(limit_of_stream) ||
                                              error.what == std::string_view(limit_of_unpacking));
}

struct GrowingFile::State {
    OsFile file;
    std::string path;
    std::optional<FileId> id;
};

GrowingFile::GrowingFile(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}

GrowingFile::GrowingFile(GrowingFile&& other) noexcept = default;

GrowingFile::~GrowingFile() = default;

Result<GrowingFile> GrowingFile::open(const std::string& path) {
    const auto id = file_id(path);
    auto file = OsFile::open_for_reading(path);
    if (!file) {
        return std::unexpected(file.error());
    }
    const auto kind = file->kind();
    if (!kind) {
        return std::unexpected(kind.error());
    }
    if (*kind != OsFile::Kind::regular) {
        return fail(ErrorCode::unsupported, "not a regular file");
    }
    return GrowingFile(std::make_unique<State>(State{std::move(*file), path, id}));
}

Result<std::size_t> GrowingFile::read_at(FileOffset where, MutableBytes into) const {
    return state_->file.read_at(where, into);
}

Result<std::uint64_t> GrowingFile::size() const {
    return state_->file.size();
}

Result<std::shared_ptr<const InputFile>> GrowingFile::head(std::uint64_t size) const {
    return head_of(state_->file, state_->path, size);
}

bool GrowingFile::is_replaced() const noexcept {
    return state_->id && file_id(state_->path) != state_->id;
}

} // namespace etl::io
