// A whole trace as tables: events of each kind as a batch, and the batch in both formats. Beyond
// "does not crash": the Arrow file is read back, and has the values of its batches; row groups of
// Parquet consist of their chunks; the same rows yield the same bytes.
#include "columnfiles/arrow.hpp"
#include "columnfiles/parquet.hpp"
#include "columns/builder.hpp"
#include "flow/source.hpp"
#include "fuzz/kernel_classes.hpp"
#include "fuzz/require.hpp"
#include "fuzz/small_trace.hpp"
#include "tests/unit/outputs/columnfiles/arrow_reader.hpp"
#include "trace/reader.hpp"

#include <map>
#include <string>
#include <vector>

using namespace etl;

namespace {

using columnfiles::ArrowFile;
using columnfiles::RowGroup;
using columns::Array;
using columns::Batch;
using columns::BatchColumn;
using columns::Type;
using fuzz::require;

struct Table {
    explicit Table(const columns::Layout& layout) : builder(layout, 1U << 20U) {}

    columns::Builder builder;
    std::vector<Batch> batches;
};

std::string text_at(const Array& texts, std::size_t i) {
    const auto begin = static_cast<std::size_t>(texts.offsets[i]);
    return texts.bytes.substr(begin, static_cast<std::size_t>(texts.offsets[i + 1]) - begin);
}

bool is_valid(const Array& array, std::size_t i) {
    return array.validity.empty() || (array.validity[i / 8] >> i % 8 & 1U) != 0;
}

/// The labels that are not null, by the dictionary of the batch or of the file.
template <typename TextOf>
std::vector<std::string> labels_of(const Array& array, TextOf text_of) {
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < array.size; ++i) {
        if (is_valid(array, i)) {
            labels.push_back(text_of(static_cast<std::size_t>(
                columnfiles::readback::number_in<std::int32_t>(array.bytes, 4 * i))));
        }
    }
    return labels;
}

void require_same(const Array& written, const Array& read, bool has_bytes) {
    require(read.size == written.size && read.nulls == written.nulls);
    for (std::size_t i = 0; i < written.size; ++i) {
        require(is_valid(read, i) == is_valid(written, i));
    }
    require(written.offsets.empty() || read.offsets == written.offsets);
    require(!has_bytes || read.bytes == written.bytes);
}

/// `labels`: of each batch, before the file numbered them.
void require_read_back(const std::string& bytes, const std::vector<BatchColumn>& columns,
                       const std::vector<Batch>& batches,
                       const std::vector<std::vector<std::string>>& labels) {
    const auto file = columnfiles::readback::read_arrow(bytes, columns);
    require(file.batches.size() == batches.size());
    std::size_t next = 0;
    for (std::size_t batch = 0; batch < batches.size(); ++batch) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const Array& written = batches[batch].columns[i];
            const Array& read = file.batches[batch].columns[i];
            require_same(written, read, !columns[i].is_list);
            if (columns[i].is_list) {
                require_same(*written.elements, *read.elements, true);
            }
            if (columns[i].type == Type::label) {
                const auto& list = file.labels.at(i);
                require(labels_of(columns[i].is_list ? *read.elements : read,
                                  [&](std::size_t at) { return list.at(at); }) == labels[next++]);
            }
        }
    }
}

void check_arrow(const std::vector<BatchColumn>& columns, std::vector<Batch>& batches) {
    std::vector<std::vector<std::string>> labels;
    ArrowFile file(columns, {{"event", "of a fuzzer"}}, "etl");
    std::string bytes = file.head();
    for (Batch& batch : batches) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const Array& array = columns[i].is_list ? *batch.columns[i].elements : batch.columns[i];
            if (columns[i].type == Type::label) {
                labels.push_back(labels_of(
                    array, [&](std::size_t at) { return text_at(*array.dictionary, at); }));
            }
        }
        require(file.prepare(batch).has_value());
        const RowGroup rows = file.encode({&batch, 1});
        require(rows.bytes == file.encode({&batch, 1}).bytes);
        file.add(rows);
        bytes += rows.bytes;
        bytes += bytes.size() % 2 == 0 ? file.spill() : "";
    }
    bytes += file.tail();
    require(bytes.size() == file.size());
    require_read_back(bytes, columns, batches, labels);
}

/// Leaves no array that repeats.
void check_parquet(const std::vector<BatchColumn>& columns, Batch& batch) {
    const RowGroup rows = columnfiles::encode_row_group(columns, {&batch, 1});
    require(rows.rows == batch.rows && rows.chunks.size() == columns.size());
    std::uint64_t size = 0;
    for (const auto& chunk : rows.chunks) {
        require(chunk.offset == size && chunk.dictionary_size < chunk.size);
        require(chunk.nulls <= chunk.values && chunk.values >= batch.rows);
        size += chunk.size;
    }
    require(size == rows.bytes.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
        columns::expand(columns[i].type, batch.columns[i]);
    }
    require(columnfiles::encode_row_group(columns, {&batch, 1}).bytes == rows.bytes);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto store = fuzz::kernel_classes();
    const fuzz::File input = fuzz::small_trace(data, size);
    if (input == nullptr) {
        return 0;
    }
    decode::Decoder decoder{schema::SchemasByTrace(store)};
    std::map<std::pair<std::uint32_t, std::uint32_t>, Table> tables; // by generation and number
    const auto reader = trace::Reader::open(input, {});
    flow::EventCursor cursor(**reader);
    std::uint64_t events = 0;
    for (const flow::Event* event = cursor.next(); event != nullptr && events < fuzz::most_events;
         event = cursor.next(), ++events) {
        const decode::DecodedEvent& decoded = decoder.decode(*event);
        const std::pair key(decoder.generation(), decoded.kind->number);
        auto table = tables.find(key);
        if (table == tables.end()) {
            columns::Layout layout(
                {.details = true, .enumerations = true, .json_texts = true, .repeats = true});
            layout.add(*decoded.kind);
            table = tables.try_emplace(key, layout).first;
        }
        columns::Builder& builder = table->second.builder;
        builder.add(decoded, decoder.generation(), "provider", "event");
        if (builder.is_full() || builder.rows() == 100) {
            table->second.batches.push_back(builder.take());
        }
    }
    for (auto& [key, table] : tables) {
        if (table.builder.rows() > 0) {
            table.batches.push_back(table.builder.take());
        }
        for (Batch& batch : table.batches) {
            check_parquet(table.builder.columns(), batch);
        }
        check_arrow(table.builder.columns(), table.batches);
    }
    return 0;
}
