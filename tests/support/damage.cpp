#include "tests/support/damage.hpp"

#include <algorithm>

namespace etl::test {

namespace {

constexpr auto size_field = format::buffer_header::buffer_size.offset;

std::ptrdiff_t signed_offset(std::size_t offset) {
    return static_cast<std::ptrdiff_t>(offset);
}

std::size_t offset_of(const Image& file, std::size_t buffer) {
    const auto places = buffers_of(file);
    return buffer < places.size() ? places[buffer].offset : file.size();
}

} // namespace

std::vector<Place> buffers_of(const Image& file) {
    std::vector<Place> places;
    for (std::size_t at = 0; at + format::buffer_header::size <= file.size();) {
        const std::size_t size = load_le<std::uint32_t>(file.data() + at + size_field);
        if (size < format::buffer_header::size) {
            break;
        }
        places.push_back({at, size});
        at += size;
    }
    return places;
}

Image truncate_at(Image file, std::size_t size) {
    file.resize(std::min(size, file.size()));
    return file;
}

Image flip(Image file, std::size_t offset, std::uint8_t mask) {
    file.at(offset) ^= std::byte{mask};
    return file;
}

Image overwrite(Image file, std::size_t offset, Bytes with) {
    std::ranges::copy(with, std::span(file).subspan(offset, with.size()).begin());
    return file;
}

Image grow_size(Image file, std::size_t buffer, std::int64_t by) {
    std::byte* field = file.data() + offset_of(file, buffer) + size_field;
    store_le(field, static_cast<std::uint32_t>(load_le<std::uint32_t>(field) + by));
    return file;
}

Image drop_buffer(Image file, std::size_t buffer) {
    const Place place = buffers_of(file).at(buffer);
    const auto first = file.begin() + signed_offset(place.offset);
    file.erase(first, first + signed_offset(place.size));
    return file;
}

Image insert_garbage(Image file, std::size_t buffer, std::size_t count) {
    const Image garbage = noise(count);
    file.insert(file.begin() + signed_offset(offset_of(file, buffer)), garbage.begin(),
                garbage.end());
    return file;
}

Image preallocate(Image file, std::size_t zeros) {
    file.resize(file.size() + zeros);
    return file;
}

Image concatenate(Image first, const Image& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

Image noise(std::size_t count, std::uint32_t seed) {
    Image bytes(count);
    for (std::byte& byte : bytes) {
        seed = seed * 1'664'525U + 1'013'904'223U;
        byte = static_cast<std::byte>(seed >> 24U);
    }
    return bytes;
}

} // namespace etl::test
