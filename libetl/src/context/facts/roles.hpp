// What the fields of an event mean to the facts. Private to facts. docs/enrich.md#fields
#pragma once

#include "decode/decoder.hpp"
#include "facts/owner_fields.hpp"

#include <vector>

namespace etl::facts {

enum class Role : std::uint8_t {
    none,
    process,
    thread,
    address, // of code
    file,    // object or key
    disk,
    disk_offset,
    owner, // says whose the event is, nothing more
};

/// The roles of one kind of event.
struct KindRoles {
    static constexpr std::uint32_t no_field = 0xFFFFFFFF;

    std::vector<Role> fields;        // one for each field; empty: none has any
    std::uint32_t thread = no_field; // of the thread at work, where the header names none
    OwnerFields owner;               // of the process that the event is about, likewise
    bool zero_is_kernel = false;     // process 0 of an image: it belongs to the kernel
    bool may_have_stack = false;     // stacks are recorded for events of this kind
    bool is_of_runtime = false;      // the .NET runtime logs its stack as a further event
    bool is_interrupt = false;       // the first address of the stack is no return address
};

KindRoles roles_of(const decode::DecodedEvent& event);

} // namespace etl::facts
