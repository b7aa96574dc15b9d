#include "evtx/reader.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <utility>

namespace etl::evtx {

namespace {

bool has_signature(Bytes file, std::size_t at, std::string_view signature) noexcept {
    return has_range(file, at, signature.size()) &&
           as_text(file.subspan(at, signature.size())) == signature;
}

bool is_zero(Bytes bytes) noexcept {
    return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

/// Whether a chunk states the numbers of its records: an empty one does not.
bool has_numbers(const ChunkHeader& header) noexcept {
    constexpr std::uint64_t last_number = std::uint64_t{1} << 62U; // that a log can get to
    return header.first_number <= header.last_number && header.last_number <= last_number &&
           header.first_id <= header.last_id && header.last_id <= last_number;
}

/// ID - number of the records of a chunk; none: not all have the same.
std::optional<std::uint64_t> id_offset(const ChunkHeader& header) noexcept {
    const bool are_dense =
        header.last_id - header.first_id == header.last_number - header.first_number;
    return are_dense ? std::optional(header.first_id - header.first_number) : std::nullopt;
}

/// The next chunk at or after `at`; the size of the file if there is none.
std::size_t find_chunk(Bytes file, std::size_t at) noexcept {
    const std::size_t found = as_text(file).find(chunk_signature, at);
    return found == std::string_view::npos ? file.size() : found;
}

} // namespace

bool looks_like_event_log(Bytes head) noexcept {
    return has_signature(head, 0, file_signature) || has_signature(head, 0, chunk_signature) ||
           has_signature(head, block_size, chunk_signature);
}

Result<Reader> Reader::open(Bytes file, const ReaderOptions& options) {
    if (file.empty()) {
        return fail(ErrorCode::empty_file, "event log");
    }
    Reader reader(file, options);
    if (const auto header = parse_file_header(file)) {
        reader.header_ = *header;
    } else if (header.error().code == ErrorCode::unsupported) {
        return std::unexpected(header.error());
    } else if (!looks_like_event_log(file)) {
        return fail(ErrorCode::not_a_trace, "event log");
    }
    reader.find_chunks();
    if (reader.header_ && (reader.header_->flags & dirty_flag) != 0) {
        reader.report(Severity::note, not_closed.data(), 0);
    }
    return reader;
}

void Reader::report(Severity severity, const char* what, std::size_t offset_in_chunk,
                    std::uint64_t skipped, std::optional<MissingNumbers> missing) {
    counts_.bytes_skipped += skipped;
    if (options_.diagnostics == nullptr) {
        return;
    }
    Diagnostic finding{.severity = severity,
                       .what = what,
                       .bytes_skipped = skipped,
                       .file = options_.file,
                       .missing = missing};
    finding.where = FileOffset{current_.offset};
    if (!chunk_.empty()) {
        finding.buffer = current_.number;
        if (offset_in_chunk != 0) {
            finding.offset = static_cast<std::uint32_t>(offset_in_chunk);
        }
    } else {
        finding.where = FileOffset{offset_in_chunk};
    }
    options_.diagnostics->report(finding);
}

void Reader::add_chunk(Chunk chunk) {
    chunk.size = std::min(chunk.size, chunk_size);
    const Bytes bytes = file_.subspan(chunk.offset, chunk.size);
    chunk.number = chunks_.size();
    // A damaged chunk keeps its place in the file.
    chunk.first_id = chunks_.empty() ? 0 : chunks_.back().first_id;
    if (const auto header = parse_chunk_header(bytes)) {
        chunk.first_id = header->first_id;
        chunk.has_header = has_numbers(*header);
        highest_number_ =
            chunk.has_header ? std::max(highest_number_, header->last_number) : highest_number_;
    }
    chunks_.push_back(chunk);
}

/// Windows fills chunks one after the other, and begins again with the first one: in a file, their
/// order starts over at most once.
void Reader::check_order() {
    const Chunk* first = nullptr;
    const Chunk* last = nullptr;
    std::size_t restarts = 0;
    for (const Chunk& chunk : chunks_) {
        if (!chunk.has_header) {
            continue;
        }
        restarts += last != nullptr && chunk.first_id <= last->first_id ? 1U : 0U;
        first = first == nullptr ? &chunk : first;
        last = &chunk;
    }
    const bool goes_on = restarts == 0 || (restarts == 1 && last->first_id < first->first_id);
    if (!goes_on) {
        report(Severity::warning, "chunks that are not in the order of their records", 0);
    }
}

/// What the file header of a log that was closed states about its end.
void Reader::check_end() {
    chunk_ = {};
    if (!header_ || (header_->flags & dirty_flag) != 0) {
        return;
    }
    if (header_->chunks > chunks_.size() + zero_chunks_) {
        report(Severity::warning, "the header of the event log counts more chunks than there are",
               file_.size());
    }
    const std::uint64_t end = header_->next_record - id_offset_.value_or(0);
    constexpr std::uint64_t max = std::uint64_t{1} << 32U; // more, and the number is damaged
    if (id_offset_ && last_number_ && end > *last_number_ && end - *last_number_ - 1 < max) {
        report_missing("missing records at the end of the event log", end, file_.size());
    }
}

void Reader::find_chunks() {
    std::size_t at =
        header_ && header_->block_size >= file_header_size ? header_->block_size : block_size;
    if (has_signature(file_, 0, chunk_signature)) {
        at = 0; // a file that lost its first block
    }
    if (!header_) {
        report(Severity::warning,
               at == 0 ? "the header of the event log is missing"
                       : "the header of the event log is damaged",
               0);
    }
    std::size_t zeros = 0; // right before `at`
    const auto end_zeros = [&] {
        if (zeros > 0) {
            report(Severity::warning, "zeros in place of chunks", at - zeros, zeros);
            zero_chunks_ += zeros / chunk_size;
            zeros = 0;
        }
    };
    while (at < file_.size()) {
        const bool starts_here = has_signature(file_, at, chunk_signature);
        // Signatures in the text of an intact chunk are not chunks.
        const std::size_t step = std::min(chunk_size, file_.size() - at);
        const std::size_t next = starts_here ? at + step : find_chunk(file_, at);
        if (starts_here) {
            end_zeros();
            add_chunk({.offset = at, .size = step, .has_signature = true});
            at = next;
            continue;
        }
        const std::size_t size = std::min(step, next - at);
        if (!is_zero(file_.subspan(at, size))) {
            end_zeros();
            add_chunk({.offset = at, .size = size});
        } else {
            zeros += size;
        }
        at += size;
    }
    check_order();
    // A log of limited size overwrites its oldest chunks.
    std::ranges::stable_sort(chunks_, {}, &Chunk::first_id);
}

void Reader::open_chunk(const Chunk& chunk) {
    current_ = chunk;
    chunk_ = file_.subspan(chunk.offset, chunk.size);
    at_ = std::min(chunk_header_size, chunk_.size());
    end_ = chunk_.size();
    stale_ = end_;
    has_newer_ = false;
    last_id_.reset();
    damaged_ = true;
    has_repeats_ = false;
    const auto header = parse_chunk_header(chunk_);
    if (header && has_numbers(*header)) {
        begin_numbers(*header);
    }
    if (!header) {
        at_ = chunk.has_signature ? at_ : 0;
        report(Severity::warning,
               chunk.has_signature ? "the header of a chunk is damaged"
                                   : "a chunk has no valid header",
               0);
        return;
    }
    const bool is_cut = header->free_space > chunk_.size();
    const Bytes records =
        clamped(chunk_, chunk_header_size, header->free_space - chunk_header_size);
    const bool has_checksum = (header->flags & no_checksum_flag) == 0;
    if (is_cut) {
        report(Severity::warning, "the last chunk is truncated", chunk_.size());
    } else if (has_checksum && checksum(records) != header->records_checksum) {
        report(Severity::warning, "checksum mismatch in the records of a chunk", 0);
    } else {
        damaged_ = false;
        // A log that was not closed can have newer records than the header of its last chunk.
        end_ = header_ && (header_->flags & dirty_flag) != 0 ? end_ : header->free_space;
    }
    stale_ = std::min<std::size_t>(header->free_space, end_);
}

/// Reports that records are missing, up to that numbered `until`. `what` begins with
/// etl::missing_records.
void Reader::report_missing(const char* what, std::uint64_t until, std::size_t offset_in_chunk) {
    const std::uint64_t first = *last_number_ + 1;
    const std::uint64_t count = until - first;
    last_number_ = until - 1;
    if (count == 0) {
        return;
    }
    counts_.missing_records += count;
    const auto first_id =
        id_offset_ ? std::optional(static_cast<std::int64_t>(first + *id_offset_)) : std::nullopt;
    report(Severity::warning, what, offset_in_chunk, 0,
           MissingNumbers{.count = count, .first = first_id});
}

/// The numbers of the next chunk. One without a header goes on with those of the chunk before it.
void Reader::begin_numbers(const ChunkHeader& header) {
    numbers_ = header;
    id_offset_ = id_offset(header);
    last_number_ = last_number_ ? last_number_ : header.first_number - 1;
    if (!id_offset_ && header.first_number > *last_number_) {
        report_missing("missing records before the chunk", header.first_number, 0);
    }
}

/// The header of a chunk states how many records there should be.
void Reader::end_numbers() {
    if (numbers_ && last_number_ && numbers_->last_number > *last_number_) {
        report_missing(id_offset_ ? "missing records at the end of the chunk"
                                  : "missing records in the chunk",
                       numbers_->last_number + 1, 0);
    }
    numbers_.reset();
}

/// A record has its number if IDs count as numbers do, else that after the last one.
void Reader::count(const Record& record) {
    if (!last_number_) {
        return;
    }
    const std::uint64_t next = *last_number_ + 1;
    const std::uint64_t number = id_offset_ ? record.id - *id_offset_ : next;
    const auto offset = static_cast<std::size_t>(record.where.value - current_.offset);
    if (number > next && number <= highest_number_) {
        report_missing("missing records before this one", number, offset);
    }
    if (number < next && !std::exchange(has_repeats_, true)) {
        report(Severity::warning, "records that occurred before", offset);
    }
    last_number_ = number == *last_number_ + 1 ? number : *last_number_;
}

std::size_t Reader::record_size_at(std::size_t at) const noexcept {
    if (!has_range(chunk_, at, record_overhead) ||
        load_le<std::uint32_t>(chunk_.data() + at) != record_signature) {
        return 0;
    }
    const auto size = load_le<std::uint32_t>(chunk_.data() + at + 4);
    const bool is_record = size >= record_overhead && has_range(chunk_, at, size) &&
                           load_le<std::uint32_t>(chunk_.data() + at + size - 4) == size;
    return is_record ? size : 0;
}

void Reader::skip_to_record() {
    const std::size_t begin = at_;
    // Records are aligned to 8 bytes within their chunk.
    do {
        at_ += 8 - at_ % 8;
    } while (at_ < end_ && record_size_at(at_) == 0);
    at_ = std::min(at_, end_);
    // What an earlier use of the chunk left in its free space is no damage.
    const std::size_t end = std::min(at_, std::max(begin, stale_));
    const Bytes skipped = chunk_.subspan(begin, end - begin);
    if (!is_zero(skipped)) {
        report(Severity::warning, "bytes that are no record", begin, skipped.size());
    }
}

bool Reader::next_in_chunk(Record& record) {
    while (at_ < end_) {
        const std::size_t size = record_size_at(at_);
        if (size == 0) {
            skip_to_record();
            continue;
        }
        const std::byte* const head = chunk_.data() + at_;
        const auto id = load_le<std::uint64_t>(head + 8);
        if (at_ >= stale_ && last_id_ && id <= *last_id_) {
            at_ += size; // of an earlier use of the chunk
            continue;
        }
        if (at_ >= stale_ && !std::exchange(has_newer_, true)) {
            report(Severity::note, "newer records in the free space of the chunk", at_);
        }
        record = {.id = id,
                  .written = {load_le<std::int64_t>(head + 16)},
                  .where = FileOffset{current_.offset + at_},
                  .chunk = chunk_,
                  .body = static_cast<std::uint32_t>(at_ + record_header_size),
                  .size = static_cast<std::uint32_t>(size - record_overhead)};
        at_ += size;
        last_id_ = id;
        ++counts_.records;
        count(record);
        return true;
    }
    return false;
}

bool Reader::next(Record& record) {
    while (!next_in_chunk(record)) {
        counts_.damaged_chunks += !chunk_.empty() && damaged_ ? 1U : 0U;
        end_numbers();
        if (next_chunk_ == chunks_.size()) {
            if (!std::exchange(has_ended_, true)) {
                check_end();
            }
            at_ = end_ = 0;
            return false;
        }
        ++counts_.chunks;
        open_chunk(chunks_[next_chunk_++]);
    }
    return true;
}

} // namespace etl::evtx
