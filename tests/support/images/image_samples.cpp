#include "tests/support/images/image_builder.hpp"

namespace etl::test {

namespace {

// TDH_INTYPE_*, TDH_OUTTYPE_*
constexpr std::uint8_t unicode = 1, ansi = 2, u8 = 4, u16 = 6, u32 = 8, binary = 14, pointer = 16;
constexpr std::uint8_t out_string = 1, out_u8 = 4, out_u16 = 6, out_u32 = 8, out_hex64 = 19,
                       out_ipv6 = 24;

std::vector<ImageTemplate> sample_templates() {
    return {
        {.name = u"Arrival",
         .fields = {{.name = u"Train", .in = unicode, .out = out_string},
                    {.name = u"Platform", .in = u8, .out = out_u8, .map = u"Platform"},
                    {.name = u"Signals", .in = u32, .out = out_u32, .map = u"Signals"},
                    {.name = u"Handle", .in = pointer, .out = out_hex64}}},
        {.name = u"Load",
         .fields = {{.name = u"Count", .in = u16, .out = out_u16},
                    {.name = u"Weights", .in = u32, .out = out_u32, .count = {.field = u"Count"}},
                    {.name = u"Axles", .in = u8, .out = out_u8, .count = {.number = 3}},
                    {.name = u"Size", .in = u32, .out = out_u32},
                    {.name = u"Blob", .in = binary, .length = {.field = u"Size"}},
                    {.name = u"Code", .in = ansi, .out = out_string, .length = {.number = 4}},
                    {.name = u"Address", .in = binary, .out = out_ipv6}}},
        {.name = u"Consist",
         .fields = {{.name = u"Cars", .in = u8, .out = out_u8},
                    {.name = u"Car",
                     .count = {.field = u"Cars"},
                     .members = {{.name = u"Number", .in = u16, .out = out_u16},
                                 {.name = u"Seats", .in = u8, .out = out_u8},
                                 {.name = u"Taken",
                                  .in = u16,
                                  .out = out_u16,
                                  .count = {.field = u"Seats"}}}},
                    {.name = u"Driver", .in = unicode, .out = out_string},
                    {.name = u"Brakes",
                     .count = {.number = 2},
                     .members = {{.name = u"Pressure", .in = u32, .out = out_u32}}}}},
        {.name = u"Notice",
         .fields = {{.name = u"Text", .in = unicode, .out = out_string},
                    {.name = u"Line", .in = u32, .out = out_u32}},
         .user_data = {{.name = u"Notice",
                        .attributes = {{u"xmlns", u"urn:example:signal-box"}, {u"line", u"L%2"}},
                        .children = {{.name = u"Text", .text = u"%1"},
                                     {.name = u"Source", .text = u"box < & tower"},
                                     {.name = u"Empty"}}}}},
        {.name = u"Nothing"},
    };
}

} // namespace

ImageProvider sample_provider() {
    return {
        .guid = *parse_guid("b1c0de00-5a1b-4d0e-8f10-0a0b0c0d0e0f"),
        .name = u"Example-SignalBox-Compiled",
        .display_name = u"Signal box (compiled)",
        .channels = {{.number = 8, .name = u"System", .imported = true},
                     {.number = 16,
                      .name = u"Example-SignalBox/Operational",
                      .message = u"Operational"}},
        .levels = {{.number = 2, .name = u"win:Error", .message = u"Failure"},
                   {.number = 4, .name = u"win:Informational"},
                   {.number = 17, .name = u"Chatter"}},
        .tasks = {{.number = 1, .name = u"Arrival", .message = u"A train comes in"},
                  {.number = 2, .name = u"Maintenance"}},
        .opcodes = {{.number = 1, .name = u"win:Start"},
                    {.number = 11, .name = u"Inspect"},
                    {.number = 11, .name = u"Oil", .task = 2}},
        .keywords = {{.number = 0x1, .name = u"Passengers", .message = u"People"},
                     {.number = 0x20, .name = u"Freight"},
                     {.number = 0x0001000000000000, .name = u"win:ResponseTime"}},
        .maps = {{.name = u"Platform", .entries = {{1, u"North"}, {2, u"South"}}},
                 {.name = u"Signals",
                  .of_bits = true,
                  .entries = {{1, u"Red"}, {2, u"Yellow"}, {4, u"Green"}}}},
        .templates = sample_templates(),
        .events =
            {{.id = 1,
              .channel = 16,
              .level = 4,
              .opcode = 1,
              .task = 1,
              .keyword = 0x8000000000000001,
              .payload = u"Arrival",
              .message = u"%1 comes in on %2"},
             {.id = 2, .version = 1, .channel = 8, .level = 2, .opcode = 11, .payload = u"Load"},
             {.id = 3,
              .level = 17,
              .opcode = 11,
              .task = 2,
              .keyword = 0x21,
              .payload = u"Consist",
              .message = u"%2 of %1 cars"},
             {.id = 4, .level = 4, .payload = u"Notice", .message = u"Notice: %1"},
             {.id = 5, .level = 4, .opcode = 2, .payload = u"Nothing"},
             {.id = 6, .level = 1}},
    };
}

} // namespace etl::test
