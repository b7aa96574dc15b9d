#include "trace/writer.hpp"

#include "capi/building.hpp"
#include "io/find_files.hpp"

using namespace etl;
using namespace etl::capi;

struct etl_writer {
    std::unique_ptr<trace::Writer> writer;
};

namespace {

std::expected<trace::WriterOptions, etl_error> options_of(const etl_writer_options& options) {
    static constexpr codec::Format formats[] = {codec::Format::none, codec::Format::xpress,
                                                codec::Format::xpress_huffman,
                                                codec::Format::lznt1};
    if (options.compression >= std::size(formats)) {
        return failed(ETL_INVALID_ARGUMENT, "compression is not one of ETL_COMPRESSION_...");
    }
    const Filetime start = options.start_time != 0 ? Filetime{options.start_time} : trace::now();
    trace::WriterOptions result{
        .recording = trace::begin_recording(start, std::max(options.processors, 1U))};
    result.file.compression = formats[options.compression];
    if (options.buffer_size != 0) {
        result.file.buffer_size = options.buffer_size;
    }
    return result;
}

std::int64_t time_of(const etl_record& record) noexcept {
    return record.time != 0 ? record.time : trace::now().ticks;
}

Outcome added(const Result<void>& result) {
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
        auto options = options_of(*read);
        if (!options) {
            return std::unexpected(options.error());
        }
        const std::string name(view_of(path));
        if (read->replace == 0 && io::is_regular_file(name)) {
            return failed(ETL_INVALID_ARGUMENT, name + ": already exists");
        }
        auto created = trace::Writer::create(name, *std::move(options));
        if (!created) {
            auto failure = failed(created.error());
            failure.error().message.insert(0, name + ": ");
            return failure;
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
        return added(writer->writer->add(record_of(*read), read->processor));
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
        return record ? added(writer->writer->add(*record, read->processor))
                      : Outcome(std::unexpected(record.error()));
    });
}

etl_status etl_writer_flush(etl_writer* writer, etl_error** error) {
    return guarded(error, [&]() -> Outcome {
        writer->writer->flush();
        const auto& failure = writer->writer->status().failure;
        return failure ? Outcome(failed(failure->error)) : Outcome(ETL_OK);
    });
}

etl_status etl_writer_close(etl_writer* writer, etl_error** error) {
    return guarded(error, [&]() -> Outcome {
        if (const auto closed = writer->writer->close(); !closed) {
            return failed(closed.error());
        }
        const auto& failure = writer->writer->status().failure;
        return failure ? Outcome(failed(failure->error)) : Outcome(ETL_OK);
    });
}

uint64_t etl_writer_count(const etl_writer* writer) {
    return writer->writer->events_written();
}

void etl_writer_free(etl_writer* writer) {
    delete writer;
}
