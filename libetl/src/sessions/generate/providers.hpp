// The events of synthetic providers: self-describing, described by a manifest (generate::manifest),
// or without a schema. One thread.
#pragma once

#include <etl/provider.hpp>

#include "generate/generate.hpp"
#include "generate/random.hpp"

#include <vector>

namespace etl::generate {

class ProviderEvents {
public:
    ProviderEvents(const Recipe& recipe, Random random);

    /// Records are valid until the next call. `stamp` has their time and processor.
    format::EventRecord tracelogging(const provider::EventContext& stamp);
    format::EventRecord of_manifest(const provider::EventContext& stamp);
    format::EventRecord string(const provider::EventContext& stamp);
    format::FullRecord full(const provider::EventContext& stamp);
    format::InstanceRecord instance(const provider::EventContext& stamp);
    format::MessageRecord message(const provider::EventContext& stamp);
    format::TimedRecord timed(const provider::EventContext& stamp);
    format::WnodeRecord wnode(const provider::EventContext& stamp);

private:
    /// A self-describing event of a provider, with its fields.
    struct Shape {
        const provider::Provider* provider;
        provider::SelfDescribingEvent event;
        std::uint32_t fields; // bits
    };

    void add_fields(Shape& shape, std::size_t payload_size);
    std::size_t payload_size() noexcept;
    Bytes noise(std::size_t size);

    const Recipe* recipe_;
    Random random_;
    std::vector<provider::Provider> self_describing_;
    std::vector<provider::Provider> of_manifests_;
    std::vector<Guid> classic_classes_;
    std::vector<Guid> message_guids_;
    std::vector<Shape> shapes_;
    ByteWriter payload_;
    std::uint32_t sequence_ = 0, instance_ = 0;
    std::vector<std::byte> noise_;
};

} // namespace etl::generate
