#include "encode/payload.hpp"

#include "encode/payload_run.hpp"

#include <unordered_map>

namespace etl::encode {

/// The layouts of the schemas seen, for both sizes of pointers.
class PayloadEncoder::Layouts {
public:
    const Layout& of(const schema::EventSchema& schema, std::uint32_t pointer_size) {
        Entry& entry = entry_of(schema);
        // A schema at the address of one that is gone, against the contract, is mostly found out.
        if (entry.fields != schema.fields.data() || entry.count != schema.fields.size()) {
            entry = {schema.fields.data(), schema.fields.size(), {}};
        }
        auto& layout = entry.layouts[pointer_size == 4 ? 0 : 1];
        if (!layout) {
            layout = std::make_unique<Layout>(schema, pointer_size);
        }
        return *layout;
    }

private:
    struct Entry {
        const schema::Field* fields = nullptr;
        std::size_t count = 0;
        std::unique_ptr<Layout> layouts[2];
    };

    // Events of one kind come in rows.
    Entry& entry_of(const schema::EventSchema& schema) {
        if (last_schema_ != &schema) {
            last_ = &by_schema_[&schema];
            last_schema_ = &schema;
        }
        return *last_;
    }

    std::unordered_map<const schema::EventSchema*, Entry> by_schema_;
    const schema::EventSchema* last_schema_ = nullptr;
    Entry* last_ = nullptr; // of that schema
};

PayloadEncoder::PayloadEncoder()
    : layouts_(std::make_unique<Layouts>()), run_(std::make_unique<Run>()) {}

PayloadEncoder::~PayloadEncoder() = default;
PayloadEncoder::PayloadEncoder(PayloadEncoder&&) noexcept = default;
PayloadEncoder& PayloadEncoder::operator=(PayloadEncoder&&) noexcept = default;

std::expected<void, Mismatch> PayloadEncoder::encode(const schema::EventSchema& schema,
                                                     std::span<const InputValue> data,
                                                     const PayloadOptions& options,
                                                     ByteWriter& payload) {
    const Layout& layout = layouts_->of(schema, options.pointer_size);
    if (auto done = run_->encode(layout, data, options.missing); !done) {
        return done;
    }
    payload.bytes(run_->payload());
    return {};
}

void PayloadEncoder::forget() noexcept {
    *layouts_ = Layouts();
}

} // namespace etl::encode
