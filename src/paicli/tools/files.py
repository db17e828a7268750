"""The tools for files: read_file, write_file, list_dir."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from paicli.errors import ToolError
from paicli.llm.model import ToolSpec
from paicli.tools.content import Decoded, decoded, fitting, is_binary, lines_of
from paicli.tools.guard import Guard
from paicli.tools.text import encodable, path_text
from paicli.tools.tool import checked, nearest

MAX_CHARACTERS = 20_000
MAX_BYTES = 16 * 1024 * 1024
MAX_ENTRIES = 200


class ReadFile:
    """Reads a text file, or some of its lines; at most `MAX_CHARACTERS` at a time, and a marker says what was cut."""

    spec = ToolSpec(
        "read_file",
        f"Read a text file. At most {MAX_CHARACTERS} characters come back; a marker says what was cut and how to go on.",
        {
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": "The file, from the project's folder, or absolute."},
                "start_line": {"type": "integer", "minimum": 1, "description": "First line to read; 1 if left out."},
                "end_line": {"type": "integer", "minimum": 1, "description": "Last line to read; the end if left out."},
            },
            "required": ["path"],
            "additionalProperties": False,
        },
    )

    def __init__(self, guard: Guard) -> None:
        self._guard = guard

    def run(self, arguments: Mapping[str, Any]) -> str:
        """Returns the text as it is in the file; lines in brackets around it are markers."""
        given = checked(self.spec, arguments)
        path = self._guard.path(self.spec.name, "read", given["path"])
        name = self._guard.shown(path)
        content, unread = _content(path, name)
        lines = lines_of(content.text)
        first, last = given.get("start_line", 1), min(given.get("end_line", len(lines)), len(lines))
        if not lines:
            return "[the file is empty]"
        if first > last:
            raise ToolError(
                reason=f"'{name}' has {len(lines)} lines; there are none from start_line={first} "
                f"to end_line={given.get('end_line', last)}."
            )
        notes = [content.note] if content.note else []
        if (first, last) != (1, len(lines)):
            notes.append(f"lines {first} to {last} of {len(lines)}")
        return "".join(f"[{note}]\n" for note in notes) + _limited(lines, first, last) + unread


class WriteFile:
    """Writes a text file in one step: a reader sees the old content or the new, and a failure leaves the old."""

    spec = ToolSpec(
        "write_file",
        "Write a text file (UTF-8). It replaces the whole file; missing folders are made.",
        {
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": "The file, from the project's folder, or absolute."},
                "content": {"type": "string", "description": "The file's whole new text."},
            },
            "required": ["path", "content"],
            "additionalProperties": False,
        },
    )

    def __init__(self, guard: Guard) -> None:
        self._guard = guard

    def run(self, arguments: Mapping[str, Any]) -> str:
        """Returns what was written where, in bytes."""
        given = checked(self.spec, arguments)
        path = self._guard.path(self.spec.name, "write", given["path"])
        name = self._guard.shown(path)
        before = _status(path, name)
        _refuse_unwritable(path, name, before)
        data = encodable(given["content"]).encode("utf-8")
        with _explained("write", name):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, data, mode=stat.S_IMODE(before.st_mode) if before else None)
        was = f"it had {before.st_size} bytes" if before else "a new file"
        return f"Wrote {len(data)} bytes to {name} ({was})."


class ListDir:
    """Lists a folder, its own folders first; hidden entries are counted, and at most `MAX_ENTRIES` are named."""

    spec = ToolSpec(
        "list_dir",
        f"List a folder: folders end with '/', files have their size. At most {MAX_ENTRIES} entries.",
        {
            "type": "object",
            "properties": {
                "path": {"type": "string", "default": ".", "description": "The folder; '.' is the project's folder."},
                "show_hidden": {
                    "type": "boolean",
                    "default": False,
                    "description": "Whether names that begin with a dot are listed too.",
                },
            },
            "additionalProperties": False,
        },
    )

    def __init__(self, guard: Guard) -> None:
        self._guard = guard

    def run(self, arguments: Mapping[str, Any]) -> str:
        """Returns one line for each entry, then markers."""
        given = checked(self.spec, arguments)
        path = self._guard.path(self.spec.name, "list", given["path"] or ".")
        name = self._guard.shown(path)
        status = _existing(path, name)
        if not stat.S_ISDIR(status.st_mode):
            raise ToolError(reason=f"'{name}' is no folder; read it with read_file.")
        with _explained("list", name), os.scandir(path) as found:
            entries = sorted(found, key=lambda entry: (not _is_folder(entry), entry.name))
        listed = [entry for entry in entries if given["show_hidden"] or not entry.name.startswith(".")]
        lines = [_described(entry) for entry in listed[:MAX_ENTRIES]]
        if len(listed) > MAX_ENTRIES:
            lines.append(f"[{len(listed) - MAX_ENTRIES} more of {len(listed)} entries not shown]")
        if len(listed) < len(entries):
            lines.append(f"[{len(entries) - len(listed)} hidden not shown; show_hidden lists them]")
        return "\n".join(lines) or "[the folder is empty]"


def write_atomically(path: Path, data: bytes, *, mode: int | None = None) -> None:
    """Puts the data in the place of the file, by a file beside it that is renamed when all of it is on disk.

    Args:
        path: A real path: a symbolic link would be replaced, not followed.
        data: The whole new content.
        mode: Permissions; None for those the user's umask gives a new file.

    Raises:
        OSError: Nothing has changed.
    """
    temporary = path.parent / f".paicli-{secrets.token_hex(8)}.tmp"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            temporary.chmod(mode)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _content(path: Path, name: str) -> tuple[Decoded, str]:
    """Returns the file's text and a marker for what lies beyond `MAX_BYTES`."""
    status = _existing(path, name)
    if stat.S_ISDIR(status.st_mode):
        raise ToolError(reason=f"'{name}' is a folder; list it with list_dir.")
    if not stat.S_ISREG(status.st_mode):
        raise ToolError(reason=f"'{name}' is no regular file but a device, a pipe or a socket; it can't be read.")
    with _explained("read", name), path.open("rb") as file:
        data = file.read(MAX_BYTES)
    if is_binary(data):
        raise ToolError(reason=f"'{name}' is a binary file of {status.st_size} bytes, no text; it can't be shown.")
    beyond = max(0, status.st_size - len(data)) if len(data) == MAX_BYTES else 0
    marker = f"\n[only the first {MAX_BYTES} bytes were looked at; {beyond} bytes follow]" if beyond else ""
    return decoded(data, complete=not beyond), marker


