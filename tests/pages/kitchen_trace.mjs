// Prints a trace with stacks as lines for `etl write`: a server of .NET, a page with scripts, and the kernel.
//   node kitchen_trace.mjs [later] | etl write - -o kitchen.etl
// `later`: the same program after a change, for comparisons. The numbers are reproducible.
const isLater = process.argv[2] === "later";

const start = 133_604_000_000_000_000n; // FILETIME
const classes = {
  Process: "3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c",
  Thread: "3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c",
  Image: "2cb15d1d-5fc1-11d2-abe1-00a0c911f518",
  PerfInfo: "ce1dbfb4-137e-4da6-87b0-3f59aa102cbc",
  StackWalk: "def2fe46-7bd6-4b80-bd94-f57fe20d0ce3",
};
const opcodes = { DCStart: 3, SampleProf: 46, Stack: 32 };
const imageBases = { "ntdll.dll": 0x7ff800000000n, "kernel32.dll": 0x7ff801000000n, "coreclr.dll": 0x7ff802000000n, "teahouse.exe": 0x140000000n };
const kernelBase = 0xfffff80000000000n;
const methodBase = 0x7ffd90000000n;

// Functions by name, with what they call; a number is the weight of the function itself. `k:` is in the kernel, `module!` in an
// image; others are methods.
const server = {
  "ntdll.dll!thread": {
    "kernel32.dll!thread": {
      "Tea.House.Program.Main": {
        "Tea.House.Server.AcceptOrders": {
          "Tea.Orders.OrderQueue.Take": { self: 30, "coreclr.dll!lock": { self: 25, "k:wait": 90 } },
          "Tea.Orders.OrderParser.Parse": {
            self: 60,
            "System.Text.Json.Utf8JsonReader.Read": { self: 190, "System.Buffers.Text.Utf8Parser.TryParse": 110 },
            "Tea.Orders.Order..ctor": { self: 25, "coreclr.dll!allocate": { self: 60, "coreclr.dll!collect": { self: 140, "k:fault": 60 } } },
          },
          "Tea.Kitchen.Kettle.Boil": {
            self: isLater ? 60 : 260,
            "Tea.Kitchen.Thermometer.Read": { self: isLater ? 40 : 170, "k:io": isLater ? 20 : 80 },
            "System.Math.Exp": isLater ? 30 : 210,
          },
          "Tea.Kitchen.Teapot.Steep": {
            self: 120,
            "Tea.Kitchen.Leaves.Weigh": { self: 80, "System.Double.Parse": isLater ? 260 : 70 },
            "Tea.Kitchen.Teapot.Pour": { self: 90, "System.IO.FileStream.Write": { self: 40, "k:io": 120 } },
          },
          "Tea.Ledger.Journal.Append": {
            self: 40,
            "System.IO.Compression.DeflateStream.Write": 310,
            "System.Security.Cryptography.SHA256.HashData": isLater ? 240 : 120,
          },
        },
        "Tea.House.Metrics.Publish": { self: 30, "System.String.Format": 60 },
      },
      "coreclr.dll!background": { "coreclr.dll!collect": { self: 260, "k:fault": 90 } },
    },
  },
};
const page = {
  "ntdll.dll!thread": {
    "kernel32.dll!thread": {
      "menu.js!onScroll": { self: 20, "menu.js!layoutCards": { self: 160, "menu.js!measureText": 130 }, "menu.js!paintSteam": { self: 90, "menu.js!noise": 150 } },
      "menu.js!onOrder": { "menu.js!validate": 60, "menu.js!send": { self: 30, "k:network": 80 } },
    },
  },
};
const programs = [
  { name: "teahouse.exe", pid: 1200, tids: [1204, 1208], code: server },
  { name: "menu.exe", pid: 1300, tids: [1304], code: page },
];

let clock = start;
const lines = [];
let methods = 0n;
const addresses = new Map(); // by process and name

function line(record) {
  clock += 10n;
  lines.push(JSON.stringify({ time: timeText(clock), ...record }).replace(/"#(\d+)"/g, "$1"));
}

function timeText(filetime) {
  const unix = filetime - 116_444_736_000_000_000n;
  const seconds = new Date(Number(unix / 10_000n)).toISOString().slice(0, 19);
  return `${seconds}.${(unix % 10_000_000n).toString().padStart(7, "0")}Z`;
}

const hex = (number) => `0x${number.toString(16)}`;

function kernelEvent(event, data, more = {}) {
  const [group, type] = event.split("/");
  line({ provider_guid: classes[group], opcode: opcodes[type], event, data, ...more });
}

function addProcess({ name, pid, tids }) {
  const owner = { pid: 4, tid: 4, cpu: 0 };
  kernelEvent("Process/DCStart", { UniqueProcessKey: "0x0", ProcessId: pid, ParentId: 4, SessionId: 1, ExitStatus: 259, DirectoryTableBase: "0x0", Flags: "0x0", UserSID: null, ImageFileName: name, CommandLine: name, PackageFullName: "", ApplicationId: "" }, { version: 4, ...owner });
  for (const tid of tids) {
    kernelEvent("Thread/DCStart", { ProcessId: pid, TThreadId: tid, StackBase: "0x0", StackLimit: "0x0", UserStackBase: "0x0", UserStackLimit: "0x0", Affinity: "0x0", Win32StartAddr: "0x0", TebBase: "0x0", SubProcessTag: "0x0", BasePriority: 8, PagePriority: 5, IoPriority: 2, ThreadFlags: 0 }, { version: 3, ...owner });
  }
  for (const [image, base] of Object.entries(imageBases)) {
    addImage(pid, image, base);
  }
}

