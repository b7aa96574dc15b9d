// Records about code: methods of .NET and of scripts, and identities of images, said in words.
#pragma once

#include <etl/byte_writer.hpp>

#include "format/encode.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace etl::test {

/// An event of a manifest provider and the payload that it owns; adds itself to a BufferBuilder.
struct UserRecord {
    Guid provider;
    std::uint16_t id = 0;
    std::uint8_t version = 0;
    std::int64_t time = 0;
    std::uint32_t process = 0;
    std::vector<std::byte> payload;

    template <typename Buffer>
    void add_to(Buffer& buffer) const {
        buffer.add(format::EventRecord{.process_id = process,
                                       .thread_id = 41,
                                       .time = time,
                                       .provider = provider,
                                       .descriptor = {.id = id, .version = version},
                                       .payload = payload});
    }
};

/// A classic event with a full header.
struct ClassRecord {
    Guid event_class;
    std::uint8_t type = 0;
    std::int64_t time = 0;
    std::vector<std::byte> payload;

    template <typename Buffer>
    void add_to(Buffer& buffer) const {
        buffer.add(format::FullRecord{.opcode = type,
                                      .version = 2,
                                      .time = time,
                                      .event_class = event_class,
                                      .payload = payload});
    }
};

inline const Guid runtime_guid = *parse_guid("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");
inline const Guid rundown_guid = *parse_guid("a669021c-c450-4609-a035-5af59af4df18");
inline const Guid script_guid = *parse_guid("57277741-3638-4a4b-bdba-0ac6e45da56c");
inline const Guid image_id_guid = *parse_guid("b3e675d7-2554-4f18-830b-2762732560de");
inline const Guid system_config_ex_guid = *parse_guid("9b79ee91-b5fd-41c0-a243-4248e266e9d0");

enum class MethodMoment : std::uint8_t { load, unload, rundown_at_start, rundown_at_end };

struct MethodText {
    std::u16string_view type = u"Kitchen.Kettle";
    std::u16string_view name = u"Boil";
    std::u16string_view signature = u"instance void  (int32)";
    std::uint64_t module = 0x7000;
    std::uint32_t flags = 8; // jitted
};

/// MethodLoadVerbose, MethodUnloadVerbose, MethodDCStartVerbose, or MethodDCEndVerbose; version 0
/// to 2.
inline UserRecord method_record(std::int64_t time, MethodMoment moment, std::uint32_t process,
                                std::uint64_t start, std::uint32_t size, const MethodText& text,
                                std::uint8_t version = 2) {
    ByteWriter payload;
    payload.u64(0x1234).u64(text.module).u64(start).u32(size).u32(0x06000001).u32(text.flags);
    payload.zero_terminated16(text.type).zero_terminated16(text.name);
    payload.zero_terminated16(text.signature);
    if (version >= 1) {
        payload.u16(9);
    }
    if (version >= 2) {
        payload.u64(0);
    }
    const bool is_live = moment == MethodMoment::load || moment == MethodMoment::unload;
    const bool is_first = moment == MethodMoment::load || moment == MethodMoment::rundown_at_start;
    return {is_live ? runtime_guid : rundown_guid,
            static_cast<std::uint16_t>(is_first ? 143 : 144),
            version,
            time,
            process,
            payload.take()};
}

/// ModuleLoad (152), ModuleUnload (153) of the runtime, version 2.
inline UserRecord module_record(std::int64_t time, std::uint16_t id, std::uint32_t process,
                                std::uint64_t module, std::u16string_view path,
                                const Guid& native_pdb = {}) {
    ByteWriter payload;
    payload.u64(module).u64(0x8000).u32(8).u32(0).zero_terminated16(path);
    payload.zero_terminated16(u"").u16(9);
    payload.guid(*parse_guid("11111111-2222-3333-4444-555555555555")).u32(1);
    payload.zero_terminated16(u"kitchen.pdb");
    payload.guid(native_pdb).u32(3).zero_terminated16(u"kitchen.ni.pdb");
    return {runtime_guid, id, 2, time, process, payload.take()};
}

/// Microsoft-JScript: 9 MethodLoad, 10 MethodUnload, 5 and 6 rundowns.
inline UserRecord script_method_record(std::int64_t time, std::uint16_t id, std::uint32_t process,
                                       std::uint64_t start, std::uint64_t size,
                                       std::uint64_t source, std::uint32_t line,
                                       std::u16string_view name) {
    ByteWriter payload;
    payload.u64(0xC0).u64(start).u64(size).u32(1).u16(0).u16(2).u64(source).u32(line).u32(1);
    payload.zero_terminated16(name);
    return {script_guid, id, 0, time, process, payload.take()};
}

/// Microsoft-JScript: 41 SourceLoad, 39 SourceDCStart.
inline UserRecord script_source_record(std::int64_t time, std::uint16_t id, std::uint32_t process,
                                       std::uint64_t source, std::u16string_view url) {
    ByteWriter payload;
    payload.u64(source).u64(0xC0).u32(0).zero_terminated16(url);
    return {script_guid, id, 0, time, process, payload.take()};
}

/// ImageId: 36 DbgID_RSDS, 37 DbgID_ILRSDS.
inline ClassRecord image_pdb_record(std::int64_t time, std::uint8_t type, std::uint32_t process,
                                    std::uint64_t base, const Guid& guid, std::uint32_t age,
                                    std::string_view name) {
    ByteWriter payload;
    payload.u64(base).u32(process).guid(guid).u32(age).zero_terminated8(name);
    return {image_id_guid, type, time, payload.take()};
}

/// ImageId: 0 Info.
inline ClassRecord image_info_record(std::int64_t time, std::uint32_t process, std::uint64_t base,
                                     std::uint32_t stamp, std::u16string_view name) {
    ByteWriter payload;
    payload.u64(base).u64(0x5000).u32(process).u32(stamp).zero_terminated16(name);
    return {image_id_guid, 0, time, payload.take()};
}

/// SystemConfigEx: 35 VolumeMapping.
inline ClassRecord volume_record(std::int64_t time, std::u16string_view nt_path,
                                 std::u16string_view dos_path) {
    ByteWriter payload;
    payload.zero_terminated16(nt_path).zero_terminated16(dos_path);
    return {system_config_ex_guid, 35, time, payload.take()};
}

} // namespace etl::test