def _limited(lines: list[str], first: int, last: int) -> str:
    """Returns the lines from `first` to `last`, both counted from 1, or as many as fit and a marker."""
    wanted = lines[first - 1 : last]
    count = fitting(wanted, MAX_CHARACTERS)
    if count == len(wanted):
        return "".join(wanted)
    text = "".join(wanted[:count]) or wanted[0][:MAX_CHARACTERS]
    left_out = sum(map(len, wanted)) - len(text)
    if not count:
        return f"{text}\n[cut inside line {first}: {left_out} more characters not shown]"
    return f"{text}[cut: {left_out} more characters not shown; read on with start_line={first + count}]"


def _status(path: Path, name: str) -> os.stat_result | None:
    """Returns what is known about the file; None where there is none."""
    with _explained("look at", name):
        try:
            return path.stat()
        except FileNotFoundError:
            return None


def _existing(path: Path, name: str) -> os.stat_result:
    status = _status(path, name)
    if status:
        return status
    try:
        alike = nearest(path.name, [sibling.name for sibling in path.parent.iterdir()])
    except OSError:
        raise ToolError(reason=f"'{name}' does not exist, nor does the folder it would be in.") from None
    hint = f"Did you mean '{path_text(Path(alike))}'?" if alike else "list_dir shows what is there."
    raise ToolError(reason=f"'{name}' does not exist. {hint}")


def _refuse_unwritable(path: Path, name: str, status: os.stat_result | None) -> None:
    if status is None:
        return
    if not stat.S_ISREG(status.st_mode):
        kind = "a folder" if stat.S_ISDIR(status.st_mode) else "a device, a pipe or a socket"
        raise ToolError(reason=f"'{name}' is {kind}; nothing was written. Give the path of a file.")
    if not os.access(path, os.W_OK):  # renaming over it would work, and would be wrong
        raise ToolError(reason=f"'{name}' is write-protected; nothing was written.")


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads to itself
        return False


def _described(entry: os.DirEntry[str]) -> str:
    name = path_text(Path(entry.name))
    try:
        if entry.is_symlink():
            return f"{name} -> {path_text(Path(entry.path).readlink())}"
        return f"{name}/" if entry.is_dir() else f"{name} ({entry.stat().st_size} bytes)"
    except OSError:
        return f"{name} (unreadable)"


@contextmanager
def _explained(verb: str, name: str) -> Iterator[None]:
    """Turns an error of the system into one that names the file."""
    try:
        yield
    except OSError as error:
        raise ToolError(reason=f"Can't {verb} '{name}': {error.strerror or error}.") from error
