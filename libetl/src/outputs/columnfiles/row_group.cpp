#include "columnfiles/chunk_values.hpp"
#include "columnfiles/column_of_batches.hpp"
#include "columnfiles/compact_protocol.hpp"
#include "columnfiles/levels.hpp"
#include "columnfiles/parquet.hpp"
#include "columnfiles/zstd.hpp"

namespace etl::columnfiles {

using columns::Array;
using columns::Batch;
using columns::Column;

namespace {

/// Fields of PageHeader and its parts in parquet.thrift.
enum PageField : unsigned {
    page_type = 1,
    uncompressed_page_size = 2,
    compressed_page_size = 3,
    data_page_header = 5,
    dictionary_page_header = 7,
    num_values = 1,
    encoding = 2,
    definition_level_encoding = 3,
    repetition_level_encoding = 4,
};

/// PageType.
enum class Page : std::uint8_t { data = 0, dictionary = 2 };

/// Appends a page. Returns its size before compression.
std::uint64_t append_page(std::string& to, Zstd& zstd, Page type, std::string_view content,
                          std::uint64_t values, Encoding how) {
    const std::string_view compressed = zstd.compress(content);
    const std::size_t before = to.size();
    CompactWriter header(to);
    header.i32(page_type, static_cast<std::int32_t>(type));
    header.i32(uncompressed_page_size, static_cast<std::int32_t>(content.size()));
    header.i32(compressed_page_size, static_cast<std::int32_t>(compressed.size()));
    header.structure(type == Page::data ? data_page_header : dictionary_page_header);
    header.i32(num_values, static_cast<std::int32_t>(values));
    header.i32(encoding, static_cast<std::int32_t>(how));
    if (type == Page::data) {
        header.i32(definition_level_encoding, static_cast<std::int32_t>(Encoding::rle));
        header.i32(repetition_level_encoding, static_cast<std::int32_t>(Encoding::rle));
    }
    header.end();
    header.end();
    const std::size_t header_size = to.size() - before;
    to.append(compressed);
    return header_size + content.size();
}

ColumnChunk append_chunk(std::string& to, Zstd& zstd, const Column& column, const Array& array) {
    Levels levels = levels_of(column, array);
    ChunkValues values = encode_values(column.type, column.is_list ? *array.elements : array);
    ColumnChunk chunk;
    chunk.offset = to.size();
    chunk.values = levels.entries;
    chunk.nulls = levels.nulls;
    chunk.encoding = values.encoding;
    chunk.bounds = std::move(values.bounds);
    if (values.dictionary_values > 0) {
        chunk.plain_size = append_page(to, zstd, Page::dictionary, values.dictionary,
                                       values.dictionary_values, Encoding::plain);
        chunk.dictionary_size = to.size() - chunk.offset;
    }
    std::string content = std::move(levels.bytes);
    content.append(values.data);
    chunk.plain_size += append_page(to, zstd, Page::data, content, levels.entries, values.encoding);
    chunk.size = to.size() - chunk.offset;
    return chunk;
}

} // namespace

RowGroup encode_row_group(std::span<const Column> columns, std::span<const Batch> batches) {
    RowGroup group{.rows = rows_of(batches), .bytes = {}, .chunks = {}};
    Zstd zstd;
    ColumnOfBatches column(columns, batches);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        group.chunks.push_back(append_chunk(group.bytes, zstd, columns[i], column.at(i)));
    }
    return group;
}

} // namespace etl::columnfiles
