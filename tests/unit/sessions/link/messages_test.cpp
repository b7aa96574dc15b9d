#include "link/messages.hpp"

#include <gtest/gtest.h>

namespace etl::link::messages_test {

namespace {

using namespace etl::literals;

constexpr Guid coffee = "0b1c2d3e-4f50-4162-8374-95a6b7c8d9e0"_guid;

TEST(MessagesTest, DecodeWhatWasEncoded) {
    const std::vector<ProviderMessage> all{
        Hello{.role = Role::controller, .program = "demo"},
        Register{.registration = 5, .slot = 9, .is_classic = true, .provider = coffee},
        Unregister{6},
        SetTraits{.registration = 6, .traits = {std::byte{1}, std::byte{2}}},
        Confirm{12},
        Doorbell{}};
    for (const ProviderMessage& message : all) {
        EXPECT_EQ(decode_provider_message(encode(message)), message);
    }
    const Welcome welcome{.process_id = 4, .shape = RegionShape::of(2, 1U << 20U)};
    EXPECT_EQ(decode_welcome(encode(welcome)), welcome);
}

TEST(MessagesTest, RefuseWhatIsTooShortOrTooLong) {
    auto packet = encode(Register{.registration = 5, .slot = 9, .provider = coffee});
    for (std::size_t size = 0; size < packet.size(); ++size) {
        EXPECT_FALSE(decode_provider_message(Bytes(packet).first(size))) << size;
    }
    packet.push_back(std::byte{0});
    EXPECT_FALSE(decode_provider_message(packet));
}

TEST(MessagesTest, RefuseRegionsOfAnImpossibleShape) {
    EXPECT_FALSE(decode_welcome(encode(Welcome{.shape = {.stripes = 0}})));
    EXPECT_FALSE(decode_welcome(encode(Welcome{.shape = {.stripes = 1, .ring_bytes = 100}})));
}

} // namespace

} // namespace etl::link::messages_test
