#include "gather/index_key.hpp"

#include "base/readable_text.hpp"
#include "io/find_files.hpp"
#include "io/private_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <random>
#include <span>

namespace etl::gather {

namespace {

constexpr std::size_t key_size = std::tuple_size_v<trace::IndexKey>;

std::string named_path() {
    return io::environment("ETL_INDEX_KEY");
}

Result<trace::IndexKey> random_key() {
    trace::IndexKey key{};
    try {
        std::random_device random;
        std::ranges::generate(key, [&] { return static_cast<std::uint8_t>(random()); });
    } catch (const std::exception&) {
        return fail(ErrorCode::io_failure, "the system provides no random numbers");
    }
    return key;
}

} // namespace

std::string index_key_path() {
    if (std::string named = named_path(); !named.empty()) {
        return named;
    }
    const std::string folder = io::user_state_directory();
    return folder.empty() ? folder : folder + "/etl/index.key";
}

Result<trace::IndexKey> index_key() {
    const std::string path = index_key_path();
    if (path.empty()) {
        return fail(ErrorCode::not_found, "HOME and ETL_INDEX_KEY are not set");
    }
    trace::IndexKey key{};
    const auto content = io::read_private_file(path, key_size);
    if (!content) {
        return std::unexpected(content.error());
    }
    if (content->size() != key_size) {
        return fail(ErrorCode::malformed, "size of the key", {}, key_size, content->size());
    }
    std::ranges::transform(*content, key.begin(),
                           [](std::byte byte) { return std::to_integer<std::uint8_t>(byte); });
    return key;
}

Result<trace::IndexKey> index_key_or_new() {
    auto key = index_key();
    if (key || key.error().code != ErrorCode::not_found || !named_path().empty() ||
        index_key_path().empty()) {
        return key;
    }
    const auto made = random_key();
    if (!made) {
        return made;
    }
    const auto created = io::create_private_file(index_key_path(), std::as_bytes(std::span(*made)));
    // Another program may just have made one.
    key = index_key();
    return key || created ? key : std::unexpected(created.error());
}

std::string describe_key_error(const Error& error) {
    const std::string path = index_key_path();
    if (path.empty()) {
        return error.what;
    }
    std::string text;
    append_readable(text, path);
    if (error.code == ErrorCode::not_found) {
        return text + ": missing key";
    }
    if (error.code == ErrorCode::invalid_option) {
        return text + ": " + error.what;
    }
    if (error.code == ErrorCode::malformed || error.code == ErrorCode::limit) {
        return text + fmt::format(": not a valid key; expected a file of {} bytes", key_size);
    }
    return text + ": " + describe(error);
}

} // namespace etl::gather
