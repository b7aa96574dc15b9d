// Reads an Arrow IPC file back, by Columnar.rst and the schemas of its messages: what a reader may
// rely on is checked. For tests and fuzz targets.
#pragma once

#include "base/layout.hpp"
#include "columns/batch.hpp"

#include <zstd.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace etl::columnfiles::readback {

inline void expect(bool holds, const char* what) {
    if (!holds) {
        throw std::runtime_error(what);
    }
}

template <typename T>
T number_in(std::string_view bytes, std::size_t at) {
    expect(at <= bytes.size() && bytes.size() - at >= sizeof(T), "a number beyond the end");
    return load_le<T>(std::as_bytes(std::span(bytes)).data() + at);
}

/// A table of a FlatBuffer.
class Flat {
public:
    static Flat root(std::string_view bytes) {
        return Flat(bytes, number_in<std::uint32_t>(bytes, 0));
    }

    template <typename T>
    T number(unsigned field, T otherwise = {}) const {
        const auto place = find(field);
        expect(!place || *place % sizeof(T) == 0, "a number is not aligned");
        return place ? number_in<T>(bytes_, *place) : otherwise;
    }

    std::optional<Flat> table(unsigned field) const {
        const auto place = find(field);
        return place ? std::optional(Flat(bytes_, target(*place))) : std::nullopt;
    }

    std::string_view text(unsigned field) const {
        const std::size_t size = count(field);
        expect(bytes_.at(begin(field) + size) == '\0', "a text without its end");
        return bytes_.substr(begin(field), size);
    }

    /// Elements of a vector.
    std::size_t count(unsigned field) const {
        const auto place = find(field);
        return place ? number_in<std::uint32_t>(bytes_, target(*place)) : 0;
    }

    Flat element(unsigned field, std::size_t i) const {
        return Flat(bytes_, target(begin(field) + 4 * i));
    }

    /// A number of a structure in a vector.
    template <typename T>
    T in_structure(unsigned field, std::size_t i, std::size_t size, std::size_t offset) const {
        const std::size_t at = begin(field) + i * size + offset;
        expect(begin(field) % 8 == 0, "structures are not aligned");
        return number_in<T>(bytes_, at);
    }

private:
    Flat(std::string_view bytes, std::size_t at) : bytes_(bytes), at_(at) {
        expect(at % 4 == 0, "a table is not aligned");
        list_ = at - static_cast<std::size_t>(number_in<std::int32_t>(bytes, at));
        expect(list_ % 2 == 0, "a list of fields is not aligned");
        number_in<std::uint8_t>(bytes, at + number_in<std::uint16_t>(bytes, list_ + 2) - 1);
    }

    std::optional<std::size_t> find(unsigned field) const {
        const auto size = number_in<std::uint16_t>(bytes_, list_);
        const std::size_t slot = 4 + 2 * std::size_t{field};
        const std::size_t offset =
            slot < size ? number_in<std::uint16_t>(bytes_, list_ + slot) : 0U;
        return offset != 0 ? std::optional(at_ + offset) : std::nullopt;
    }

    std::size_t target(std::size_t place) const {
        return place + number_in<std::uint32_t>(bytes_, place);
    }

    std::size_t begin(unsigned field) const {
        const auto place = find(field);
        expect(place.has_value(), "a field is missing");
        return target(*place) + 4;
    }

    std::string_view bytes_;
    std::size_t at_, list_ = 0;
};

/// A message, and its body.
struct Message {
    Flat header; // of the union
    std::uint8_t type;
    std::string_view body;
};

