#include "trace/files/gathered_writer.hpp"

namespace etl::trace {

/// What was gathered, up to one buffer's worth. False: all that lay there as a whole is lost; the
/// rest of a buffer that is in the file in part stays for the next time.
bool GatheredWriter::write_next() {
    const Bytes bytes = gathered_.next();
    const auto outcome = series_.put_part(bytes);
    if (!outcome) {
        counts_.keep_latest(outcome.error());
        counts_.add_lost(gathered_.drop());
        return false;
    }
    counts_.add_bytes(bytes.size());
    for (const Gathered::Buffer& buffer : gathered_.written()) {
        counts_.add_written(buffer.newest_time, buffer.processor);
    }
    series_.sync();
    return true;
}

void GatheredWriter::write_all() {
    while (series_.is_open() && gathered_.bytes() != 0 && write_next()) {
    }
}

void GatheredWriter::give_up() {
    write_all();
    if (const std::uint64_t begun = gathered_.begun(); begun != 0) {
        series_.file().take_back(begun);
        counts_.add_lost(1);
    }
    gathered_.clear();
}

/// A file that has room for what was gathered and so many bytes more.
bool GatheredWriter::make_room(std::uint64_t size) {
    for (unsigned attempt = 0; attempt < 2; ++attempt) {
        if (!series_.accepts_buffers()) {
            return false;
        }
        if (series_.file().has_room(gathered_.bytes() + size)) {
            return true;
        }
        write_all();
        if (!series_.may_go_on()) {
            return false;
        }
        give_up();
        series_.leave();
    }
    return false;
}

bool GatheredWriter::put(const PackedBuffer& packed) {
    if (!make_room(packed.bytes->size())) {
        return false;
    }
    gathered_.add(*packed.bytes, {.bytes = packed.bytes->size(),
                                  .newest_time = packed.buffer.newest_time,
                                  .processor = packed.buffer.processor});
    while (gathered_.is_ready() && write_next()) {
    }
    return true;
}

} // namespace etl::trace
