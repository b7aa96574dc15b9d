#include "schema/wpp/pdb_annotations.hpp"

#include "base/cursor.hpp"
#include "base/text.hpp"

#include <vector>

namespace etl::schema {

namespace {

constexpr std::size_t debug_information = 3; // the stream that lists the modules

namespace symbol {
constexpr std::uint16_t annotation = 0x1019;
constexpr std::uint16_t local_function = 0x110F;
constexpr std::uint16_t global_function = 0x1110;
constexpr std::uint16_t local_function_id = 0x1146;
constexpr std::uint16_t global_function_id = 0x1147;
} // namespace symbol

bool is_function(std::uint16_t kind) noexcept {
    return kind == symbol::local_function || kind == symbol::global_function ||
           kind == symbol::local_function_id || kind == symbol::global_function_id;
}

/// Walks over the symbols of one module.
class ModuleWalk {
public:
    ModuleWalk(Bytes symbols, FunctionRef<void(const PdbAnnotation&)> each)
        : symbols_(symbols), each_(each) {}

    void run() {
        constexpr std::size_t signature = 4;
        for (std::size_t at = signature; has_range(symbols_, at, 4);) {
            const std::size_t size = 2UL + load_le<std::uint16_t>(symbols_.data() + at);
            if (size < 4 || !has_range(symbols_, at, size)) {
                return;
            }
            const auto kind = load_le<std::uint16_t>(symbols_.data() + at + 2);
            const Bytes content = symbols_.subspan(at + 4, size - 4);
            if (at >= function_end_) {
                function_ = {};
            }
            if (is_function(kind)) {
                begin_function(content);
            } else if (kind == symbol::annotation) {
                annotation(content);
            }
            at += size;
        }
    }

private:
    void begin_function(Bytes content) {
        Cursor in(content);
        in.u32("parent");
        function_end_ = in.u32("offset of its end");
        in.bytes("lengths, type, address, flags", 27);
        function_ = as_text(in.zero_terminated8("name"));
    }

    void annotation(Bytes content) {
        Cursor in(content);
        in.u32("offset");
        in.u16("segment");
        const std::size_t count = in.u16("count");
        texts_.clear();
        while (texts_.size() < count) {
            const std::string_view text = as_text(in.zero_terminated8("text"));
            if (!in) {
                return;
            }
            texts_.push_back(text);
        }
        each_({texts_, function_});
    }

    Bytes symbols_;
    FunctionRef<void(const PdbAnnotation&)> each_;
    std::string_view function_;
    std::size_t function_end_ = 0; // offset of the record that ends it
    std::vector<std::string_view> texts_;
};

} // namespace

bool for_each_annotation(const symbols::StreamFile& file,
                         FunctionRef<void(const PdbAnnotation&)> each) {
    std::vector<std::byte> modules;
    constexpr std::size_t header = 64;
    constexpr std::size_t size_of_modules = 24; // where the header says it
    if (!file.read(debug_information, modules) || modules.size() < header) {
        return false;
    }
    const auto size = load_le<std::uint32_t>(modules.data() + size_of_modules);
    Cursor in(clamped(modules, header, size));
    std::vector<std::byte> symbols;
    std::vector<bool> is_read(file.streams()); // a stream belongs to one module only
    while (in.left() >= header) {
        in.bytes("section contribution, flags", 34);
        const std::size_t stream = in.u16("stream of the symbols");
        const std::size_t bytes = in.u32("bytes of symbols");
        in.bytes("lines, source files", 24);
        in.zero_terminated8("module");
        in.zero_terminated8("object file");
        in.bytes("padding", (0 - in.position()) & 3U);
        if (in && stream < is_read.size() && !is_read[stream] && file.read(stream, symbols)) {
            is_read[stream] = true;
            ModuleWalk(clamped(symbols, 0, bytes), each).run();
        }
    }
    return true;
}

} // namespace etl::schema
