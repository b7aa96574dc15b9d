#include "profiles/json/firefox_tables.hpp"

#include "base/file_name.hpp"
#include "base/json_object.hpp"
#include "symbols/symbol_file.hpp"

namespace etl::profiles {

namespace {

using analysis::Frame;
using analysis::FrameRef;
using analysis::Frames;
using analysis::StackRef;
using analysis::StackTable;

enum Category : std::uint32_t {
    other_category,
    user_category,
    kernel_category,
    generated_category
};

std::uint32_t category_of(const Frame& frame) noexcept {
    switch (frame.kind) {
    case Frame::Kind::user:
        return user_category;
    case Frame::Kind::kernel:
        return kernel_category;
    case Frame::Kind::generated:
        return generated_category;
    case Frame::Kind::marker:
        break;
    }
    return other_category;
}

template <std::integral T>
std::string number(T value) {
    return std::to_string(value);
}

/// The key of the executable in a symbol store.
std::string code_id(const facts::Image& image) {
    constexpr unsigned digits = 8;
    constexpr std::string_view hex = "0123456789ABCDEF";
    std::string text;
    for (unsigned i = digits; i-- > 0;) {
        text += hex[image.time_date_stamp >> (4 * i) & 15U];
    }
    std::string size;
    append_hex(size, image.size);
    return text + size.substr(2);
}

} // namespace

std::uint32_t FirefoxTables::text(std::string_view text) {
    const auto [known, is_new] =
        numbers_.try_emplace(std::string(text), static_cast<std::uint32_t>(texts_.size()));
    if (is_new) {
        texts_.push_back(&known->first);
    }
    return known->second;
}

void FirefoxTables::write_libs(const analysis::ActivityContext& context) {
    const Frames& frames = *context.frames;
    json_->list(frames.images(), [&](std::size_t i) {
        const facts::Image& image = frames.image(static_cast<analysis::ImageRef>(i));
        JsonObject lib;
        const std::string_view pdb = image.pdb ? image.pdb->name : std::string_view();
        lib.text("arch", context.pass->trace->header_pointer_size == 4 ? "x86" : "x86_64")
            .text("name", image.name())
            .text("path", image.path)
            .text("debugName", file_name_of(pdb))
            .text("debugPath", pdb)
            .text("breakpadId", image.pdb ? symbols::Identity{image.pdb->guid, image.pdb->age}.key()
                                          : std::string());
        if (image.time_date_stamp != 0) {
            lib.text("codeId", code_id(image));
        } else {
            lib.raw("codeId", "null");
        }
        to_->text() += lib.take();
    });
}

void FirefoxTables::write_shared(const Frames& frames, const StackTable& stacks) {
    json_->begin();
    write_stacks(stacks);
    write_frames(frames);
    write_functions(frames);
    write_resources(frames);
    json_->table("nativeSymbols", 0)
        .nulls("libIndex")
        .nulls("address")
        .nulls("name")
        .nulls("functionSize")
        .end();
    json_->table("sources", 0)
        .nulls("id")
        .nulls("filename")
        .nulls("startLine")
        .nulls("startColumn")
        .nulls("sourceMapURL")
        .nulls("content")
        .end();
    json_->table("sourceLocationTable", 0).nulls("source").nulls("line").nulls("column").end();
    json_->key("stringArray");
    json_->list(texts_.size(), [&](std::size_t i) { append_json_string(to_->text(), *texts_[i]); });
    json_->end();
}

void FirefoxTables::write_stacks(const StackTable& stacks) {
    const auto node = [&](std::size_t i) -> const StackTable::Node& {
        return stacks[static_cast<StackRef>(i + StackTable::other)];
    };
    const auto prefix_offset = [&](std::size_t i) {
        const StackRef parent = node(i).parent;
        return number(parent == StackTable::root ? 0 : i + StackTable::other - parent);
    };
    json_->table("stackTable", stacks.size() - StackTable::other)
        .column("frame", [&](std::size_t i) { return number(node(i).frame); })
        .column("prefixOffset", prefix_offset)
        .end();
}

void FirefoxTables::write_frames(const Frames& frames) {
    const auto frame = [&](std::size_t i) -> const Frame& {
        return frames[static_cast<FrameRef>(i)];
    };
    json_->table("frameTable", frames.size())
        .column("address",
                [&](std::size_t i) {
                    const Frame& one = frame(i);
                    return one.image == Frame::no_image
                               ? std::string("-1")
                               : number(one.instruction() - frames.image(one.image).base);
                })
        .zeros("inlineDepth")
        .column("category", [&](std::size_t i) { return number(category_of(frame(i))); })
        .zeros("subcategory")
        .column("func", [&](std::size_t i) { return number(frame(i).function); })
        .nulls("nativeSymbol")
        .zeros("innerWindowID")
        .nulls("line")
        .nulls("column")
        .nulls("originalLocation")
        .end();
}

void FirefoxTables::write_functions(const Frames& frames) {
    std::vector<std::uint32_t> names(frames.functions());
    std::string name;
    for (std::uint32_t i = 0; i < names.size(); ++i) {
        name.clear();
        frames.function(i).append_to(name);
        names[i] = text(name);
    }
    std::vector<std::string> resources(frames.functions(), "-1");
    for (FrameRef i = 0; i < frames.size(); ++i) {
        if (frames[i].image != Frame::no_image) {
            resources[frames[i].function] = std::to_string(frames[i].image);
        }
    }
    json_->table("funcTable", names.size())
        .column("name", [&](std::size_t i) { return number(names[i]); })
        .all("isJS", "false")
        .all("relevantForJS", "false")
        .column("resource", [&](std::size_t i) { return resources[i]; })
        .nulls("source")
        .nulls("lineNumber")
        .nulls("columnNumber")
        .nulls("originalLocation")
        .end();
}

void FirefoxTables::write_resources(const Frames& frames) {
    std::vector<std::uint32_t> names;
    for (analysis::ImageRef i = 0; i < frames.images(); ++i) {
        names.push_back(text(frames.image(i).name()));
    }
    json_->table("resourceTable", names.size())
        .column("lib", [](std::size_t i) { return number(i); })
        .column("name", [&](std::size_t i) { return number(names[i]); })
        .nulls("host")
        .all("type", "1")
        .end();
}

} // namespace etl::profiles
