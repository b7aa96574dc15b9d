"""A strict reader of pcapng, independent of libetl: raises ValueError on anything that the format does not allow."""
import ipaddress
import struct


def _options(body, at):
    options = []
    while at < len(body):
        code, size = struct.unpack_from("<HH", body, at)
        at += 4
        if code == 0:
            if size or at != len(body):
                raise ValueError("options end before their block")
            return options
        padded = size + 3 & ~3
        if at + padded > len(body) or any(body[at + size:at + padded]):
            raise ValueError("option %d" % code)
        options.append((code, body[at:at + size]))
        at += padded
    if options:
        raise ValueError("options without an end")
    return options


def read(data):
    """(interfaces, packets, counts of other blocks by type) of the bytes of a file."""
    interfaces, packets, others, at = [], [], {}, 0
    while at < len(data):
        kind, size = struct.unpack_from("<II", data, at)
        if size < 12 or size % 4 or at + size > len(data) or struct.unpack_from("<I", data, at + size - 4)[0] != size:
            raise ValueError("block at %d" % at)
        if (at == 0) != (kind == 0x0A0D0D0A):
            raise ValueError("section header out of place")
        body = data[at + 8:at + size - 4]
        if kind == 1:
            link, _, snap = struct.unpack_from("<HHI", body)
            listed = _options(body, 8)
            options = dict(listed)
            if options[9] != b"\x09":
                raise ValueError("times are not in nanoseconds")
            addresses = [str(ipaddress.ip_address(value[:4 if code == 4 else 16])) for code, value in listed if code in (4, 5)]
            interfaces.append(dict(link=link, name=options[2].decode(), snap=snap, description=options.get(3, b"").decode(),
                                   mac=options.get(6, b"").hex(), addresses=" ".join(addresses), filter=options.get(11, b"\0").decode()[1:]))
        elif kind == 6:
            interface, high, low, captured, original = struct.unpack_from("<IIIII", body)
            end = 20 + (captured + 3 & ~3)
            if interface >= len(interfaces) or captured > original or end > len(body) or any(body[20 + captured:end]):
                raise ValueError("packet at %d" % at)
            options = _options(body, end)
            flags = next((struct.unpack("<I", v)[0] for c, v in options if c == 2), 0)
            packets.append(dict(interface=interface, time=high << 32 | low, data=body[20:20 + captured], original=original, flags=flags,
                                options=options))
        else:
            others[kind] = others.get(kind, 0) + 1
            if kind == 0x0A0D0D0A:
                _options(body, 16)
            elif kind == 5:
                interface = interfaces[struct.unpack_from("<I", body)[0]]
                for code, value in _options(body, 12):
                    if code in (4, 7):
                        interface["received" if code == 4 else "dropped"] = struct.unpack("<Q", value)[0]
        at += size
    return interfaces, packets, others


def names(data):
    """(address, name) of the records of all name resolution blocks of a file that read() accepts."""
    found, at = [], 0
    while at < len(data):
        kind, size = struct.unpack_from("<II", data, at)
        record = at + 8
        while kind == 4:
            code, length = struct.unpack_from("<HH", data, record)
            if code == 0:
                break
            value = data[record + 4:record + 4 + length]
            split = 4 if code == 1 else 16
            found += [(str(ipaddress.ip_address(value[:split])), name.decode()) for name in value[split:].rstrip(b"\0").split(b"\0")]
            record += 4 + (length + 3 & ~3)
        at += size
    return found
