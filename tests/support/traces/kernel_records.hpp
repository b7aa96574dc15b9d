// Records of the kernel as 64-bit Windows 10 writes them, said in words.
#pragma once

#include <etl/byte_writer.hpp>

#include "format/encode.hpp"

#include <initializer_list>
#include <string_view>
#include <vector>

namespace etl::test {

/// A record and the payload that it owns; adds itself to a BufferBuilder.
struct KernelRecord {
    std::uint16_t hook_id = 0;
    std::uint8_t version = 0;
    std::int64_t time = 0;
    std::vector<std::byte> payload;
    std::uint32_t process_id = format::unknown_id, thread_id = format::unknown_id;
    format::Width width = format::Width::bits64;

    /// PERFINFO where no thread is named, else SYSTEM.
    template <typename Buffer>
    void add_to(Buffer& buffer) const {
        if (thread_id == format::unknown_id && process_id == format::unknown_id) {
            buffer.add(format::PerfinfoRecord{.width = width,
                                              .version = version,
                                              .hook_id = hook_id,
                                              .time = time,
                                              .payload = payload});
        } else {
            buffer.add(format::SystemRecord{.width = width,
                                            .version = version,
                                            .hook_id = hook_id,
                                            .process_id = process_id,
                                            .thread_id = thread_id,
                                            .time = time,
                                            .payload = payload});
        }
    }

