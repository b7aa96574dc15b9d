#include "capi/columns/arrow.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace etl::capi {

using columns::Array;
using columns::BatchColumn;
using columns::Type;

namespace {

const char* format_of(Type type) noexcept {
    switch (type) {
    case Type::boolean:
        return "b";
    case Type::int8:
        return "c";
    case Type::int16:
        return "s";
    case Type::int32:
    case Type::label:
        return "i";
    case Type::int64:
        return "l";
    case Type::uint8:
        return "C";
    case Type::uint16:
        return "S";
    case Type::uint32:
        return "I";
    case Type::uint64:
        return "L";
    case Type::float32:
        return "f";
    case Type::float64:
        return "g";
    case Type::time:
        return "tsn:UTC";
    case Type::guid:
        return "w:16";
    case Type::text:
        return "u";
    case Type::binary:
        return "z";
    }
    return "u";
}

/// The structures and buffers that a structure points to. A structure of the interface is copied
/// by its consumer, who then calls `release` of the copy: nothing may point to the structure
/// itself.
template <typename Exported>
struct Holder {
    std::vector<std::unique_ptr<Exported>> owned;
    std::vector<Exported*> children;
    std::unique_ptr<Exported> dictionary;
    std::string name, metadata;                  // of a schema
    Array array;                                 // of an array
    std::shared_ptr<columns::SpareMemory> spare; // likewise
    std::array<const void*, 3> buffers{};
};

/// The children may have been taken from their parent by the consumer, who set their `release` to
/// null and releases the copies.
template <typename Exported>
void release(Exported* exported) {
    const std::unique_ptr<Holder<Exported>> holder(
        static_cast<Holder<Exported>*>(exported->private_data));
    const auto release_part = [](Exported* part) {
        if (part != nullptr && part->release != nullptr) {
            part->release(part);
        }
    };
    for (Exported* const child : holder->children) {
        release_part(child);
    }
    release_part(holder->dictionary.get());
    if (holder->spare != nullptr) {
        holder->spare->put(std::move(holder->array));
    }
    exported->release = nullptr;
}

/// Connects a structure with its holder. From here on its consumer frees both.
template <typename Exported>
void hand_over(std::unique_ptr<Holder<Exported>> holder, Exported& to) noexcept {
    to.n_children = static_cast<std::int64_t>(holder->children.size());
    to.children = holder->children.data();
    to.dictionary = holder->dictionary.get();
    to.release = release<Exported>;
    to.private_data = holder.release();
}

/// Reserves the places of children, so that adding them cannot fail halfway.
template <typename Exported>
Exported& add_child(Holder<Exported>& holder) {
    auto child = std::make_unique<Exported>();
    holder.children.reserve(holder.children.size() + 1);
    holder.owned.push_back(std::move(child));
    holder.children.push_back(holder.owned.back().get());
    return *holder.children.back();
}

/// Structures that are given up on the way, because memory is exhausted.
template <typename Exported>
class Guarded {
public:
    Guarded() : holder_(std::make_unique<Holder<Exported>>()) {}

    Guarded(const Guarded&) = delete;
    Guarded& operator=(const Guarded&) = delete;

    ~Guarded() {
        if (holder_ != nullptr) {
            Exported unfinished{};
            hand_over(std::move(holder_), unfinished);
            unfinished.release(&unfinished);
        }
    }

    Holder<Exported>& operator*() noexcept { return *holder_; }

    Holder<Exported>* operator->() noexcept { return holder_.get(); }

    void hand_over_to(Exported& to) noexcept { hand_over(std::move(holder_), to); }

private:
    std::unique_ptr<Holder<Exported>> holder_;
};

/// Pairs of key and value: their number, then size and bytes of each, in native byte order.
std::string metadata_of_uuid() {
    std::string metadata;
    const auto add_number = [&](std::int32_t number) {
        char bytes[sizeof number];
        std::memcpy(bytes, &number, sizeof number);
        metadata.append(bytes, sizeof bytes);
    };
    const auto add_text = [&](std::string_view text) {
        add_number(static_cast<std::int32_t>(text.size()));
        metadata.append(text);
    };
    add_number(2);
    add_text("ARROW:extension:name");
    add_text("arrow.uuid");
    add_text("ARROW:extension:metadata");
    add_text("");
    return metadata;
}

void export_one(std::string_view name, Type type, ArrowSchema& to) {
    Guarded<ArrowSchema> holder;
    holder->name = name;
    if (type == Type::guid) {
        holder->metadata = metadata_of_uuid();
    }
    if (type == Type::label) {
        auto dictionary = std::make_unique<ArrowSchema>();
        export_one("", Type::text, *dictionary);
        holder->dictionary = std::move(dictionary);
    }
    to = {.format = format_of(type),
          .name = holder->name.c_str(),
          .metadata = holder->metadata.empty() ? nullptr : holder->metadata.c_str(),
          .flags = ARROW_FLAG_NULLABLE};
    holder.hand_over_to(to);
}

void export_column(const BatchColumn& column, ArrowSchema& to) {
    if (!column.is_list) {
        return export_one(column.name, column.type, to);
    }
    Guarded<ArrowSchema> holder;
    holder->name = column.name;
    export_one("item", column.type, add_child(*holder));
    to = {.format = "+l", .name = holder->name.c_str(), .flags = ARROW_FLAG_NULLABLE};
    holder.hand_over_to(to);
}

/// Returns the columns of the consumer, each as indices: of a single column, or of the members of
/// an array of structures, at the place of the first member.
std::vector<std::vector<std::size_t>> exported(std::span<const BatchColumn> columns) {
    std::vector<std::vector<std::size_t>> all;
    std::unordered_map<std::string_view, std::size_t> known; // arrays of structures
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::string& structures = columns[i].structures;
        if (!structures.empty()) {
            const auto [place, is_new] = known.try_emplace(structures, all.size());
            if (!is_new) {
                all[place->second].push_back(i);
                continue;
            }
        }
        all.push_back({i});
    }
    return all;
}