function addImage(pid, image, base) {
  kernelEvent("Image/DCStart", { ImageBase: hex(base), ImageSize: "0x800000", ProcessId: pid, ImageChecksum: 0, TimeDateStamp: 0, SignatureLevel: 0, SignatureType: 0, Reserved0: 0, DefaultBase: hex(base), Reserved1: 0, Reserved2: 0, Reserved3: 0, Reserved4: 0, FileName: `\\Device\\HarddiskVolume3\\Kitchen\\${image}` }, { version: 3, pid: 4, tid: 4, cpu: 0 });
}

function offsetOf(name) {
  let hash = 7n;
  for (const letter of name) {
    hash = (hash * 31n + BigInt(letter.charCodeAt(0))) % 0x7fff0n;
  }
  return hash * 16n;
}

function addMethod(pid, tid, name) {
  const address = methodBase + 0x1000n * ++methods;
  const owner = { pid, tid, cpu: 0 };
  if (name.includes("!")) {
    const [, method] = name.split("!");
    line({ provider: "Microsoft-JScript", id: 9, version: 0, data: { ScriptContextID: "0xc0", MethodStartAddress: hex(address), MethodSize: 4096, MethodID: Number(methods), MethodFlags: 0, MethodAddressRangeID: 1, SourceID: 77, Line: 12 * Number(methods), Column: 1, MethodName: method }, ...owner });
    return address;
  }
  const at = name.lastIndexOf(".", name.endsWith("..ctor") ? name.length - 6 : name.length);
  const module = name.startsWith("System.") ? "0x7ffd80002000" : "0x7ffd80001000";
  line({ provider: "Microsoft-Windows-DotNETRuntime", id: 143, version: 2, data: { MethodID: hex(methods), ModuleID: module, MethodStartAddress: hex(address), MethodSize: "0x1000", MethodToken: "0x6000001", MethodFlags: "Jitted", MethodNamespace: name.slice(0, at), MethodName: name.slice(at + 1), MethodSignature: "instance void  ()", ClrInstanceID: 9, ReJITID: "0x0" }, ...owner });
  return address;
}

function addressOf(program, name) {
  const key = `${program.pid} ${name}`;
  if (!addresses.has(key)) {
    const [module, rest] = name.split("!");
    const address = name.startsWith("k:")
      ? kernelBase + 0x100000n + offsetOf(name)
      : imageBases[module]
        ? imageBases[module] + offsetOf(rest) + 0x1000n
        : addMethod(program.pid, program.tids[0], name);
    addresses.set(key, address);
  }
  return addresses.get(key);
}

function addSample(program, tid, path) {
  const frames = [...path].reverse().map((name) => [name, addressOf(program, name)]);
  const kernel = frames.filter(([name]) => name.startsWith("k:")).map(([, address]) => address);
  const user = frames.filter(([name]) => !name.startsWith("k:")).map(([, address]) => address);
  const leaf = kernel[0] ?? user[0];
  clock += 9_970n;
  const cpu = tid % 3;
  kernelEvent("PerfInfo/SampleProf", { InstructionPointer: hex(leaf), ThreadId: tid, Count: 1, Reserved: 0 }, { version: 2, cpu });
  const time = `#${clock}`; // more digits than a number of JavaScript has
  const stack = (addressesOf) => kernelEvent("StackWalk/Stack", { EventTimeStamp: time, StackProcess: hex(program.pid), StackThread: tid, Stack: addressesOf.map(hex) }, { version: 2, cpu });
  if (lines.length % 61 !== 0) {
    if (kernel.length > 0) {
      stack(kernel);
    }
    stack(lines.length % 53 === 0 ? user.slice(0, -3) : user);
  }
}

/** Calls `visit` with the path and the weight of each function that has a weight of its own. */
function walk(code, path, visit) {
  for (const [name, callees] of Object.entries(code)) {
    if (name === "self") {
      visit(path, callees);
    } else if (typeof callees === "number") {
      visit([...path, name], callees);
    } else {
      walk(callees, [...path, name], visit);
    }
  }
}

addImage(0, "ntoskrnl.exe", kernelBase);
programs.forEach(addProcess);
line({ provider: "Microsoft-Windows-DotNETRuntime", id: 152, version: 1, data: { ModuleID: "0x7ffd80001000", AssemblyID: "0x8000", ModuleFlags: "Manifest", Reserved1: 0, ModuleILPath: "C:\\Kitchen\\teahouse.dll", ModuleNativePath: "", ClrInstanceID: 9 }, pid: 1200, tid: 1204, cpu: 0 });
line({ provider: "Microsoft-Windows-DotNETRuntime", id: 152, version: 1, data: { ModuleID: "0x7ffd80002000", AssemblyID: "0x8001", ModuleFlags: "Manifest", Reserved1: 0, ModuleILPath: "C:\\Kitchen\\System.Private.CoreLib.dll", ModuleNativePath: "", ClrInstanceID: 9 }, pid: 1200, tid: 1204, cpu: 0 });
line({ provider: "Microsoft-JScript", id: 41, version: 0, data: { SourceID: 77, ScriptContextID: "0xc0", SourceFlags: 0, Url: "https://kitchen.example/menu.js" }, pid: 1300, tid: 1304, cpu: 0 });
for (const program of programs) {
  walk(program.code, [], (path) => path.forEach((name) => addressOf(program, name)));
  walk(program.code, [], (path, weight) => {
    for (let i = 0; i < weight / 4; ++i) {
      addSample(program, program.tids[i % program.tids.length], path);
    }
  });
}
process.stdout.write(`${lines.join("\n")}\n`);