    /// The same record, logged by a thread.
    KernelRecord by(std::uint32_t process, std::uint32_t thread) && {
        process_id = process;
        thread_id = thread;
        return std::move(*this);
    }
};

enum class Life : std::uint8_t { start = 1, end = 2, rundown_at_start = 3, rundown_at_end = 4 };

/// Process, version 4. The SID is absent.
inline KernelRecord process_record(std::int64_t time, Life life, std::uint32_t id,
                                   std::string_view name, std::u16string_view command_line = u"",
                                   std::uint32_t parent = 4) {
    ByteWriter payload;
    payload.u64(0xFFFFA00000000000 + id).u32(id).u32(parent).u32(1).u32(0x103);
    payload.u64(0x1AA000).u32(0).u32(0); // DirectoryTableBase, Flags, no SID
    payload.zero_terminated8(name).zero_terminated16(command_line);
    payload.zero_terminated16(u"").zero_terminated16(u"");
    const auto type = static_cast<std::uint16_t>(life);
    return {static_cast<std::uint16_t>(0x0300U | type), 4, time, payload.take()};
}

/// Thread, version 3.
inline KernelRecord thread_record(std::int64_t time, Life life, std::uint32_t process,
                                  std::uint32_t thread, std::uint64_t start = 0) {
    ByteWriter payload;
    payload.u32(process).u32(thread);
    payload.u64(0xFFFFF80001000000).u64(0xFFFFF80001006000).u64(0x1000).u64(0x2000);
    payload.u64(0xFF).u64(start).u64(0x3000).u32(0).u8(8).u8(5).u8(2).u8(0);
    const auto type = static_cast<std::uint16_t>(life);
    return {static_cast<std::uint16_t>(0x0500U | type), 3, time, payload.take()};
}

/// Image, version 3. The load of an image has a hook of its own.
inline KernelRecord image_record(std::int64_t time, Life life, std::uint32_t process,
                                 std::uint64_t base, std::uint64_t size, std::u16string_view path) {
    ByteWriter payload;
    payload.u64(base).u64(size).u32(process).u32(0xC0DE).u32(0x5F000000);
    payload.u8(8).u8(1).u16(0).u64(base).u32(0).u32(0).u32(0).u32(0).zero_terminated16(path);
    const std::uint16_t hook =
        life == Life::start
            ? std::uint16_t{0x030A}
            : static_cast<std::uint16_t>(0x1400U | static_cast<std::uint16_t>(life));
    return {hook, 3, time, payload.take()};
}

/// FileIo: 0 Name, 32 FileCreate, 35 FileDelete, 36 FileRundown.
inline KernelRecord file_name_record(std::int64_t time, std::uint8_t type, std::uint64_t object,
                                     std::u16string_view name) {
    ByteWriter payload;
    payload.u64(object).zero_terminated16(name);
    return {static_cast<std::uint16_t>(0x0400U | type), 2, time, payload.take()};
}

/// SystemConfig/LogDisk, version 2.
inline KernelRecord drive_record(std::int64_t time, std::uint32_t disk, std::uint64_t offset,
                                 std::uint64_t size, std::u16string_view letters) {
    ByteWriter payload;
    payload.u64(offset).u64(size).u32(disk).u32(0x50).u32(3).text16(letters);
    payload.fill(2 * (4 - letters.size())).u32(0).u32(1).u32(8).u32(512).u32(0).u64(1).u64(2);
    payload.text16(u"NTFS").fill(24).u32(0).u32(0);
    return {0x0B0C, 2, time, payload.take()};
}

/// DiskIo/Read, version 3.
inline KernelRecord disk_read_record(std::int64_t time, std::uint32_t disk, std::uint64_t offset,
                                     std::uint64_t file, std::uint32_t thread) {
    ByteWriter payload;
    payload.u32(disk).u32(0x60043).u32(4096).u32(0).u64(offset).u64(file).u64(0xFFFFE00011112222);
    payload.u64(42).u32(thread);
    return {0x010A, 3, time, payload.take()};
}

/// PerfInfo/SampleProf, version 2.
inline KernelRecord sample_record(std::int64_t time, std::uint64_t address, std::uint32_t thread) {
    ByteWriter payload;
    payload.u64(address).u32(thread).u32(1);
    return {0x0F2E, 2, time, payload.take()};
}

/// Thread/CSwitch, version 4.
inline KernelRecord switch_record(std::int64_t time, std::uint32_t to, std::uint32_t from) {
    ByteWriter payload;
    payload.u32(to).u32(from).u8(8).u8(8).u8(0).u8(0).u8(6).u8(1).u8(5).u8(2).u32(3).u32(0);
    return {0x0524, 4, time, payload.take()};
}

/// Thread/ReadyThread, version 2: `readied` may run again.
inline KernelRecord ready_record(std::int64_t time, std::uint32_t readied) {
    ByteWriter payload;
    payload.u32(readied).u8(1).u8(0).u8(0).u8(0);
    return {0x0532, 2, time, payload.take()};
}

/// FileIo/Read, version 3.
inline KernelRecord file_read_record(std::int64_t time, std::uint64_t file, std::uint32_t thread) {
    ByteWriter payload;
    payload.u64(0).u64(0xFFFFE00011113333).u64(file).u64(file + 8).u32(thread).u32(512).u32(0);
    return {0x0443, 3, time, payload.take()};
}

/// FileIo/OperationEnd, version 3: names the request only.
inline KernelRecord file_end_record(std::int64_t time) {
    ByteWriter payload;
    payload.u64(0xFFFFE00011113333).u64(512).u32(0);
    return {0x044C, 3, time, payload.take()};
}

/// PageFault/HardFault, version 2.
inline KernelRecord hard_fault_record(std::int64_t time, std::uint32_t thread) {
    ByteWriter payload;
    payload.value(time - 5).u64(0x1000).u64(0x7FF600001000).u64(0xFFFFA00011110000);
    payload.u32(thread).u32(4096);
    return {0x0220, 2, time, payload.take()};
}

/// PageFault/VirtualAlloc, version 2.
inline KernelRecord virtual_alloc_record(std::int64_t time, std::uint32_t process) {
    ByteWriter payload;
    payload.u64(0x10000).u64(0x1000).u32(process).u32(0x3000);
    return {0x0262, 2, time, payload.take()};
}

/// TcpIp/SendIPV4, version 2.
inline KernelRecord tcp_send_record(std::int64_t time, std::uint32_t process) {
    ByteWriter payload;
    payload.u32(process).u32(100).u32(0x0100007F).u32(0x0100007F).u16(0x5000).u16(0x901F);
    payload.u32(1).u32(2).u32(0).u64(0);
    return {0x060A, 2, time, payload.take()};
}

/// PerfInfo/SysClEnter, version 2.
inline KernelRecord system_call_record(std::int64_t time, std::uint64_t address) {
    ByteWriter payload;
    payload.u64(address);
    return {0x0F33, 2, time, payload.take()};
}

/// PerfInfo/DPC, version 2.
inline KernelRecord dpc_record(std::int64_t time, std::uint64_t routine) {
    ByteWriter payload;
    payload.u64(static_cast<std::uint64_t>(time) - 5).u64(routine);
    return {0x0F44, 2, time, payload.take()};
}

/// StackWalk/Stack.
inline KernelRecord stack_record(std::int64_t time, std::int64_t event_time, std::uint32_t process,
                                 std::uint32_t thread,
                                 std::initializer_list<std::uint64_t> frames) {
    ByteWriter payload;
    payload.value(event_time).u32(process).u32(thread);
    for (const std::uint64_t frame : frames) {
        payload.u64(frame);
    }
    return {0x1820, 2, time, payload.take()};
}

enum class KeyPart : std::uint8_t { kernel = 37, user = 38 };

/// StackWalk/StackKeyKernel or StackKeyUser: the frames come under the key.
inline KernelRecord stack_key_record(std::int64_t time, KeyPart part, std::int64_t event_time,
                                     std::uint32_t process, std::uint32_t thread,
                                     std::uint64_t key) {
    ByteWriter payload;
    payload.value(event_time).u32(process).u32(thread).u64(key);
    return {static_cast<std::uint16_t>(0x1800U | static_cast<std::uint16_t>(part)), 2, time,
            payload.take()};
}

enum class KeyMoment : std::uint8_t { created = 34, deleted = 35, rundown = 36 };

/// The frames behind a key.
inline KernelRecord key_frames_record(std::int64_t time, KeyMoment moment, std::uint64_t key,
                                      std::initializer_list<std::uint64_t> frames) {
    ByteWriter payload;
    payload.u64(key);
    for (const std::uint64_t frame : frames) {
        payload.u64(frame);
    }
    return {static_cast<std::uint16_t>(0x1800U | static_cast<std::uint16_t>(moment)), 2, time,
            payload.take()};
}

} // namespace etl::test
