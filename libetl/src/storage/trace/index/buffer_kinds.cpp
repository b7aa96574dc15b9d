#include "trace/buffer_kinds.hpp"

#include "base/varint.hpp"

#include <limits>
#include <span>
#include <string>

namespace etl::trace {

namespace {

constexpr std::uint64_t kinds_version = 1;

/// The ranges of a kind, each as its distance from the one before it, and its length; false: they
/// are not ranges of a trace with this number of buffers.
bool read_ranges(VarintReader& from, std::uint64_t count, std::uint64_t buffers, BufferKind& to) {
    std::uint64_t next = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t gap = from.next(), more = from.next();
        const bool is_apart = i == 0 || gap > 0;
        if (!from.is_intact() || !is_apart || gap >= buffers - next ||
            more >= buffers - next - gap) {
            return false;
        }
        const std::uint64_t first = next + gap;
        to.buffers.push_back(
            {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(first + more)});
        next = first + more + 1;
    }
    return count > 0;
}

} // namespace

std::vector<std::byte> encode(const std::vector<BufferKind>& kinds) {
    std::string to;
    append_varint(to, kinds_version);
    append_varint(to, kinds.size());
    for (const BufferKind& kind : kinds) {
        append_varint(to, kind.offset);
        append_varint(to, kind.buffers.size());
        std::uint32_t next = 0;
        for (const BufferKind::Range& range : kind.buffers) {
            append_varint(to, range.first - next);
            append_varint(to, range.last - range.first);
            next = range.last + 1;
        }
    }
    const Bytes bytes = std::as_bytes(std::span(to));
    return {bytes.begin(), bytes.end()};
}

Result<std::vector<BufferKind>> parse_kinds(Bytes section, std::uint64_t buffers) {
    constexpr std::uint64_t max_buffers = std::numeric_limits<std::uint32_t>::max();
    const auto malformed = [] { return fail(ErrorCode::malformed, "kinds of events in buffers"); };
    VarintReader from(section);
    if (const std::uint64_t version = from.next(); version != kinds_version) {
        return fail(ErrorCode::unsupported, "version of the kinds of events in buffers", {},
                    kinds_version, version);
    }
    const std::uint64_t count = from.next();
    if (buffers > max_buffers || count > section.size()) {
        return malformed();
    }
    std::vector<BufferKind> kinds(static_cast<std::size_t>(count));
    for (BufferKind& kind : kinds) {
        const std::uint64_t offset = from.next(), ranges = from.next();
        if (offset > std::numeric_limits<std::uint32_t>::max() ||
            !read_ranges(from, ranges, buffers, kind)) {
            return malformed();
        }
        kind.offset = static_cast<std::uint32_t>(offset);
    }
    if (!from.is_intact() || !from.is_at_end()) {
        return malformed();
    }
    return kinds;
}

} // namespace etl::trace