inline Message message_at(std::string_view file, std::size_t at) {
    expect(at % 8 == 0, "a message is not aligned");
    expect(number_in<std::uint32_t>(file, at) == 0xFFFF'FFFF, "a message without its mark");
    const auto size = number_in<std::uint32_t>(file, at + 4);
    expect(size % 8 == 0, "metadata is not padded");
    const Flat flat = Flat::root(file.substr(at + 8, size));
    expect(flat.number<std::int16_t>(0) == 4, "not version 5");
    const auto body = flat.number<std::int64_t>(3);
    expect(body % 8 == 0, "a body is not padded");
    const std::size_t begin = at + 8 + size;
    expect(begin + static_cast<std::size_t>(body) <= file.size(), "a body beyond the end");
    return {*flat.table(2), flat.number<std::uint8_t>(1),
            file.substr(begin, static_cast<std::size_t>(body))};
}

/// The arrays of a RecordBatch, one after the other.
class Arrays {
public:
    Arrays(const Flat& batch, std::string_view body) : batch_(batch), body_(body) {
        expect(batch.table(3) && batch.table(3)->number<std::int8_t>(0) == 1, "not zstd");
    }

    columns::Array next(const columns::BatchColumn& column) {
        if (!column.is_list) {
            return values(column.type);
        }
        columns::Array lists = node();
        lists.offsets = offsets(lists.size);
        lists.elements = std::make_unique<columns::Array>(values(column.type));
        return lists;
    }

    bool at_end() const { return node_ == batch_.count(1) && buffer_ == batch_.count(2); }

private:
    columns::Array node() {
        columns::Array array;
        array.size = static_cast<std::size_t>(batch_.in_structure<std::int64_t>(1, node_, 16, 0));
        array.nulls =
            static_cast<std::size_t>(batch_.in_structure<std::int64_t>(1, node_++, 16, 8));
        const std::string bits = buffer();
        expect(bits.empty() ? array.nulls == 0 : bits.size() >= (array.size + 7) / 8, "validity");
        array.validity.assign(bits.begin(), bits.end());
        return array;
    }

    columns::Array values(columns::Type type) {
        columns::Array array = node();
        if (type == columns::Type::text || type == columns::Type::binary) {
            array.offsets = offsets(array.size);
        }
        array.bytes = buffer();
        return array;
    }

    std::vector<std::int32_t> offsets(std::size_t size) {
        const std::string bytes = buffer();
        std::vector<std::int32_t> list;
        for (std::size_t i = 0; i <= size; ++i) {
            list.push_back(number_in<std::int32_t>(bytes, 4 * i));
            expect(list.back() >= (i == 0 ? 0 : list[i - 1]), "offsets are not in order");
        }
        return list;
    }

    std::string buffer() {
        const auto offset =
            static_cast<std::size_t>(batch_.in_structure<std::int64_t>(2, buffer_, 16, 0));
        const auto size =
            static_cast<std::size_t>(batch_.in_structure<std::int64_t>(2, buffer_++, 16, 8));
        expect(offset % 8 == 0 && offset <= body_.size() && size <= body_.size() - offset,
               "a buffer beyond the body");
        if (size == 0) {
            return {};
        }
        const std::string_view bytes = body_.substr(offset, size);
        const auto plain = number_in<std::int64_t>(bytes, 0);
        if (plain == -1) {
            return std::string(bytes.substr(8));
        }
        std::string all(static_cast<std::size_t>(plain), '\0');
        const std::size_t got =
            ZSTD_decompress(all.data(), all.size(), bytes.data() + 8, bytes.size() - 8);
        expect(got == all.size(), "a buffer that cannot be decompressed");
        return all;
    }

    Flat batch_;
    std::string_view body_;
    std::size_t node_ = 0, buffer_ = 0;
};

/// A file with its schema, and its rows with complete dictionaries.
struct File {
    std::string_view bytes;
    Flat footer;
    std::vector<columns::Batch> batches;
    std::map<std::size_t, std::vector<std::string>> labels; // by column
    std::size_t dictionary_messages = 0;
};

inline std::size_t block_at(const Flat& footer, unsigned field, std::size_t i) {
    return static_cast<std::size_t>(footer.in_structure<std::int64_t>(field, i, 24, 0));
}

inline File read_arrow(std::string_view bytes, std::span<const columns::BatchColumn> columns) {
    expect(bytes.starts_with(std::string_view("ARROW1\0\0", 8)) && bytes.ends_with("ARROW1"),
           "magic");
    const std::size_t size = number_in<std::uint32_t>(bytes, bytes.size() - 10);
    expect(size <= bytes.size() - 10, "a footer beyond the file");
    File file{bytes, Flat::root(bytes.substr(bytes.size() - 10 - size, size)), {}, {}, 0};
    expect(message_at(bytes, 8).type == 1, "the first message is the schema");
    expect(file.footer.table(1)->count(1) == columns.size(), "columns");
    file.dictionary_messages = file.footer.count(2);
    for (std::size_t i = 0; i < file.dictionary_messages; ++i) {
        const Message message = message_at(bytes, block_at(file.footer, 2, i));
        expect(message.type == 2, "not a dictionary");
        const auto number = static_cast<std::size_t>(message.header.number<std::int64_t>(0));
        const bool is_known = file.labels.contains(number);
        expect(message.header.number<std::uint8_t>(2) == (is_known ? 1 : 0), "a delta");
        Arrays arrays(*message.header.table(1), message.body);
        const columns::Array texts = arrays.next({.name = {}, .type = columns::Type::text});
        std::vector<std::string>& list = file.labels[number];
        for (std::size_t text = 0; text < texts.size; ++text) {
            const auto begin = static_cast<std::size_t>(texts.offsets[text]);
            const auto end = static_cast<std::size_t>(texts.offsets[text + 1]);
            expect(end <= texts.bytes.size(), "a text beyond its buffer");
            list.push_back(texts.bytes.substr(begin, end - begin));
        }
    }
    for (std::size_t i = 0; i < file.footer.count(3); ++i) {
        const Message message = message_at(bytes, block_at(file.footer, 3, i));
        expect(message.type == 3, "not a record batch");
        columns::Batch batch;
        batch.rows = static_cast<std::size_t>(message.header.number<std::int64_t>(0));
        Arrays arrays(message.header, message.body);
        for (const columns::BatchColumn& column : columns) {
            batch.columns.push_back(arrays.next(column));
            expect(batch.columns.back().size == batch.rows, "rows of a column");
        }
        expect(arrays.at_end(), "more arrays than columns");
        file.batches.push_back(std::move(batch));
    }
    return file;
}

} // namespace etl::columnfiles::readback
