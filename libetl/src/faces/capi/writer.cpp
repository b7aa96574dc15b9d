#include <etl/etl.h>
#include <etl/time.hpp>
#include <etl/writer.hpp>

#include "capi/building.hpp"

using namespace etl;
using namespace etl::capi;

struct etl_writer {
    Writer writer;
};

namespace {

std::expected<WriterOptions, etl_error> options_of(const etl_writer_options& from) {
    if (from.compression > static_cast<std::uint32_t>(Compression::lznt1)) {
        return failed(ETL_INVALID_ARGUMENT, "compression is not one of ETL_COMPRESSION_...");
    }
    WriterOptions options{.compression = static_cast<Compression>(from.compression),
                          .processors = from.processors,
                          .start = {from.start_time},
                          .existing = from.replace != 0 ? Existing::replace : Existing::keep};
    if (from.buffer_size != 0) {
        options.buffer_size = from.buffer_size;
    }
    return options;
}

std::int64_t time_of(const etl_record& record) noexcept {
    return record.time != 0 ? record.time : now().ticks;
}

Outcome outcome_of(const Result<void>& result) {
    return result ? Outcome(ETL_OK) : Outcome(failed(result.error()));
}

} // namespace

etl_status etl_writer_create(const char* path, const etl_writer_options* given, etl_writer** writer,
                             etl_error** error) {
    return guarded(error, [&]() -> Outcome {
        *writer = nullptr;
        const auto read = read_sized(given);
        if (!read) {
            return std::unexpected(read.error());
        }
        const auto how = options_of(*read);
        if (!how) {
            return std::unexpected(how.error());
        }
        auto created = Writer::create(std::string(view_of(path)), *how);
        if (!created) {
            return failed(created.error());
        }
        *writer = new etl_writer{*std::move(created)};
        return ETL_OK;
    });
}

etl_status etl_writer_add(etl_writer* writer, const etl_record* record, etl_error** error) {
    return guarded(error, [&]() -> Outcome {
        auto read = read_record(record);
        if (!read) {
            return std::unexpected(read.error());
        }
        read->time = time_of(*read);
        return outcome_of(writer->writer.add(record_of(*read), read->processor));
    });
}

etl_status etl_writer_add_event(etl_writer* writer, etl_builder* builder, const etl_record* context,
                                etl_error** error) {
    return guarded(error, [&]() -> Outcome {
        auto read = read_record(context);
        if (!read) {
            return std::unexpected(read.error());
        }
        read->time = time_of(*read);
        const auto record = record_of(*builder, *read);
        return record ? outcome_of(writer->writer.add(*record, read->processor))
                      : Outcome(std::unexpected(record.error()));
    });
}

etl_status etl_writer_flush(etl_writer* writer, etl_error** error) {
    return guarded(error, [&] { return outcome_of(writer->writer.flush()); });
}

etl_status etl_writer_close(etl_writer* writer, etl_error** error) {
    return guarded(error, [&] { return outcome_of(writer->writer.close()); });
}

uint64_t etl_writer_count(const etl_writer* writer) {
    return writer->writer.events_written();
}

void etl_writer_free(etl_writer* writer) {
    delete writer;
}
