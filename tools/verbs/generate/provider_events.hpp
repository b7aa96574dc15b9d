// The events of synthetic providers: self-describing, described by a manifest, or without a schema.
// One thread.
#pragma once

#include <etl/provider.hpp>

#include "verbs/generate/random.hpp"
#include "verbs/generate/recipe.hpp"

#include <vector>

namespace cli::generate {

class ProviderEvents {
public:
    ProviderEvents(const Recipe& recipe, Random random);

    /// Records are valid until the next call. `stamp` has their time and processor.
    etl::format::EventRecord tracelogging(const etl::provider::EventContext& stamp);
    etl::format::EventRecord of_manifest(const etl::provider::EventContext& stamp);
    etl::format::EventRecord string(const etl::provider::EventContext& stamp);
    etl::format::FullRecord full(const etl::provider::EventContext& stamp);
    etl::format::InstanceRecord instance(const etl::provider::EventContext& stamp);
    etl::format::MessageRecord message(const etl::provider::EventContext& stamp);
    etl::format::TimedRecord timed(const etl::provider::EventContext& stamp);
    etl::format::WnodeRecord wnode(const etl::provider::EventContext& stamp);

private:
    /// A self-describing event of a provider, with its fields.
    struct Shape {
        const etl::provider::Provider* provider;
        etl::provider::SelfDescribingEvent event;
        std::uint32_t fields; // bits
    };

    void add_fields(Shape& shape, std::size_t payload_size);
    std::size_t payload_size() noexcept;
    etl::Bytes noise(std::size_t size);

    const Recipe* recipe_;
    Random random_;
    std::vector<etl::provider::Provider> self_describing_;
    std::vector<etl::provider::Provider> of_manifests_;
    std::vector<etl::Guid> classic_classes_;
    std::vector<etl::Guid> message_guids_;
    std::vector<Shape> shapes_;
    etl::ByteWriter payload_;
    std::uint32_t sequence_ = 0, instance_ = 0;
    std::vector<std::byte> noise_;
};

} // namespace cli::generate
