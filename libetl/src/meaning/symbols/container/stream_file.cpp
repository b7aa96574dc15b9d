#include "symbols/stream_file.hpp"

#include "base/text.hpp"
#include "symbols/container/streams.hpp"

namespace etl::symbols {

bool StreamFile::is_likely(Bytes file) noexcept {
    const std::string_view text = as_text(file);
    return text.starts_with(msf_magic) || text.starts_with(msfz_magic);
}

Result<StreamFile> StreamFile::open(Bytes file) {
    const std::string_view text = as_text(file);
    if (text.starts_with(old_msf_magic)) {
        return fail(ErrorCode::unsupported, "program database older than version 7.00");
    }
    if (!is_likely(file)) {
        return fail(ErrorCode::malformed, "signature of a program database");
    }
    auto streams = text.starts_with(msf_magic) ? open_msf(file) : open_msfz(file);
    if (!streams) {
        return std::unexpected(streams.error());
    }
    return StreamFile(std::move(*streams));
}

std::size_t StreamFile::streams() const noexcept {
    return streams_->count();
}

std::uint64_t StreamFile::size_of(std::size_t stream) const noexcept {
    return stream < streams_->count() ? streams_->size_of(stream) : 0;
}

bool StreamFile::read(std::size_t stream, std::vector<std::byte>& to) const {
    const std::uint64_t size = size_of(stream);
    const Bytes bytes = part(stream, 0, static_cast<std::size_t>(size), to);
    if (bytes.data() != to.data()) {
        to.assign(bytes.begin(), bytes.end());
    }
    return size != 0 && bytes.size() == size;
}

Bytes StreamFile::part(std::size_t stream, std::uint64_t offset, std::size_t size,
                       std::vector<std::byte>& scratch) const {
    const std::uint64_t total = size_of(stream);
    if (size == 0 || offset > total || size > total - offset) {
        return {};
    }
    return streams_->part(stream, offset, size, scratch);
}

} // namespace etl::symbols
