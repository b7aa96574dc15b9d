#include "trace/writing/open_buffers.hpp"

#include "trace/limits.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

namespace etl::trace {

namespace {

constexpr std::uint32_t header_size = format::buffer_header::size;

/// Makes the padding of a record that ends at `end` zeros.
void clear_padding(std::byte* end, std::uint32_t size) noexcept {
    const std::uint32_t over = size % 8;
    if (over != 0) {
        std::memset(end, 0, 8 - over);
    }
}

} // namespace

OpenBuffers::OpenBuffers(LogFile& file, const WriterOptions& options, const Recording& recording)
    : file_(file), clock_(recording.header, recording.reference_time), lineage_(recording.lineage),
      keep_logger_ids_(options.keep_logger_ids),
      keeps_views_(options.may_keep_views && options.file.buffer_size > limits::copied_buffer),
      buffer_size_(options.file.buffer_size), capacity_(options.file.buffer_size - header_size),
      next_sequence_(file.first_sequence()), last_(recording.reference_time) {}

OpenBuffers::Buffers::value_type& OpenBuffers::at(Place place) {
    if (!keep_logger_ids_) {
        place.logger_id = 0;
    }
    if (place.processor >= by_processor_.size()) [[unlikely]] {
        by_processor_.resize(std::size_t{place.processor} + 1);
    }
    Buffers::value_type*& last = by_processor_[place.processor];
    if (last == nullptr || last->first.logger_id != place.logger_id) {
        last = &*buffers_.try_emplace(place).first;
    }
    return *last;
}

/// Too many are open: some of the fullest go, of these the latest. Where one more is filled in turn
/// than may be open, the oldest would be the next that is asked for, each time. Several at a time,
/// so that looking for them costs little for each.
void OpenBuffers::make_room() {
    const auto last = open_.begin() + limits::open_buffers / 16;
    const auto fuller_first = [](const auto* one, const auto* other) {
        return std::pair(other->second.used, other->second.sequence) <
               std::pair(one->second.used, one->second.sequence);
    };
    std::ranges::nth_element(open_, last, fuller_first);
    std::vector<Buffers::value_type*> fullest(open_.begin(), last);
    std::ranges::sort(fullest, {}, [](const auto* one) { return one->second.sequence; });
    open_.erase(open_.begin(), last);
    for (Buffers::value_type* one : fullest) {
        write(*one, 0);
    }
}

/// One buffer more.
void OpenBuffers::open(Buffers::value_type& place) {
    if (open_.size() == limits::open_buffers) [[unlikely]] {
        make_room();
    }
    open_.push_back(&place);
    start(place.second);
}

/// An empty buffer at a place that has none.
void OpenBuffers::start(OpenBuffer& buffer) {
    buffer.is_open = true;
    if (!keeps_views_) {
        buffer.memory = file_.memory();
    }
    buffer.used = header_size;
    buffer.newest = no_time;
    buffer.last = no_time;
    // As relogging on Windows numbers them: when opened, not when closed.
    // docs/format/buffer.md#order
    buffer.sequence = next_sequence_++;
}

OpenBuffers::OpenBuffer& OpenBuffers::with_room(Place place, std::uint32_t size) {
    Buffers::value_type& found = at(place);
    OpenBuffer& buffer = found.second;
    if (!buffer.is_open) {
        open(found);
    } else if (size > buffer_size_ - buffer.used) {
        write(found, 0);
        start(buffer);
    }
    return buffer;
}

void OpenBuffers::append(Place place, Bytes record, const format::RecordShape& shape) {
    const std::uint32_t size = format::padded(shape.size);
    OpenBuffer& buffer = with_room(place, size);
    copy_views(buffer);
    std::byte* const to = buffer.memory.get() + buffer.used;
    std::memcpy(to, record.data(), shape.size);
    clear_padding(to + shape.size, shape.size);
    buffer.used += size;
    if (shape.has_time) {
        buffer.newest = std::max(buffer.newest, shape.time);
        buffer.last = shape.time;
    }
}

std::size_t OpenBuffers::append_block(Place place, flow::Run run) {
    OpenBuffer& buffer = with_room(place, format::padded(run.front().size));
    const std::byte* const from = run.front().record;
    const std::byte* next = from; // where the next record lies if it lies behind this one
    const std::byte* end = from;  // of the last record, without padding
    const std::byte* const limit = from + (buffer_size_ - buffer.used);
    std::int64_t newest = buffer.newest;
    std::int64_t last = buffer.last;
    std::size_t count = 0;
    for (const flow::Event& event : run) {
        const std::uint32_t size = format::padded(event.size);
        if (event.record != next || size > static_cast<std::size_t>(limit - next)) {
            break;
        }
        newest = event.has_time ? std::max(newest, event.raw_time) : newest;
        last = event.has_time ? event.raw_time : last;
        end = event.record + event.size;
        next += size;
        ++count;
    }
    const Bytes records(from, end);
    if (buffer.memory == nullptr && can_view(run.first(count), records)) {
        buffer.views.push_back(records);
    } else {
        copy_views(buffer);
        std::byte* const to = buffer.memory.get() + buffer.used;
        std::memcpy(to, from, records.size());
        for (const flow::Event& event : run.first(count)) {
            clear_padding(to + (event.record - from) + event.size, event.size);
        }
    }
    buffer.used += static_cast<std::uint32_t>(next - from);
    buffer.newest = newest;
    buffer.last = last;
    return count;
}

/// Whether the records of a block, which lie one behind the other, stay where they are, as a writer
/// would copy them: with zeros between them. Small blocks are not worth a view.
bool OpenBuffers::can_view(flow::Run block, Bytes records) const noexcept {
    constexpr std::size_t worth_a_view = 0x1000;
    const flow::BufferContext& buffer = *block.front().buffer;
    constexpr std::ranges::less_equal is_at_most; // of any two pointers, unlike <=
    const bool is_mapped =
        buffer.is_mapped && buffer.trace->backing != nullptr &&
        is_at_most(buffer.bytes.data(), records.data()) &&
        is_at_most(records.data() + records.size(), buffer.bytes.data() + buffer.bytes.size());
    return is_mapped && records.size() >= worth_a_view &&
           std::ranges::all_of(block.first(block.size() - 1), [](const flow::Event& event) {
               const Bytes padding(event.record + event.size,
                                   format::padded(event.size) - event.size);
               return std::ranges::all_of(padding,
                                          [](std::byte byte) { return byte == std::byte{0}; });
           });
}

/// From now on the buffer has memory of its own.
void OpenBuffers::copy_views(OpenBuffer& buffer) {
    if (buffer.memory != nullptr) {
        return;
    }
    buffer.memory = file_.memory();
    std::byte* to = buffer.memory.get() + header_size;
    for (const Bytes records : std::exchange(buffer.views, {})) {
        std::memcpy(to, records.data(), records.size());
        const auto size = static_cast<std::uint32_t>(records.size());
        clear_padding(to + size, size);
        to += format::padded(size);
    }
}

void OpenBuffers::write(Buffers::value_type& open, std::uint16_t flags) {
    auto& [place, buffer] = open;
    copy_views(buffer);
    buffer.is_open = false;
    last_ = buffer.last == no_time ? last_ : buffer.last;
    file_.write(
        {.memory = std::exchange(buffer.memory, nullptr),
         .used = buffer.used,
         .processor = place.processor,
         .flags = flags,
         .sequence = buffer.sequence,
         .time_stamp = lineage_ == Lineage::relogger ? clock_.to_filetime(last_).ticks : last_,
         .newest_time = buffer.newest == no_time ? last_ : buffer.newest,
         .logger_id = keep_logger_ids_ ? std::optional(place.logger_id) : std::nullopt});
}

void OpenBuffers::write_all(std::uint16_t last_flags) {
    std::size_t left = open_.size();
    std::ranges::sort(open_, {}, [](const auto* one) { return one->first; });
    for (Buffers::value_type* one : std::exchange(open_, {})) {
        write(*one, --left == 0 ? last_flags : std::uint16_t{0});
    }
}

} // namespace etl::trace
