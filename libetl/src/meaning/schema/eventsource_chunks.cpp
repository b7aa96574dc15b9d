#include "schema/eventsource_chunks.hpp"

#include "base/layout.hpp"
#include "schema/limits.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

namespace etl::schema {

namespace {

constexpr std::uint8_t manifest_opcode = 0xFE;

// The eight bytes before the XML of a chunk.
namespace envelope {

inline constexpr etl::LayoutField<std::uint8_t> format{0}; // 1: plain XML
inline constexpr etl::LayoutField<std::uint8_t> major{1};
inline constexpr etl::LayoutField<std::uint8_t> minor{2};
inline constexpr etl::LayoutField<std::uint8_t> magic{3};
inline constexpr etl::LayoutField<std::uint16_t> chunks{4};
inline constexpr etl::LayoutField<std::uint16_t> number{6};
inline constexpr std::size_t size = 8;
static_assert(tiles<size>(format, major, minor, magic, chunks, number));

inline constexpr std::uint8_t plain_xml = 1;
inline constexpr std::uint8_t magic_value = 0x5B;

} // namespace envelope

using Envelope = std::span<const std::byte, envelope::size>;

// One sender's manifest under way.
class Assembly {
public:
    // Takes the next chunk; true when the manifest is complete.
    bool add(Bytes payload) {
        const Envelope head = payload.first<envelope::size>();
        const std::uint16_t number = load<envelope::number>(head);
        const std::uint16_t chunks = load<envelope::chunks>(head);
        const std::uint32_t kind = load_le<std::uint32_t>(head.data());
        if (number == 0 && chunks <= limits::manifest_chunks) {
            *this = Assembly{};
            chunks_ = chunks;
            kind_ = kind;
        } else if (number != next_ || chunks != chunks_ || kind != kind_) {
            // A gap, or a repetition: nothing comes of it until the next first chunk.
            *this = Assembly{};
            return false;
        }
        const Bytes text = payload.subspan(envelope::size);
        text_.insert(text_.end(), text.begin(), text.end());
        ++next_;
        return next_ == chunks_;
    }

    std::vector<std::byte> take() { return std::exchange(*this, Assembly{}).text_; }

private:
    std::vector<std::byte> text_;
    std::uint32_t kind_ = 0; // format, version and magic together
    std::uint32_t next_ = 0;
    std::uint16_t chunks_ = 0;
};

} // namespace

bool is_manifest_chunk(std::uint16_t id, std::uint8_t opcode, Bytes payload) noexcept {
    if (id != manifest_chunk_id || opcode != manifest_opcode || payload.size() < envelope::size) {
        return false;
    }
    const Envelope head = payload.first<envelope::size>();
    return load<envelope::format>(head) == envelope::plain_xml &&
           load<envelope::magic>(head) == envelope::magic_value;
}

void EventSourceChunks::add(const Guid& provider, std::uint32_t process, std::uint32_t thread,
                            std::int64_t time, std::uint64_t position, Bytes payload) {
    if (payload.size() < envelope::size) {
        return;
    }
    bytes_ += payload.size();
    chunks_.push_back(
        {provider, process, thread, time, position, {payload.begin(), payload.end()}});
    // Sorted anew only after a good deal more has come.
    if (bytes_ > limits::manifest_bytes + limits::manifest_bytes / 4) {
        keep_first();
    }
}

// What is among the first of all collectors together is among the first of its own.
void EventSourceChunks::keep_first() {
    if (bytes_ <= limits::manifest_bytes) {
        return;
    }
    std::ranges::sort(chunks_, {}, [](const Chunk& c) {
        return std::tie(c.time, c.position, c.provider, c.process, c.thread);
    });
    bytes_ = 0;
    const auto end = std::ranges::find_if(chunks_, [&](const Chunk& chunk) {
        if (chunk.payload.size() > limits::manifest_bytes - bytes_) {
            return true;
        }
        bytes_ += chunk.payload.size();
        return false;
    });
    chunks_.erase(end, chunks_.end());
    omitted_ = true;
}

void EventSourceChunks::combine(EventSourceChunks&& other) {
    omitted_ |= std::exchange(other.omitted_, false);
    bytes_ += std::exchange(other.bytes_, 0);
    std::ranges::move(other.chunks_, std::back_inserter(chunks_));
    other.chunks_.clear();
    keep_first();
}

std::vector<std::pair<Guid, std::string>> EventSourceChunks::manifests() {
    std::vector<std::pair<Guid, std::string>> all;
    for (LoggedManifest& manifest : logged_manifests()) {
        all.emplace_back(manifest.provider, std::move(manifest.text));
    }
    return all;
}

std::vector<LoggedManifest> EventSourceChunks::logged_manifests() {
    keep_first();
    std::vector<const Chunk*> ordered;
    ordered.reserve(chunks_.size());
    for (const Chunk& chunk : chunks_) {
        ordered.push_back(&chunk);
    }
    const auto sender = [](const Chunk* c) { return std::tie(c->provider, c->process, c->thread); };
    std::ranges::sort(ordered, {}, [&](const Chunk* c) {
        return std::tuple_cat(sender(c), std::tie(c->time, c->position));
    });

    std::map<std::pair<Guid, std::string>, std::size_t> known; // index in result
    std::vector<LoggedManifest> result;
    Assembly assembly;
    const Chunk* previous = nullptr;
    for (const Chunk* chunk : ordered) {
        if (previous != nullptr && sender(previous) != sender(chunk)) {
            assembly = Assembly{};
        }
        previous = chunk;
        if (!assembly.add(chunk->payload)) {
            continue;
        }
        const std::vector<std::byte> xml = assembly.take();
        std::pair manifest(chunk->provider, std::string());
        manifest.second.reserve(xml.size());
        std::ranges::transform(xml, std::back_inserter(manifest.second),
                               [](std::byte b) { return std::to_integer<char>(b); });
        const auto [at, is_new] = known.try_emplace(manifest, result.size());
        if (is_new) {
            result.push_back({manifest.first, std::move(manifest.second), {}});
        }
        result[at->second].logs.push_back({.process = chunk->process, .time = chunk->time});
    }
    for (LoggedManifest& manifest : result) {
        std::ranges::sort(manifest.logs);
    }
    return result;
}

} // namespace etl::schema
