#include "symbols/portable/portable_database.hpp"

#include "base/text.hpp"
#include "symbols/container/expand.hpp"
#include "symbols/limits.hpp"
#include "symbols/portable/metadata.hpp"
#include "symbols/portable/sequence_points.hpp"

#include <algorithm>

namespace etl::symbols {

namespace {

class PortableDatabase final : public Source {
public:
    PortableDatabase(PortableMetadata metadata, std::vector<std::byte> content)
        : content_(std::move(content)), metadata_(metadata) {
        std::size_t read = 0; // parts can be empty, so that the names do not grow
        for (std::size_t i = 0; i < metadata_.documents(); ++i) {
            const std::size_t begin = names_.size();
            if (begin < limits::source_names_bytes && read < limits::source_names_bytes) {
                read += metadata_.append_document_name(i + 1, names_);
            }
            documents_.push_back({begin, names_.size() - begin});
        }
    }

    Identity identity() const noexcept override {
        Identity result;
        std::ranges::copy(metadata_.id().first(result.guid.bytes.size()),
                          result.guid.bytes.begin());
        result.age = 0xFFFFFFFF;
        return result;
    }

    void resolve(std::uint32_t, Detail, Scratch&) const override {}

    std::optional<SourceLine> managed_line(std::uint32_t method_token,
                                           std::uint32_t il_offset) const override;

    bool names_functions() const override { return false; }

private:
    struct Part {
        std::size_t offset = 0;
        std::size_t size = 0;
    };

    std::vector<std::byte> content_; // of an embedded database; viewed by the metadata
    PortableMetadata metadata_;
    std::string names_;
    std::vector<Part> documents_; // of names_
};

std::optional<SourceLine> PortableDatabase::managed_line(std::uint32_t method_token,
                                                         std::uint32_t il_offset) const {
    constexpr std::uint32_t method_definition = 0x06;
    const auto row = method_token >> 24U == method_definition
                         ? metadata_.method(method_token & 0xFFFFFFU)
                         : std::nullopt;
    if (!row || row->sequence_points.empty()) {
        return std::nullopt;
    }
    SequencePoints points(row->sequence_points, row->document);
    std::optional<SequencePoint> last;
    for (auto point = points.next(); point && point->il_offset <= il_offset;
         point = points.next()) {
        last = point;
    }
    if (!last || last->line == 0) {
        return std::nullopt;
    }
    SourceLine result{{}, last->line};
    if (last->document != 0 && last->document <= documents_.size()) {
        const Part part = documents_[last->document - 1];
        result.file = std::string_view(names_).substr(part.offset, part.size);
    }
    return result;
}

} // namespace

bool is_portable(Bytes file) noexcept {
    return as_text(file).starts_with("BSJB");
}

Result<std::unique_ptr<const Source>> open_portable(Bytes file) {
    auto metadata = PortableMetadata::open(file);
    if (!metadata) {
        return std::unexpected(metadata.error());
    }
    return std::make_unique<PortableDatabase>(*metadata, std::vector<std::byte>{});
}

std::unique_ptr<const Source> open_embedded(const PeFile& image, std::size_t file_size) {
    const auto [packed, size] = image.embedded_database();
    std::vector<std::byte> content;
    if (packed.empty() || size > limits::expanded_bytes + limits::expansion * file_size ||
        !expand(Compression::deflate, packed, size, content)) {
        return nullptr;
    }
    const auto metadata = PortableMetadata::open(content);
    // The views of the metadata stay valid: moving the vector keeps its memory.
    return metadata ? std::make_unique<PortableDatabase>(*metadata, std::move(content)) : nullptr;
}

} // namespace etl::symbols
