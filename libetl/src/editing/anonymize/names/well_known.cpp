#include "anonymize/names/well_known.hpp"

#include "anonymize/names/units.hpp"

#include <algorithm>
#include <array>

namespace etl::anonymize::words {

namespace {

// Registry keys and values that every Windows has, sorted, in lower case.

constexpr auto keys = std::to_array<Text>({
    u"(default)",
    u".default",
    u"activecomputername",
    u"adapters",
    u"appid",
    u"autologger",
    u"class",
    u"classes",
    u"clsid",
    u"command",
    u"computername",
    u"control",
    u"controlset001",
    u"controlset002",
    u"cryptography",
    u"currentcontrolset",
    u"currentversion",
    u"dependonservice",
    u"description",
    u"device parameters",
    u"deviceclasses",
    u"displayname",
    u"enum",
    u"environment",
    u"errorcontrol",
    u"explorer",
    u"group",
    u"group policy",
    u"hardware",
    u"hardware profiles",
    u"hkcr",
    u"hkcu",
    u"hkey_classes_root",
    u"hkey_current_config",
    u"hkey_current_user",
    u"hkey_local_machine",
    u"hkey_users",
    u"hklm",
    u"hku",
    u"image file execution options",
    u"imagepath",
    u"inprocserver32",
    u"instances",
    u"interface",
    u"interfaces",
    u"internet explorer",
    u"internet settings",
    u"linkage",
    u"localserver32",
    u"lsa",
    u"machine",
    u"microsoft",
    u"nls",
    u"objectname",
    u"oid",
    u"open",
    u"parameters",
    u"policies",
    u"print",
    u"printers",
    u"profilelist",
    u"progid",
    u"registry",
    u"run",
    u"runonce",
    u"sam",
    u"security",
    u"servicedll",
    u"services",
    u"session manager",
    u"setup",
    u"shell",
    u"shell folders",
    u"software",
    u"start",
    u"system",
    u"tag",
    u"tcpip",
    u"terminal server",
    u"timezoneinformation",
    u"tracing",
    u"type",
    u"typelib",
    u"uninstall",
    u"user",
    u"user shell folders",
    u"windows",
    u"windows nt",
    u"winlogon",
    u"wmi",
    u"wow6432node",
});

// The lists of words that well_known.cpp asks, in lower case.

constexpr auto accounts = std::to_array<Text>({
    u"account",
    u"admin",
    u"administrator",
    u"administrators",
    u"all users",
    u"anonymous",
    u"anonymous logon",
    u"authority",
    u"builtin",
    u"default",
    u"default user",
    u"defaultaccount",
    u"domain",
    u"everyone",
    u"false",
    u"font driver host",
    u"guest",
    u"host",
    u"iis apppool",
    u"iusr",
    u"local",
    u"local service",
    u"local system",
    u"localservice",
    u"localsystem",
    u"machine",
    u"n/a",
    u"name",
    u"network",
    u"network service",
    u"networkservice",
    u"none",
    u"nt authority",
    u"nt service",
    u"null",
    u"public",
    u"remote",
    u"root",
    u"service",
    u"system",
    u"trustedinstaller",
    u"true",
    u"unknown",
    u"user",
    u"users",
    u"wdagutilityaccount",
    u"window manager",
    u"windows",
});

constexpr auto hosts = std::to_array<Text>({
    u"authority", u"builtin",      u"com",        u"computer",  u"domain", u"host",
    u"lan",       u"local",        u"localhost",  u"machine",   u"n/a",    u"net",
    u"none",      u"nt authority", u"nt service", u"null",      u"org",    u"pipe",
    u"server",    u"unknown",      u"windows",    u"workgroup", u"www",
});

constexpr auto profiles = std::to_array<Text>({
    u"all users",
    u"default",
    u"default user",
    u"defaultapppool",
    u"localservice",
    u"networkservice",
    u"public",
    u"systemprofile",
});

constexpr auto folders = std::to_array<Text>({
    u"appdata",
    u"application data",
    u"apppatch",
    u"assembly",
    u"bin",
    u"common files",
    u"config",
    u"cookies",
    u"desktop",
    u"documents",
    u"documents and settings",
    u"downloads",
    u"drivers",
    u"driverstore",
    u"favorites",
    u"inetsrv",
    u"local",
    u"local settings",
    u"locallow",
    u"microsoft",
    u"microsoft shared",
    u"microsoft.net",
    u"music",
    u"my documents",
    u"packages",
    u"perflogs",
    u"pictures",
    u"program files",
    u"program files (arm)",
    u"program files (x86)",
    u"programdata",
    u"programs",
    u"public",
    u"recovery",
    u"registry",
    u"roaming",
    u"start menu",
    u"startup",
    u"system",
    u"system volume information",
    u"system32",
    u"syswow64",
    u"temp",
    u"temporary internet files",
    u"tmp",
    u"users",
    u"videos",
    u"windows",
    u"windowsapps",
    u"winsxs",
    u"$recycle.bin",
});

constexpr auto placeholders = std::to_array<Text>({
    u"",
    u"about:blank",
    u"n/a",
    u"none",
    u"not available",
    u"null",
    u"undefined",
    u"unknown",
});

constexpr auto common_words = std::to_array<Text>({
    u"access",    u"application",   u"backup",  u"build",     u"client",   u"command", u"data",
    u"debug",     u"demo",          u"desktop", u"developer", u"device",   u"disk",    u"driver",
    u"error",     u"event",         u"file",    u"home",      u"image",    u"info",    u"install",
    u"intel",     u"kernel",        u"lab",     u"log",       u"manager",  u"master",  u"memory",
    u"microsoft", u"microsoft.com", u"new",     u"office",    u"operator", u"owner",   u"process",
    u"program",   u"release",       u"sample",  u"security",  u"session",  u"setup",   u"shared",
    u"start",     u"state",         u"stop",    u"support",   u"task",     u"temp",    u"test",
    u"tester",    u"testing",       u"text",    u"thread",    u"time",     u"tmp",     u"trace",
    u"type",      u"update",        u"value",   u"vagrant",   u"version",  u"warning", u"web",
    u"work",
});

constexpr auto devices = std::to_array<Text>({
    u"??",
    u"device",
    u"dosdevices",
    u"globalroot",
    u"global??",
    u"bootdevice",
    u"mup",
    u"namedpipe",
    u"lanmanredirector",
    u"unc",
    u"vmsmb",
    u"webdavredirector",
    u"harddiskvolume",
    u"harddisk",
    u"harddiskvolumeshadowcopy",
    u"partition",
    u"cdrom",
    u"dr",
    u"systempartition",
    u"driverstores",
    u"ramdisk",
});

constexpr auto files = std::to_array<Text>({
    u"advapi32",
    u"applicationframehost",
    u"audiodg",
    u"backgroundtaskhost",
    u"clr",
    u"clrjit",
    u"cmd",
    u"combase",
    u"conhost",
    u"consent",
    u"coreclr",
    u"csrss",
    u"ctfmon",
    u"dllhost",
    u"dwm",
    u"explorer",
    u"fontdrvhost",
    u"gdi32",
    u"hal",
    u"idle",
    u"iexplore",
    u"kernel32",
    u"kernelbase",
    u"logonui",
    u"lsaiso",
    u"lsass",
    u"lsm",
    u"memcompression",
    u"memory compression",
    u"mmc",
    u"mscorlib",
    u"msiexec",
    u"msmpeng",
    u"msvcrt",
    u"notepad",
    u"ntdll",
    u"ntkrnlmp",
    u"ntoskrnl",
    u"ole32",
    u"powershell",
    u"rdpclip",
    u"registry",
    u"rpcrt4",
    u"rundll32",
    u"runtimebroker",
    u"searchindexer",
    u"searchui",
    u"secure system",
    u"securityhealthsystray",
    u"services",
    u"sihost",
    u"smss",
    u"spoolsv",
    u"startmenuexperiencehost",
    u"svchost",
    u"system",
    u"taskeng",
    u"taskhost",
    u"taskhostex",
    u"taskhostw",
    u"taskmgr",
    u"tiworker",
    u"trustedinstaller",
    u"ucrtbase",
    u"unknown",
    u"user32",
    u"userinit",
    u"vmcompute",
    u"vmwp",
    u"w3wp",
    u"werfault",
    u"win32k",
    u"wininit",
    u"winlogon",
    u"wmiprvse",
    u"wow64",
    u"wow64cpu",
    u"wow64win",
    u"wowexec",
    u"wscript",
    u"wudfhost",
});

constexpr auto extensions = std::to_array<Text>({
    u".7z",     u".acm",   u".asp",  u".aspx", u".avi", u".ax",   u".bak",    u".bat",  u".bin",
    u".blf",    u".bmp",   u".c",    u".cab",  u".cat", u".cer",  u".chk",    u".cmd",  u".com",
    u".config", u".cpl",   u".cpp",  u".cs",   u".css", u".csv",  u".cxx",    u".dat",  u".db",
    u".dll",    u".dmp",   u".doc",  u".docx", u".drv", u".efi",  u".etl",    u".evtx", u".exe",
    u".gif",    u".gz",    u".h",    u".hpp",  u".htm", u".html", u".ico",    u".inf",  u".ini",
    u".jar",    u".java",  u".jpeg", u".jpg",  u".js",  u".json", u".kext",   u".lnk",  u".log",
    u".lib",    u".man",   u".md",   u".mof",  u".mp3", u".mp4",  u".msi",    u".msu",  u".mui",
    u".nls",    u".obj",   u".ocx",  u".ost",  u".pak", u".pdb",  u".pdf",    u".pf",   u".php",
    u".pkg",    u".png",   u".ppt",  u".pptx", u".ps1", u".pst",  u".py",     u".rar",  u".reg",
    u".res",    u".rtf",   u".scr",  u".sdb",  u".so",  u".sql",  u".sqlite", u".svg",  u".sys",
    u".tar",    u".tmp",   u".ttf",  u".txt",  u".url", u".vbs",  u".vhd",    u".vhdx", u".wav",
    u".wim",    u".winmd", u".wma",  u".wmv",  u".xls", u".xlsx", u".xml",    u".xpi",  u".xps",
    u".yaml",   u".yml",   u".zip",  u".zst",
});

} // namespace

} // namespace etl::anonymize::words

