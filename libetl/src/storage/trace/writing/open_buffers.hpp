// The buffers that a Writer fills: one for each processor, or processor and logger id, that records
// came for. Owns no policy of files. One thread.
#pragma once

#include "flow/clock.hpp"
#include "format/record_kind.hpp"
#include "trace/writer.hpp"

#include <limits>
#include <map>
#include <vector>

namespace etl::trace {

class OpenBuffers {
public:
    /// `file` outlives this object. Stamps of buffers are raw time stamps, or by `clock` FILETIMEs
    /// where the lineage wants that; none is before the recording began.
    OpenBuffers(LogFile& file, const WriterOptions& options, const Recording& recording);

    /// What fits into an empty buffer.
    std::uint32_t capacity() const noexcept { return capacity_; }

    /// Which of the open buffers. The processor is below etl::limits::processors.
    struct Place {
        std::uint16_t processor = 0;
        std::uint16_t logger_id = 0; // counts with keep_logger_ids only

        auto operator<=>(const Place&) const = default;
    };

    /// Copies a record of at most capacity() bytes into the open buffer of `place`; when it does
    /// not fit, that one is written first. Its padding becomes zeros.
    void append(Place place, Bytes record, const format::RecordShape& shape);

    /// Copies the first events of a run, which is not empty and of whose records none is larger
    /// than capacity(), in one go: those that lie one behind the other and fit into one buffer. The
    /// bytes are those that append() would make. Returns how many.
    std::size_t append_block(Place place, flow::Run run);

    /// Writes all that are open, in the order of places; `last_flags` go onto the last one.
    void write_all(std::uint16_t last_flags);

private:
    static constexpr std::int64_t no_time = std::numeric_limits<std::int64_t>::min();

    struct OpenBuffer {
        bool is_open = false;
        BufferMemory memory;      // none: all records are in `views`
        std::vector<Bytes> views; // of mapped records, each from the first one to the end of one
        std::uint32_t used = 0;
        std::int64_t sequence = 0;
        std::int64_t newest = no_time; // time of an event
        std::int64_t last = no_time;   // and that of the last one
    };

    using Buffers = std::map<Place, OpenBuffer>; // of few, and asked when the place changes only

    Buffers::value_type& at(Place place);
    OpenBuffer& with_room(Place place, std::uint32_t size);
    void open(Buffers::value_type& place);
    void start(OpenBuffer& buffer);
    bool can_view(flow::Run block, Bytes records) const noexcept;
    void copy_views(OpenBuffer& buffer);
    void make_room();
    void write(Buffers::value_type& open, std::uint16_t flags);

    LogFile& file_;
    flow::Clock clock_;
    Lineage lineage_;
    bool keep_logger_ids_;
    bool keeps_views_;
    std::uint32_t buffer_size_;
    std::uint32_t capacity_;
    std::int64_t next_sequence_;
    std::int64_t last_; // raw timestamp of the last event in the buffer written last
    Buffers buffers_;
    std::vector<Buffers::value_type*> open_;         // those that are open
    std::vector<Buffers::value_type*> by_processor_; // the last used of each, or null
};

} // namespace etl::trace
