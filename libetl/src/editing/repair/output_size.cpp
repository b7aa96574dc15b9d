#include "repair/output_size.hpp"

#include "base/limits.hpp"
#include "format/records.hpp"
#include "io/limits.hpp"
#include "repair/rescue.hpp"
#include "trace/limits.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace etl::repair {

namespace {

using trace::BufferEntry;

constexpr std::uint32_t smallest_buffer = 1024;

std::uint64_t rounded(std::uint64_t size) noexcept {
    return (size + limits::buffer_granule - 1) / limits::buffer_granule * limits::buffer_granule;
}

/// Of the header buffer, padding included.
std::uint64_t size_of_header(const trace::Recording& recording) {
    return format::buffer_header::size + format::system_record::size +
           format::encode_logfile_header(recording.header, recording.header_pointer_size).size() +
           recording.extra_records.size() + 4 * sizeof(std::uint64_t);
}

/// What most buffers of a plain file take; the size of a compressed trace's buffers, if it says so.
std::uint64_t usual_size(const flow::TraceInfo& trace, std::span<const BufferEntry> buffers) {
    constexpr std::uint32_t always_kept = 1U << 20U;
    const bool is_plain = std::ranges::none_of(buffers, &BufferEntry::is_compressed);
    const bool is_cut = std::ranges::all_of(buffers, &BufferEntry::is_truncated);
    if (!is_plain || (is_cut && trace.has_header)) {
        return trace.has_header ? std::min(trace.header.buffer_size, always_kept) : 0;
    }
    std::map<std::uint32_t, std::size_t> counts;
    for (const BufferEntry& buffer : buffers) {
        counts[buffer.disk_size] += buffer.is_truncated ? 0U : 1U;
    }
    return std::ranges::max_element(
               counts, {}, [](const auto& one) { return std::pair(one.second, one.first); })
        ->first;
}

std::uint32_t claim_of(const BufferEntry& buffer, const flow::TraceInfo& trace) noexcept {
    if (buffer.is_compressed()) {
        return std::min(buffer.used != 0 ? buffer.used : trace.header.buffer_size,
                        limits::buffer_bytes);
    }
    return buffer.used != 0 ? std::min(buffer.used, buffer.disk_size) : buffer.disk_size;
}

/// What each buffer needs: its claim up to `usual`, beyond it what is there.
std::vector<std::uint32_t> needs_of(trace::Reader& reader, bool has_head, std::uint64_t usual) {
    const auto buffers = reader.buffers();
    std::vector<std::uint32_t> needs(buffers.size());
    std::vector<std::uint32_t> doubtful;
    for (std::uint32_t i = has_head ? 1 : 0; i < buffers.size(); ++i) {
        needs[i] = claim_of(buffers[i], reader.info());
        if (needs[i] > usual) {
            doubtful.push_back(i);
        }
    }
    std::vector<std::byte> memory;
    reader.show_buffers(std::move(doubtful), [&](const trace::BufferContent& buffer) {
        memory.resize(std::max(memory.size(), buffer.context->bytes.size() + sizeof(std::uint64_t) +
                                                  format::buffer_header::size));
        needs[buffer.context->number] = rescue(buffer, {}, memory).used;
    });
    return needs;
}

} // namespace

std::uint32_t output_buffer_size(trace::Reader& reader, bool has_head,
                                 const trace::Recording& recording) {
    const auto buffers = reader.buffers();
    std::uint64_t usual = usual_size(reader.info(), buffers);
    std::vector<std::uint32_t> needs = needs_of(reader, has_head, usual);
    const std::uint64_t least = std::max<std::uint64_t>(smallest_buffer, size_of_header(recording));
    const auto sum_of = [](const auto& sizes) {
        return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
    };
    // A size that so little of is used is a damaged field of the header.
    constexpr std::uint64_t small = 16U << 20U;
    constexpr std::uint64_t wasteful = 4;
    const bool is_plain = std::ranges::none_of(buffers, &BufferEntry::is_compressed);
    if (!is_plain && usual * buffers.size() > std::max(small, wasteful * sum_of(needs))) {
        usual = 0;
    }
    std::uint64_t input = 0;
    for (const BufferEntry& buffer : buffers) {
        input += buffer.disk_size;
    }
    const std::uint64_t most = std::max(limits::unpacked_bytes, 2 * input) / buffers.size();
    needs.push_back(
        static_cast<std::uint32_t>(std::min<std::uint64_t>(usual, limits::buffer_bytes)));
    std::uint64_t size = 0;
    for (const std::uint32_t need : needs) {
        const std::uint64_t wanted = rounded(std::max<std::uint64_t>(need, least));
        size = wanted <= most ? std::max(size, wanted) : size;
    }
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(size, limits::buffer_bytes));
}

} // namespace etl::repair
