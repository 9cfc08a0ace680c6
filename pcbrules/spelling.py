# SPDX-License-Identifier: MIT
"""Which known name a misspelt one stands for.

A message may propose one name as the cure only where the two are one word, spelled differently: by case, blanks,
punctuation and zeros before a number, or by one slip of the fingers in letters while all digits are equal. Names that
differ in a digit or in the letters of a grade (megtron7n and megtron7ge, L4 and L14) are different things: they are
listed, never proposed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from functools import lru_cache

LONGEST = 60  # characters of a word that are looked at
FEWEST = 4  # letters of a run in which one letter may be missing or added
SWAPPED = 3  # letters of a run in which two neighbours may have changed places, or one may be doubled
REPLACED = 6  # letters of a run in which one may be another one
ALIKE = 0.6  # share of two words that must agree for one to be listed
MANY = 1000  # known names that are compared; beyond them nobody reads a list

_BETWEEN = re.compile(r"[^a-z0-9+.]+|(?<![0-9])\.|\.(?![0-9])")
_GREEK = str.maketrans({"\u03b5": "epsilon", "\u03b4": "delta", "\u03c1": "rho", "\u03c3": "sigma"})
_RUN = re.compile(r"[a-z]+|[0-9.]+|\+")


def fold(name: str) -> str:
    """Return a name without case, blanks and punctuation; ``+`` and a decimal point count."""
    return _BETWEEN.sub("", name.casefold())


def same_name(word: str, known: Iterable[str]) -> str:
    """Return the one known name of which ``word`` is another spelling; empty if there is none, or more than one.

    >>> same_name("MEGTRON-6", ["megtron6", "megtron7n"]), same_name("L14", ["L4", "L12"])
    ('megtron6', '')
    """
    near = near_names(word, known)
    return near[0] if len(near) == 1 and is_variant(word, near[0]) else ""


def near_names(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return the known names that ``word`` may be a slip of: equal but for punctuation, else one character off."""
    names = dict.fromkeys(known)
    folded = fold(word[: LONGEST + 1])
    if not folded or len(word) > LONGEST or len(names) > MANY:
        return ()
    same = tuple(name for name in names if fold(name) == folded) or tuple(
        name for name in names if _unpadded(fold(name)) == _unpadded(folded))
    return same or tuple(name for name in names if _one_step(folded, fold(name)))


def is_variant(word: str, name: str) -> bool:
    """True if two near names are one word: they differ in punctuation, or in letters of one run that is long enough."""
    if _unpadded(fold(word)) == _unpadded(fold(name)):
        return True
    mine, its = (_RUN.findall(_BETWEEN.sub(" ", text.casefold())) for text in (word, name))
    if len(mine) != len(its):
        return False
    differ = [(a, b) for a, b in zip(mine, its, strict=True) if a != b]
    if len(differ) != 1 or not all(part.isalpha() for part in differ[0]):
        return False
    wrong, right = differ[0]
    if sorted(wrong) == sorted(right) or _undoubled(wrong) == _undoubled(right):
        return len(right) >= SWAPPED
    return len(right) >= (REPLACED if len(wrong) == len(right) else FEWEST)


def as_name(text: str) -> str:
    """Return a text as a name: ``-`` for what no name holds; empty if nothing is left.

    >>> as_name("RTF foil"), as_name("(2)")
    ('RTF-foil', '2')
    """
    return re.sub(r"[^A-Za-z0-9_+.]+", "-", text[:LONGEST]).strip("-.+")


def look_alikes(word: str, known: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """Return known names that look like ``word``, the most similar first: for a list of choices, never as a cure."""
    look = SequenceMatcher(b=fold(word[:LONGEST]), autojunk=False)
    found: list[tuple[float, str]] = []
    for name in list(dict.fromkeys(known))[:MANY]:
        look.set_seq1(fold(name[:LONGEST]))
        if look.real_quick_ratio() >= ALIKE and look.quick_ratio() >= ALIKE and look.ratio() >= ALIKE:
            found.append((look.ratio(), name))
    return tuple(name for _, name in sorted(found, key=lambda one: -one[0])[:most])


def cure(word: str, known: Iterable[str], verb: str = "write") -> str:
    """Return ``write 'name'`` where ``word`` is another spelling of one known name; empty otherwise."""
    name = same_name(word, known)
    return f"{verb} '{name}'" if name else ""


def stands_for(word: str, table: Mapping[str, str]) -> str:
    """Return the key of ``table`` among whose words (parted by blanks) ``word`` is; empty if it is among none."""
    return next(iter(names_for(word, table)), "")


def names_for(word: str, table: Mapping[str, str]) -> tuple[str, ...]:
    """Return the keys of ``table`` among whose words (parted by blanks) ``word`` is, in their order."""
    folded = fold(word[: LONGEST + 1].translate(_GREEK))
    return tuple(key for key, words in table.items() if folded and folded in _folded(words))


@lru_cache(maxsize=2000)
def _folded(words: str) -> frozenset[str]:
    return frozenset(map(fold, words.split()))


def holds(name: str, part: str) -> bool:
    """True if a name holds a part of a name and no number is cut: `fr4` is in `FR-4 core`, but not in `fr408hr`."""
    whole, piece = _joined(name), _joined(part)
    if not piece:
        return False
    first, last = r"(?<![0-9.])" if piece[0].isdigit() else "", r"(?![0-9])" if piece[-1].isdigit() else ""
    return re.search(first + re.escape(piece) + last, whole) is not None


def _joined(name: str) -> str:
    """A folded name in which two numbers that punctuation parts stay apart: `s1000 2m`."""
    parts = re.split(r"(?<=[0-9])[^a-z0-9+.]+(?=[0-9])", name.casefold())
    return " ".join(_BETWEEN.sub("", part) for part in parts)


def _one_step(word: str, name: str) -> bool:
    """True if one letter or digit more, less or other, or two neighbours changed, makes one of the other."""
    if abs(len(word) - len(name)) > 1:
        return False
    begin = _common(word, name)
    left, right = word[begin:], name[begin:]
    end = _common(left[::-1], right[::-1])
    return max(len(left), len(right)) - end <= 1 or (left[:2] == right[:2][::-1] and left[2:] == right[2:])


def _unpadded(text: str) -> str:
    """A folded name without zeros before its numbers: `sig3` for `sig003`."""
    return re.sub(r"(?<![0-9.])0+(?=[0-9])", "", text)


def _undoubled(text: str) -> str:
    return re.sub(r"(.)\1", r"\1", text)


def _common(one: str, other: str) -> int:
    """Number of equal characters at the beginning."""
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count
