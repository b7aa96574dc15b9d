#include "format/record_kind.hpp"
#include "trace/header/read_header_buffer.hpp"
#include "trace/index/header_checks.hpp"
#include "trace/stream.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <thread>
#include <vector>

namespace etl::trace {

namespace {

namespace header = format::buffer_header;
using std::chrono::milliseconds;

constexpr milliseconds interval{50};                       // between two looks at the file
constexpr std::uint64_t max_ready = 1U << 20U;             // is found at one look
constexpr std::size_t header_bytes = header::size + 65536; // with the longest first record

bool is_zero(Bytes bytes) noexcept {
    return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

/// Whether all records of a buffer are there: where it is written into reserved space, zeros are
/// what is not written yet.
bool is_written(Bytes buffer) noexcept {
    const format::BufferHeaderView head(buffer.first<header::size>());
    const Bytes valid = clamped(buffer, 0, head.used().value_or(0));
    std::size_t at = header::size;
    while (!head.is_compressed() && at < valid.size()) {
        const format::RecordShape shape = format::record_at(valid.subspan(at));
        if (shape.kind == format::RecordKind::none) {
            return !is_zero(clamped(valid, at, sizeof(std::uint64_t)));
        }
        at += format::padded(shape.size);
    }
    return true;
}

} // namespace

struct GrowingTrace::State {
    explicit State(io::GrowingFile from) : file(std::move(from)) {}

    io::GrowingFile file;
    std::uint64_t at = 0;    // of the next byte to return
    std::uint64_t ready = 0; // of the first byte that may not be complete
    std::vector<std::byte> buffer;
    bool is_done = false; // nothing is written behind `ready`
    End end = End::none;
    std::optional<format::LogfileHeader> final_header;

    Result<bool> is_finalized();
    Result<void> look();
    Result<std::uint64_t> next_buffer(std::uint64_t size);
    Result<bool> has_header(std::uint64_t where);
};

Result<bool> GrowingTrace::State::is_finalized() {
    buffer.resize(header_bytes);
    const auto got = file.read_at({0}, buffer);
    if (!got) {
        return std::unexpected(got.error());
    }
    flow::TraceInfo info;
    if (!read_header_buffer(Bytes(buffer).first(*got), info) || info.header.end_time == 0) {
        return false;
    }
    final_header = std::move(info.header);
    return true;
}

Result<bool> GrowingTrace::State::has_header(std::uint64_t where) {
    std::array<std::byte, header::size> head{};
    const auto got = file.read_at({where}, head);
    if (!got) {
        return std::unexpected(got.error());
    }
    return *got == head.size() && !is_zero(head);
}

/// Where the buffer at `ready` ends in a file of `size` bytes; `ready`: it is not complete.
Result<std::uint64_t> GrowingTrace::State::next_buffer(std::uint64_t size) {
    buffer.resize(header::size);
    const auto head = file.read_at({ready}, buffer);
    if (!head) {
        return std::unexpected(head.error());
    }
    if (*head < header::size || is_zero(buffer)) {
        return ready;
    }
    if (!is_plausible(buffer)) {
        return size; // whoever reads the bytes finds out what they are
    }
    const std::uint32_t length = load<header::buffer_size>(Bytes(buffer).first<header::size>());
    if (length > size - ready) {
        return ready;
    }
    const auto is_past = has_header(ready + length); // its writer is
    if (!is_past) {
        return std::unexpected(is_past.error());
    }
    if (*is_past) {
        return ready + length;
    }
    buffer.resize(length);
    const auto body = file.read_at({ready}, buffer);
    if (!body) {
        return std::unexpected(body.error());
    }
    return *body == length && is_written(buffer) ? ready + length : ready;
}

/// Finds out how far the file is complete. What a header says of the end is read before the size
/// is: its writer sets it last.
Result<void> GrowingTrace::State::look() {
    const auto finalized = is_finalized();
    const bool is_replaced = file.is_replaced();
    const auto size = file.size();
    if (!finalized || !size) {
        return std::unexpected(finalized ? size.error() : finalized.error());
    }
    if (*size < ready) {
        end = End::truncated;
        is_done = true;
        ready = at;
        return {};
    }
    if (*finalized) {
        end = End::finalized;
        is_done = true;
        ready = *size;
        return {};
    }
    const std::uint64_t before = ready;
    while (ready - at < max_ready) {
        const auto next = next_buffer(*size);
        if (!next) {
            return std::unexpected(next.error());
        }
        if (*next == ready) {
            break;
        }
        ready = *next;
    }
    if (ready == before && is_replaced) {
        end = End::replaced;
        is_done = true;
    }
    return {};
}

GrowingTrace::GrowingTrace(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}

GrowingTrace::~GrowingTrace() = default;

Result<std::unique_ptr<GrowingTrace>> GrowingTrace::open(const std::string& path) {
    auto file = io::GrowingFile::open(path);
    if (!file) {
        return std::unexpected(file.error());
    }
    return std::unique_ptr<GrowingTrace>(
        new GrowingTrace(std::make_unique<State>(std::move(*file))));
}

Result<io::ByteStream::Arrival> GrowingTrace::read(MutableBytes into, milliseconds timeout) {
    State& s = *state_;
    while (true) {
        if (s.at < s.ready) {
            const std::uint64_t most = std::min<std::uint64_t>(into.size(), s.ready - s.at);
            const auto got = s.file.read_at({s.at}, into.first(static_cast<std::size_t>(most)));
            if (!got) {
                return std::unexpected(got.error());
            }
            if (*got > 0) {
                s.at += *got;
                return Arrival{io::ByteStream::State::data, *got};
            }
            s.end = End::truncated;
            s.is_done = true;
            s.ready = s.at;
        }
        if (s.is_done) {
            return Arrival{io::ByteStream::State::end, 0};
        }
        if (const auto looked = s.look(); !looked) {
            return std::unexpected(looked.error());
        }
        if (s.at < s.ready || s.is_done) {
            continue;
        }
        if (timeout <= milliseconds(0)) {
            return Arrival{io::ByteStream::State::pause, 0};
        }
        std::this_thread::sleep_for(std::min(interval, timeout));
        timeout -= interval;
    }
}

Result<std::uint64_t> GrowingTrace::skip() {
    State& s = *state_;
    do {
        s.at = s.ready;
        if (s.is_done) {
            break;
        }
        if (const auto looked = s.look(); !looked) {
            return std::unexpected(looked.error());
        }
    } while (s.at < s.ready);
    return s.at;
}

Result<std::shared_ptr<const io::InputFile>> GrowingTrace::head(std::uint64_t size) const {
    return state_->file.head(size);
}

GrowingTrace::End GrowingTrace::end() const noexcept {
    return state_->end;
}

const format::LogfileHeader* GrowingTrace::final_header() const noexcept {
    return state_->end == End::finalized ? &*state_->final_header : nullptr;
}

} // namespace etl::trace
