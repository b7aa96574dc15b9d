#include "symbols/demangle/operators.hpp"

#include <array>
#include <cstddef>

namespace etl::symbols {
namespace {

using enum OperatorKind;
using OperatorTable = std::array<OperatorCode, 36>; // by digit, then by letter

constexpr OperatorTable single_codes{{
    {constructor, ""},          {destructor, "~"},      {plain, "operator new"},
    {plain, "operator delete"}, {plain, "operator="},   {plain, "operator>>"},
    {plain, "operator<<"},      {plain, "operator!"},   {plain, "operator=="},
    {plain, "operator!="},      {plain, "operator[]"},  {conversion, "operator"},
    {plain, "operator->"},      {plain, "operator*"},   {plain, "operator++"},
    {plain, "operator--"},      {plain, "operator-"},   {plain, "operator+"},
    {plain, "operator&"},       {plain, "operator->*"}, {plain, "operator/"},
    {plain, "operator%"},       {plain, "operator<"},   {plain, "operator<="},
    {plain, "operator>"},       {plain, "operator>="},  {plain, "operator,"},
    {plain, "operator()"},      {plain, "operator~"},   {plain, "operator^"},
    {plain, "operator|"},       {plain, "operator&&"},  {plain, "operator||"},
    {plain, "operator*="},      {plain, "operator+="},  {plain, "operator-="},
}};

// After `_`.
constexpr OperatorTable second_codes{{
    {plain, "operator/="},
    {plain, "operator%="},
    {plain, "operator>>="},
    {plain, "operator<<="},
    {plain, "operator&="},
    {plain, "operator|="},
    {plain, "operator^="},
    {plain, "`vftable'"},
    {plain, "`vbtable'"},
    {plain, "`vcall'"},
    {plain, "`typeof'"},
    {plain, "`local static guard'"},
    {string, ""},
    {plain, "`vbase dtor'"},
    {plain, "`vector deleting dtor'"},
    {plain, "`default ctor closure'"},
    {plain, "`scalar deleting dtor'"},
    {plain, "`vector ctor iterator'"},
    {plain, "`vector dtor iterator'"},
    {plain, "`vector vbase ctor iterator'"},
    {plain, "`virtual displacement map'"},
    {plain, "`eh vector ctor iterator'"},
    {plain, "`eh vector dtor iterator'"},
    {plain, "`eh vector vbase ctor iterator'"},
    {plain, "`copy ctor closure'"},
    {returning, "`udt returning'"},
    {},
    {rtti, ""},
    {plain, "`local vftable'"},
    {plain, "`local vftable ctor closure'"},
    {plain, "operator new[]"},
    {plain, "operator delete[]"},
    {},
    {plain, "`placement delete closure'"},
    {plain, "`placement delete[] closure'"},
    {},
}};

// After `__`, from A on.
constexpr std::array<OperatorCode, 13> third_codes{{
    {plain, "`managed vector ctor iterator'"},
    {plain, "`managed vector dtor iterator'"},
    {plain, "`EH vector copy ctor iterator'"},
    {plain, "`EH vector vbase copy ctor iterator'"},
    {initializer, "`dynamic initializer for "},
    {initializer, "`dynamic atexit destructor for "},
    {plain, "`vector copy ctor iterator'"},
    {plain, "`vector vbase copy ctor iterator'"},
    {plain, "`managed vector vbase copy ctor iterator'"},
    {plain, "`local static thread guard'"},
    {literal, "operator \"\""},
    {plain, "operator co_await"},
    {plain, "operator<=>"},
}};

OperatorCode code_at(const OperatorTable& table, char c) noexcept {
    if (c >= '0' && c <= '9') {
        return table[static_cast<std::size_t>(c - '0')];
    }
    return c >= 'A' && c <= 'Z' ? table[static_cast<std::size_t>(c - 'A') + 10] : OperatorCode{};
}

} // namespace

OperatorCode take_operator(std::string_view& rest) noexcept {
    const std::size_t underscores = rest.starts_with("__") ? 2 : rest.starts_with("_") ? 1 : 0;
    if (rest.size() <= underscores) {
        return {};
    }
    const char c = rest[underscores];
    rest.remove_prefix(underscores + 1);
    if (underscores == 2) {
        return c >= 'A' && c <= 'M' ? third_codes[static_cast<std::size_t>(c - 'A')]
                                    : OperatorCode{};
    }
    return code_at(underscores == 1 ? second_codes : single_codes, c);
}

} // namespace etl::symbols
