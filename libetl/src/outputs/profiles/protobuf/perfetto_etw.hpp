// Events in the messages that Perfetto has for ETW: protos/perfetto/trace/etw. Private to profiles.
#pragma once

#include "analysis/activity.hpp"
#include "profiles/protobuf/perfetto_packets.hpp"

namespace etl::profiles {

class PerfettoEtw {
public:
    explicit PerfettoEtw(Packets& packets) : packets_(&packets) {}

    /// `time`: in nanoseconds from the beginning of the range.
    void add(const analysis::ThreadSwitch& one, std::uint64_t time);
    void add(const analysis::ThreadReady& one, std::uint64_t time);
    void add(const analysis::IoRecord& one, std::uint64_t time);

private:
    Packets* packets_;
    std::string message_;
};

} // namespace etl::profiles
