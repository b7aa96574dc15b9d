// The message tables of an image, as one.
#include "schema/image.hpp"

#include <new>

namespace etl::schema {

namespace {

Result<ImageTexts> read_tables(Bytes file, const CultureChain& cultures) {
    const auto image = PeImage::parse(file);
    if (!image) {
        return std::unexpected(image.error());
    }
    auto tables = image->resources(message_table_type);
    if (!tables) {
        return std::unexpected(tables.error());
    }
    sort_by_language(*tables, cultures);
    ImageTexts texts;
    for (const Resource& resource : *tables) {
        const auto table = MessageTable::parse(resource.bytes);
        if (table) {
            texts.table.merge(*table);
        } else if (!texts.damage) {
            texts.damage = table.error();
            texts.damage->where = texts.damage->where + resource.where.value;
        }
    }
    return texts;
}

} // namespace

Result<ImageTexts> read_messages(Bytes file, const CultureChain& cultures) {
    try {
        return read_tables(file, cultures);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::limit, "memory for the texts of an image");
    }
}

} // namespace etl::schema
