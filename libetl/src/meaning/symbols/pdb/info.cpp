#include "symbols/pdb/info.hpp"

#include "base/cursor.hpp"
#include "base/text.hpp"

namespace etl::symbols {

namespace {

constexpr std::size_t info_stream = 1;

// A serialized hash table: names, then pairs of the offset of a name and the stream.
std::uint32_t stream_named(std::string_view name, Cursor in) {
    const Bytes names = in.bytes("names", in.u32("bytes of names"));
    const std::size_t count = in.u32("entries");
    in.u32("capacity");
    in.bytes("bits of the entries present", 4UL * in.u32("words"));
    in.bytes("bits of the entries deleted", 4UL * in.u32("words"));
    for (std::size_t i = 0; in && i < count; ++i) {
        const std::uint32_t key = in.u32("offset of the name");
        const std::uint32_t stream = in.u32("stream");
        const std::string_view text = as_text(clamped(names, key, name.size() + 1));
        if (in && text.substr(0, text.find('\0')) == name) {
            return stream;
        }
    }
    return 0;
}

} // namespace

Result<DatabaseInfo> read_info(const StreamFile& file) {
    std::vector<std::byte> content;
    file.read(info_stream, content);
    Cursor in(content);
    DatabaseInfo result;
    in.u32("version");
    in.u32("time");
    result.age = in.u32("age");
    result.guid = in.guid("GUID");
    if (!in) {
        return std::unexpected(in.error());
    }
    result.names = stream_named("/names", in);
    return result;
}

} // namespace etl::symbols
