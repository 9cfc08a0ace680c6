# SPDX-License-Identifier: MIT
"""The archive: files by name, the same bytes for the same files, with the digest of all that counts.

Files are stored, not compressed: what a compressor makes hangs on its version. ``manifest.json`` lists every file with
its SHA-256 but itself and ``machine.json``, which tells of the machine and does not count.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any

from pcbrules.errors import InputError, Problem, clip, quoted

MANIFEST, MACHINE = "manifest.json", "machine.json"
FORMAT = 1
"""Version of the archive's form."""

DAY = (1980, 1, 1, 0, 0, 0)
"""Time of every file in the archive: the same on every run."""

MOST_BYTES, MOST_FILES = 500_000_000, 1000


def packed(files: Mapping[str, bytes], about: Mapping[str, Any], machine: Mapping[str, Any]) -> bytes:
    """Return the archive of some files, with a manifest that says what they are about."""
    hashes = {name: sha256(files[name]).hexdigest() for name in sorted(files)}
    manifest = {"format": FORMAT, **about, "files": hashes, "digest": _digest(hashes)}
    whole = {**files, MANIFEST: _json(manifest), MACHINE: _json(machine)}
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(whole):
            entry = zipfile.ZipInfo(name, DAY)
            entry.external_attr = 0o644 << 16
            entry.create_system = 3  # as on any system
            archive.writestr(entry, whole[name])
    return made.getvalue()


def unpacked(path: str) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return the manifest of an archive and its files.

    Raises
    ------
    InputError
        It is no such archive, it is too large, a name leads out of it, a file is not the one that was packed, or
        the digest is not that of the files.
    """
    try:
        if Path(path).stat().st_size > MOST_BYTES:
            raise _fault(path, "the archive is too large", f"{MOST_BYTES // 1_000_000} MB at most")
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            if len(entries) > MOST_FILES or sum(entry.file_size for entry in entries) > MOST_BYTES:
                raise _fault(path, "the archive holds too much", f"{MOST_FILES} files, {MOST_BYTES // 1_000_000} MB")
            for entry in entries:
                if not _inside(entry.filename):
                    raise _fault(path, "a name in the archive leads out of it", found=quoted(clip(entry.filename, 80)))
            files = {entry.filename: archive.read(entry) for entry in entries}
    except OSError as error:
        raise _fault(path, f"cannot be read: {error.strerror or error}") from None
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError) as error:
        raise _fault(path, f"is no archive that `pcbrules bundle` wrote: {clip(str(error), 100)}") from None
    manifest = _manifest(path, files.get(MANIFEST, b""))
    for name, value in manifest["files"].items():
        if sha256(files.get(name, b"")).hexdigest() != value:
            raise _fault(path, "a file is not the one that was packed", found=quoted(clip(str(name), 80)))
    if manifest.get("digest") != _digest(manifest["files"]):
        raise _fault(path, "the digest is not that of the files", found=quoted(clip(str(manifest.get("digest")), 80)))
    extra = files.keys() - manifest["files"].keys() - {MANIFEST, MACHINE}
    if extra:
        raise _fault(path, "holds a file that its manifest does not list", found=quoted(clip(min(extra), 80)))
    return manifest, files


def digest_of(archive: bytes) -> str:
    """Return the digest that the manifest of an archive holds."""
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return str(json.loads(opened.read(MANIFEST))["digest"])


def _digest(hashes: Mapping[str, str]) -> str:
    return sha256("".join(f"{hashes[name]}  {name}\n" for name in sorted(hashes)).encode()).hexdigest()


def _manifest(path: str, data: bytes) -> dict[str, Any]:
    try:
        tree = json.loads(data)
    except (ValueError, RecursionError):
        tree = None
    hashes = tree.get("files") if isinstance(tree, dict) else None
    if not isinstance(hashes, dict) or not all(isinstance(one, str) for one in hashes.values()):
        raise _fault(path, f"has no readable {MANIFEST}", "an archive that `pcbrules bundle` wrote")
    if tree.get("format") != FORMAT:
        raise _fault(path, "is of another version of the archive", str(FORMAT), found=quoted(tree.get("format")))
    return dict(tree)


def _inside(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return bool(parts) and not name.startswith("/") and ".." not in parts and "\\" not in name and ":" not in name


def _json(tree: Mapping[str, Any]) -> bytes:
    return (json.dumps(tree, indent=2, ensure_ascii=False) + "\n").encode()


def _fault(path: str, message: str, expected: str = "", *, found: str = "") -> InputError:
    return InputError([Problem(path, 0, 0, "", message, found=found, expected=expected)])