void export_structures(std::span<const BatchColumn> columns, std::span<const std::size_t> members,
                       ArrowSchema& to) {
    Guarded<ArrowSchema> holder, element;
    holder->name = columns[members.front()].structures;
    element->name = "item";
    for (const std::size_t member : members) {
        export_one(columns[member].name, columns[member].type, add_child(*element));
    }
    ArrowSchema& item = add_child(*holder);
    item = {.format = "+s", .name = element->name.c_str(), .flags = ARROW_FLAG_NULLABLE};
    element.hand_over_to(item);
    to = {.format = "+l", .name = holder->name.c_str(), .flags = ARROW_FLAG_NULLABLE};
    holder.hand_over_to(to);
}

/// An array of `type`; of a list, the type of its elements.
void export_array(Array&& array, Type type, const std::shared_ptr<columns::SpareMemory>& spare,
                  ArrowArray& to) {
    Guarded<ArrowArray> holder;
    const bool is_list = array.elements != nullptr;
    if (is_list) {
        export_array(std::move(*array.elements), type, spare, add_child(*holder));
    }
    if (array.dictionary != nullptr) {
        auto dictionary = std::make_unique<ArrowArray>();
        export_array(std::move(*array.dictionary), Type::text, spare, *dictionary);
        holder->dictionary = std::move(dictionary);
    }
    holder->spare = spare;
    Array& kept = holder->array = std::move(array);
    std::int64_t buffers = 0;
    const auto add_buffer = [&](const void* data) {
        holder->buffers[static_cast<std::size_t>(buffers++)] = data;
    };
    add_buffer(kept.validity.empty() ? nullptr : kept.validity.data());
    if (!kept.offsets.empty()) {
        add_buffer(kept.offsets.data());
    }
    if (!is_list) {
        add_buffer(kept.bytes.data());
    }
    to = {.length = static_cast<std::int64_t>(kept.size),
          .null_count = static_cast<std::int64_t>(kept.nulls),
          .n_buffers = buffers,
          .buffers = holder->buffers.data()};
    holder.hand_over_to(to);
}

/// The offsets and nulls of the list are those of its first member.
void export_structures(std::span<const BatchColumn> columns, std::span<const std::size_t> members,
                       columns::Batch& batch, const std::shared_ptr<columns::SpareMemory>& spare,
                       ArrowArray& to) {
    Guarded<ArrowArray> holder, element;
    Array& list = batch.columns[members.front()];
    const std::size_t elements = list.elements->size;
    for (const std::size_t member : members) {
        export_array(std::move(*batch.columns[member].elements), columns[member].type, spare,
                     add_child(*element));
    }
    ArrowArray& structures = add_child(*holder);
    structures = {.length = static_cast<std::int64_t>(elements),
                  .n_buffers = 1,
                  .buffers = element->buffers.data()};
    element.hand_over_to(structures);
    Array& kept = holder->array = std::move(list);
    holder->buffers = {kept.validity.empty() ? nullptr : kept.validity.data(), kept.offsets.data()};
    to = {.length = static_cast<std::int64_t>(kept.size),
          .null_count = static_cast<std::int64_t>(kept.nulls),
          .n_buffers = 2,
          .buffers = holder->buffers.data()};
    holder.hand_over_to(to);
}

} // namespace

void export_schema(std::span<const BatchColumn> columns, ArrowSchema& to) {
    Guarded<ArrowSchema> holder;
    for (const auto& indices : exported(columns)) {
        const BatchColumn& first = columns[indices.front()];
        if (first.structures.empty()) {
            export_column(first, add_child(*holder));
        } else {
            export_structures(columns, indices, add_child(*holder));
        }
    }
    to = {.format = "+s", .name = holder->name.c_str()};
    holder.hand_over_to(to);
}

void export_batch(std::span<const BatchColumn> columns, columns::Batch&& batch,
                  const std::shared_ptr<columns::SpareMemory>& spare, ArrowArray& to) {
    Guarded<ArrowArray> holder;
    for (const auto& indices : exported(columns)) {
        const std::size_t first = indices.front();
        if (columns[first].structures.empty()) {
            export_array(std::move(batch.columns[first]), columns[first].type, spare,
                         add_child(*holder));
        } else {
            export_structures(columns, indices, batch, spare, add_child(*holder));
        }
    }
    to = {.length = static_cast<std::int64_t>(batch.rows),
          .n_buffers = 1,
          .buffers = holder->buffers.data()};
    holder.hand_over_to(to);
}

} // namespace etl::capi
