#include "generate/generate.hpp"
#include "generate/random.hpp"
#include "io/container.hpp"
#include "io/writable_file.hpp"
#include "trace/reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace etl::generate {

namespace {

using What = Damage::What;

constexpr std::array<std::string_view, 4> damage_names{"bad-sizes", "zero-buffer", "flip",
                                                       "truncate"};

/// A stored buffer, or the frame that contains it.
struct Place {
    std::uint64_t where = 0;
    std::uint32_t size = 0;
    std::uint64_t buffer_size_at = 0; // offset of BufferSize
};

Result<std::vector<Place>> places_of(const std::string& path) {
    const auto file = io::InputFile::map(path);
    if (!file) {
        return std::unexpected(file.error());
    }
    const auto reader = trace::Reader::open(*file);
    if (!reader) {
        return std::unexpected(reader.error());
    }
    const std::size_t stored_at = io::stored_offset(io::container_of((*file)->bytes()));
    std::vector<Place> places;
    for (const trace::BufferEntry& entry : (*reader)->buffers()) {
        places.push_back(entry.is_packed()
                             ? Place{entry.packed_where.value, entry.packed_size,
                                     entry.packed_where.value + stored_at}
                             : Place{entry.where.value, entry.disk_size, entry.where.value});
    }
    if (places.size() < 2) {
        return fail(ErrorCode::malformed, "no buffer to damage");
    }
    return places;
}

/// Damages one file.
class Damager {
public:
    Damager(io::WritableFile& file, const std::vector<Place>& places, Random random)
        : file_(&file), places_(&places), is_zero_(places.size()), random_(random) {}

    Result<void> apply(const Damage& damage) {
        if (damage.what == What::truncate) {
            return truncate();
        }
        for (std::uint32_t i = 0; i < damage.count; ++i) {
            // Never the header buffer, which holds all metadata.
            const std::size_t number = 1 + random_.below(places_->size() - 1);
            const Place& place = (*places_)[number];
            const auto done = damage.what == What::flip          ? flip(place)
                              : damage.what == What::zero_buffer ? zero(number)
                                                                 : bad_size(place);
            if (!done) {
                return done;
            }
        }
        return {};
    }

private:
    Result<void> truncate() {
        const auto size = file_->size();
        return size ? file_->resize(*size / 2 + random_.below(*size / 2 + 1))
                    : Result<void>(std::unexpected(size.error()));
    }

    Result<void> flip(const Place& place) {
        const FileOffset where{place.where + random_.below(place.size)};
        std::array<std::byte, 1> byte{};
        if (const auto got = file_->read_at(where, byte); !got) {
            return std::unexpected(got.error());
        }
        byte[0] ^= static_cast<std::byte>(1U << random_.below(8));
        return file_->write_at(where, byte);
    }

    Result<void> zero(std::size_t number) {
        if (is_zero_[number]) {
            return {};
        }
        is_zero_[number] = true;
        const Place& place = (*places_)[number];
        return file_->write_at({place.where}, std::vector<std::byte>(place.size));
    }

    Result<void> bad_size(const Place& place) {
        std::array<std::byte, 4> size{};
        store_le(size.data(), static_cast<std::uint32_t>(random_.next() >> random_.below(33)));
        return file_->write_at({place.buffer_size_at}, size);
    }

    io::WritableFile* file_;
    const std::vector<Place>* places_;
    std::vector<bool> is_zero_; // by place
    Random random_;
};

} // namespace

std::optional<Damage> parse_damage(std::string_view text) noexcept {
    const std::size_t colon = text.find(':');
    const auto* const name = std::ranges::find(damage_names, text.substr(0, colon));
    if (name == damage_names.end()) {
        return std::nullopt;
    }
    Damage damage{static_cast<What>(name - damage_names.begin())};
    if (colon == std::string_view::npos) {
        return damage;
    }
    const std::string_view count = text.substr(colon + 1);
    const char* const end = count.data() + count.size();
    const auto [rest, code] = std::from_chars(count.data(), end, damage.count);
    const bool is_good = code == std::errc{} && rest == end && damage.what != What::truncate &&
                         damage.count >= 1 && damage.count <= Damage::max;
    return is_good ? std::optional(damage) : std::nullopt;
}

Result<void> do_damage(const std::string& path, const std::vector<Damage>& damages,
                       std::uint64_t seed) {
    const bool is_possible = std::ranges::all_of(damages, [](const Damage& damage) {
        return damage.count >= 1 && damage.count <= Damage::max;
    });
    if (!is_possible) {
        return fail(ErrorCode::invalid_option, "number of damages", {}, Damage::max);
    }
    const auto places = places_of(path);
    if (!places) {
        return std::unexpected(places.error());
    }
    const auto file = io::disk().open(path, io::FileFactory::Open::existing);
    if (!file) {
        return std::unexpected(file.error());
    }
    Damager damager(**file, *places, Random(seed));
    for (const What what : {What::bad_sizes, What::zero_buffer, What::flip, What::truncate}) {
        for (const Damage& damage : damages) {
            auto done = damage.what == what ? damager.apply(damage) : Result<void>();
            if (!done) {
                return done;
            }
        }
    }
    return (*file)->close();
}

} // namespace etl::generate