namespace etl::anonymize {

namespace {

// Longer than every word of the lists.
constexpr std::size_t max_known = 40;

// A list is short, and few words have the length and the first letter of an entry.
template <std::size_t N>
bool contains(const std::array<Text, N>& words, Text word) noexcept {
    return word.size() <= max_known &&
           std::ranges::any_of(words, [word](Text known) { return equals_folded(word, known); });
}

Text without_number(Text name) noexcept {
    while (!name.empty() && is_digit(name.back())) {
        name.remove_suffix(1);
    }
    return name;
}

} // namespace

bool is_well_known_account(Text name) noexcept {
    const bool is_session = name.size() > 4 && (equals_folded(name.substr(0, 4), u"dwm-") ||
                                                equals_folded(name.substr(0, 4), u"umfd"));
    return is_session || contains(words::accounts, name);
}

bool is_well_known_host(Text name) noexcept {
    return contains(words::hosts, name);
}

bool is_shared_profile(Text name) noexcept {
    return contains(words::profiles, name);
}

namespace {

// `(null)`, `N/A`, `[multiple files]`.
bool is_word_for_nothing(Text value) noexcept {
    constexpr Text brackets = u"[]()<>{}";
    const bool is_bracketed = value.size() > 2 && value.size() <= max_known &&
                              (value.front() == u'[' || value.front() == u'(' ||
                               value.front() == u'<' || value.front() == u'{') &&
                              brackets.find(value.back()) == brackets.find(value.front()) + 1;
    if (!is_bracketed) {
        return contains(words::placeholders, value);
    }
    value = value.substr(1, value.size() - 2);
    return contains(words::placeholders, value) || equals_folded(value, u"multiple files");
}

} // namespace

bool is_placeholder(Text value) noexcept {
    return is_word_for_nothing(value) ||
           std::ranges::all_of(value, [](char16_t c) { return !is_wordy(c); });
}

bool says_nothing(Text value) noexcept {
    constexpr Text truths[] = {u"true", u"false", u"yes", u"no"};
    constexpr Text masks = u"xX*.-\u2022\u25CF ";
    constexpr std::size_t min_signs = 4; // fewer are `%s`, `?`, `{}`
    const auto is_mask = [&](char16_t c) { return masks.find(c) != Text::npos; };
    return is_word_for_nothing(value) ||
           std::ranges::any_of(truths, [&](Text truth) { return equals_folded(value, truth); }) ||
           std::ranges::all_of(value, is_mask) ||
           (value.size() < min_signs && is_placeholder(value));
}

bool is_common_word(Text name) noexcept {
    return contains(words::common_words, name);
}

bool is_well_known_folder(Text name) noexcept {
    return contains(words::folders, name);
}

bool is_well_known_key(Text name) noexcept {
    return contains(words::keys, name);
}

bool is_device_prefix(Text name) noexcept {
    constexpr Text volume = u"volume{";
    const bool is_volume =
        name.size() > volume.size() && equals_folded(name.substr(0, volume.size()), volume);
    return is_volume || contains(words::devices, without_number(name));
}

bool is_well_known_file(Text name) noexcept {
    const std::size_t end = extension_of(name);
    return contains(words::files, name.substr(0, end));
}

bool is_extension(Text name) noexcept {
    return contains(words::extensions, name);
}

std::size_t extension_of(Text name) noexcept {
    const std::size_t dot = name.rfind(u'.');
    return dot != Text::npos && dot > 0 && is_extension(name.substr(dot)) ? dot : name.size();
}

} // namespace etl::anonymize
