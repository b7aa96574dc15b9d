// A provider of invented events, values of its own, and how they are shown.
#pragma once

#include <etl/provider.hpp>

#include "tests/unit/sessions/provider/decoded.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace etl::provider {

struct Ingredient {
    std::string name;
    std::uint32_t grams = 0;
};

struct Order {
    std::uint32_t id = 0;
    std::vector<Ingredient> ingredients;
};

template <>
struct Wire<Ingredient>
    : Structure<Ingredient, Member<"Name", &Ingredient::name>,
                Member<"Grams", [](const Ingredient& i) { return Hex{i.grams}; }>> {};

template <>
struct Wire<Order> : Structure<Order, Member<"Id", &Order::id>,
                               Member<"Ingredients", &Order::ingredients, 0x0FE00000>> {};

inline const Provider& coffee() {
    static const Provider provider("MyCompany.Coffee");
    return provider;
}

/// How a value is shown as the only field of an event.
template <typename T>
std::string shown(const T& value) {
    SelfDescribingEvent event(coffee(), "Event");
    event.add("V", value);
    return data_of(event.record({}));
}

} // namespace etl::provider
