#include "io/input_file.hpp"

#include "io/byte_stream.hpp"
#include "io/limits.hpp"
#include "io/packed/spool.hpp"
#include "io/system/os_file.hpp"
#include "io/system/system.hpp"
#include "io/unpack.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace etl::io {

namespace {

class MappedFile final : public InputFile {
public:
    MappedFile(Mapping mapping, std::size_t skip, std::optional<std::int64_t> changed,
               std::string name, std::optional<Error> damage, std::size_t size = SIZE_MAX)
        : InputFile(std::move(name), clamped(mapping.bytes(), skip, size), damage),
          mapping_(std::move(mapping)), skip_(skip), changed_(changed) {}

    std::uint64_t intact_size() const noexcept override {
        const std::size_t size = mapping_.intact_size();
        return std::min(size - std::min(size, skip_), bytes().size());
    }

    std::size_t read(FileOffset where, MutableBytes into) const noexcept override {
        if (!has_range(bytes(), where.value, 0)) {
            return 0;
        }
        const auto at = static_cast<std::size_t>(where.value);
        return mapping_.read(skip_ + at, into.first(std::min(into.size(), bytes().size() - at)));
    }

    void advise(Access access) const noexcept override { mapping_.advise(access); }

    std::optional<std::int64_t> changed() const noexcept override { return changed_; }

    void release(FileOffset where, std::uint64_t size) const noexcept override {
        if (has_range(bytes(), where.value, 0)) {
            const auto max = bytes().size() - static_cast<std::size_t>(where.value);
            mapping_.release(skip_ + static_cast<std::size_t>(where.value),
                             size < max ? static_cast<std::size_t>(size) : max);
        }
    }

private:
    Mapping mapping_;
    std::size_t skip_; // bytes of the file before the view
    std::optional<std::int64_t> changed_;
};

class FileInMemory final : public InputFile {
public:
    FileInMemory(std::vector<std::byte> content, std::string name)
        : InputFile(std::move(name), content), content_(std::move(content)) {}

private:
    std::vector<std::byte> content_;
};

} // namespace

std::uint64_t InputFile::intact_size() const noexcept {
    return bytes_.size();
}

std::size_t InputFile::read(FileOffset where, MutableBytes into) const noexcept {
    const Bytes part = has_range(bytes_, where.value, 0)
                           ? clamped(bytes_, static_cast<std::size_t>(where.value), into.size())
                           : Bytes{};
    std::ranges::copy(part, into.begin());
    return part.size();
}

void InputFile::advise(Access) const noexcept {}

void InputFile::release(FileOffset, std::uint64_t) const noexcept {}

Result<std::shared_ptr<const InputFile>> InputFile::map(const std::string& path) {
    auto file = OsFile::open_for_reading(path);
    if (!file) {
        return std::unexpected(file.error());
    }
    return input_from(std::move(*file), path, limits::unpacked_bytes);
}

std::shared_ptr<const InputFile> InputFile::from_memory(std::vector<std::byte> bytes,
                                                        std::string name) {
    return std::make_shared<const FileInMemory>(std::move(bytes), std::move(name));
}

const std::byte FileOnDemand::mark{};

FileOnDemand::FileOnDemand(const std::string& path)
    : InputFile(path, Bytes(&mark, 0)), id_(file_id(path)) {}

Result<std::shared_ptr<const InputFile>> FileOnDemand::content() const {
    auto file = OsFile::open_for_reading(name());
    if (!file) {
        return std::unexpected(file.error());
    }
    if (file_id(name()) != id_) {
        return fail(ErrorCode::not_found, "another file has taken its place");
    }
    const auto size = file->size();
    if (!size) {
        return std::unexpected(size.error());
    }
    if (*size > limits::small_file) {
        return input_from(std::move(*file), name(), limits::unpacked_bytes);
    }
    std::vector<std::byte> bytes(static_cast<std::size_t>(*size));
    const auto got = file->read_at({0}, bytes);
    if (!got) {
        return std::unexpected(got.error());
    }
    bytes.resize(*got);
    return from_memory(std::move(bytes), name());
}

std::size_t FileOnDemand::read(FileOffset where, MutableBytes into) const noexcept {
    const auto file = OsFile::open_for_reading(name());
    return file && file_id(name()) == id_ ? file->read_at(where, into).value_or(0) : 0;
}

std::uint64_t FileOnDemand::intact_size() const noexcept {
    std::error_code code;
    const std::uintmax_t size = std::filesystem::file_size(to_path(name()), code);
    return !code && file_id(name()) == id_ ? size : 0;
}

Result<Spool> Spool::create() {
    auto file = OsFile::temporary();
    if (!file) {
        return std::unexpected(file.error());
    }
    return Spool(std::move(*file));
}

Result<void> Spool::write(Bytes bytes) {
    return file_.write(bytes);
}

Result<std::shared_ptr<const InputFile>> Spool::finish(std::string name,
                                                       std::optional<Error> damage) {
    auto mapping = file_.map();
    if (!mapping) {
        return std::unexpected(mapping.error());
    }
    return std::make_shared<const MappedFile>(std::move(*mapping), 0, std::nullopt, std::move(name),
                                              damage);
}

Result<std::shared_ptr<const InputFile>> input_from(OsFile file, std::string name,
                                                    std::uint64_t max) {
    const auto kind = file.kind();
    if (!kind) {
        return std::unexpected(kind.error());
    }
    if (*kind == OsFile::Kind::folder) {
        return fail(ErrorCode::io_failure, "a directory, not a file");
    }
    if (*kind == OsFile::Kind::regular) {
        auto mapping = file.map();
        if (!mapping) {
            return std::unexpected(mapping.error());
        }
        return std::make_shared<MappedFile>(std::move(*mapping),
                                            static_cast<std::size_t>(file.position()),
                                            file.changed(), std::move(name), std::nullopt);
    }
    return spool(*stream_of(std::move(file)), {}, std::move(name), {max});
}

Result<std::shared_ptr<const InputFile>> head_of(const OsFile& file, std::string name,
                                                 std::uint64_t size) {
    auto mapping = file.map();
    if (!mapping) {
        return std::unexpected(mapping.error());
    }
    const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(size, SIZE_MAX));
    return std::make_shared<MappedFile>(std::move(*mapping), 0, file.changed(), std::move(name),
                                        std::nullopt, most);
}

Result<std::shared_ptr<const InputFile>> spool_standard_input(const UnpackOptions& options) {
    return input_from(OsFile::standard_input(), "-", options.max_unpacked);
}

} // namespace etl::io
