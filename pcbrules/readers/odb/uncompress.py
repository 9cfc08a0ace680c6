# SPDX-License-Identifier: MIT
"""Files packed by `compress` (``.Z``): Lempel-Ziv-Welch with codes of 9 to 16 bits, in groups of eight codes."""

from __future__ import annotations

MAGIC = b"\x1f\x9d"

CLEAR = 256
"""Code that empties the table, of files that use it."""


def uncompress(data: bytes, limit: int) -> bytes | None:
    """The content, at most `limit` bytes and a string more. None where the data are damaged."""
    if len(data) < 3 or data[:2] != MAGIC or not 9 <= data[2] & 31 <= 16:
        return None
    most, first_free = data[2] & 31, 257 if data[2] & 128 else 256
    start = [bytes([one]) for one in range(256)] + [b""] * (first_free - 256)
    table = start.copy()
    bits, at, group, end = 9, 24, 24, len(data) * 8
    found: list[bytes] = []
    size, before = 0, b""
    while at + bits <= end and size <= limit:
        code = int.from_bytes(data[at >> 3 : (at >> 3) + 4], "little") >> (at & 7) & (1 << bits) - 1
        at += bits
        if code == CLEAR and first_free == 257:
            at = group + -(-(at - group) // (8 * bits)) * 8 * bits
            table, bits, before, group = start.copy(), 9, b"", at
            continue
        if code < len(table):
            text = table[code]
        elif code == len(table) and before:
            text = before + before[:1]
        else:
            return None
        found.append(text)
        size += len(text)
        if before and len(table) < 1 << most:
            table.append(before + text[:1])
            if len(table) == 1 << bits and bits < most:
                at = group + -(-(at - group) // (8 * bits)) * 8 * bits
                bits, group = bits + 1, at
        before = text
    return b"".join(found)
