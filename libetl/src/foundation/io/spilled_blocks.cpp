#include "io/spilled_blocks.hpp"

#include <utility>

namespace etl::io {

void SpilledBlocks::add(std::vector<std::byte> block) {
    const std::uint64_t size = block.size(), at = end_;
    if (in_memory_ + block.size() > kept_bytes_ && write(block)) {
        blocks_.push_back({.bytes = {}, .at = at, .size = size, .is_in_file = true});
        return;
    }
    in_memory_ += block.size();
    blocks_.push_back({.bytes = std::move(block), .size = size});
}

/// Appends to the file; false: there is none.
bool SpilledBlocks::write(Bytes block) {
    if (has_failed_) {
        return false;
    }
    if (!writing_) {
        auto created = TemporaryFile::create();
        auto opened = created ? created->open({}, FileFactory::Open::replace)
                              : std::unexpected(created.error());
        if (!opened) {
            has_failed_ = true;
            return false;
        }
        file_.emplace(*std::move(created));
        writing_ = *std::move(opened);
    }
    has_failed_ = !writing_->write_at({end_}, block);
    end_ += has_failed_ ? 0 : block.size();
    return !has_failed_;
}

Result<std::vector<SharedBytes>> SpilledBlocks::take() {
    std::shared_ptr<const InputFile> input;
    if (writing_) {
        writing_.reset();
        auto opened = file_->input("blocks of bytes");
        if (!opened) {
            return std::unexpected(opened.error());
        }
        input = *std::move(opened);
    }
    std::vector<SharedBytes> all;
    for (Block& block : blocks_) {
        if (!block.is_in_file) {
            all.emplace_back(std::move(block.bytes));
            continue;
        }
        if (!has_range(input->bytes(), static_cast<std::size_t>(block.at),
                       static_cast<std::size_t>(block.size))) {
            return fail(ErrorCode::io_failure, "blocks in a temporary file");
        }
        all.emplace_back(input->bytes().subspan(static_cast<std::size_t>(block.at),
                                                static_cast<std::size_t>(block.size)),
                         input);
    }
    blocks_.clear();
    in_memory_ = 0;
    return all;
}

} // namespace etl::io
