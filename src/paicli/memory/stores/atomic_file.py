"""Files that are replaced as a whole or not at all, appended to durably, and private."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

PRIVATE_FILE = 0o600
PRIVATE_FOLDER = 0o700
Stamp = tuple[int, int, int]
"""Inode, time of change in nanoseconds, size: another version of a file has another stamp."""


def stamp(path: Path) -> Stamp | None:
    """Returns the stamp of a file; None where there is none. OSError where it can't be known, and below a file."""
    try:
        return stamp_of(path.stat())
    except FileNotFoundError:
        return None


def stamp_of(status: os.stat_result) -> Stamp:
    """Returns the stamp in a file's status."""
    return status.st_ino, status.st_mtime_ns, status.st_size


def read_stamped(path: Path) -> tuple[Stamp, bytes] | None:
    """Returns a file's stamp and content as of one moment; None where there is no file. Other OSErrors pass through."""
    try:
        with open_file(path) as file:
            return stamp_of(os.fstat(file.fileno())), file.read()
    except FileNotFoundError:
        return None


def open_file(path: Path) -> BinaryIO:
    """Opens a file for reading.

    Raises:
        OSError: There is none, it can't be read, or it is something else, such as a pipe, which one could wait at.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    raise OSError(errno.EINVAL, "it is not a file", str(path))


def make_private_folder(folder: Path) -> None:
    """Makes a folder and those above it, each for its owner only; those that are there stay as they are."""
    missing = [path for path in (folder, *folder.parents) if not path.is_dir()]
    for path in reversed(missing):
        with suppress(FileExistsError):  # another process was first, or it is a file: what comes next will tell
            path.mkdir(PRIVATE_FOLDER)


def replace_file(path: Path, data: bytes, *, expected: Stamp | None, backup: Path | None = None) -> bool:
    """Replaces the content of a file durably: a reader, and the disk after a power loss, has the old one or the new one.

    A symbolic link stays one; the mode of a file that is there stays. Only one process may do this at a time.

    Args:
        path: The file; its folder exists.
        data: The new content.
        expected: The stamp of the version that the data was made from; None where there was none. With another one in
            place nothing is replaced.
        backup: Where the version before is kept, as a hard link; None for nowhere.

    Returns whether it was replaced.

    Raises:
        OSError: It can't be written; the file is as it was, unless only the last sync failed.
    """
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".{target.name}.tmp")
    try:
        _write_new(temporary, data, _mode(target))
        if stamp(target) != expected:
            temporary.unlink()
            return False
        if backup:
            _link_over(target, backup)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(target.parent)
    return True


def _write_new(path: Path, data: bytes, mode: int) -> None:
    path.unlink(missing_ok=True)  # left by a process that was ended in the middle
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), PRIVATE_FILE)
    try:
        if mode != PRIVATE_FILE:
            path.chmod(mode)
        write_all(descriptor, data)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _mode(path: Path) -> int:
    try:
        return path.stat().st_mode & 0o777
    except FileNotFoundError:
        return PRIVATE_FILE


def _link_over(source: Path, link: Path) -> None:
    """Makes `link` a second name of `source`, without a moment in which it is missing."""
    fresh = link.with_name(f".{link.name}.tmp")
    with suppress(OSError):  # no such file yet, or a file system without hard links: the history has its facts as well
        fresh.unlink(missing_ok=True)
        os.link(source, fresh)
        fresh.replace(link)


def write_all(descriptor: int, data: bytes) -> None:
    """Writes all of the data, in one call of the system where it takes it."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def append_durably(path: Path, data: bytes) -> int:
    """Appends to a file, made private where it is missing, and syncs it; a broken last line gets its end first.

    Returns the size before, to which the file is also cut back where the data can't be written whole.
    """
    is_new = not path.exists()
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), PRIVATE_FILE)
    try:
        size = os.fstat(descriptor).st_size
        try:
            write_all(descriptor, line_end_before(descriptor) + data)
            os.fsync(descriptor)
        except BaseException:
            os.ftruncate(descriptor, size)
            raise
    finally:
        os.close(descriptor)
    if is_new:
        sync_folder(path.parent)
    return size


def line_end_before(descriptor: int) -> bytes:
    """Returns the line end that is missing at the end of an open file; nothing where it is there."""
    size = os.fstat(descriptor).st_size
    if not size:
        return b""
    os.lseek(descriptor, size - 1, os.SEEK_SET)
    return b"" if os.read(descriptor, 1) == b"\n" else b"\n"


def cut_back(path: Path, size: int) -> None:
    """Cuts a file back to a size in bytes, as far as that is possible."""
    with suppress(OSError):
        os.truncate(path, size)


def set_aside(path: Path, now: datetime) -> Path:
    """Keeps a file's present content under a further name, which no file has yet, and returns that."""
    source = Path(os.path.realpath(path))
    number = 1
    while True:
        suffix = "" if number == 1 else f"-{number}"
        aside = path.with_name(f"{path.name}.damaged-{now:%Y%m%d-%H%M%S}{suffix}")
        try:
            os.link(source, aside)
        except FileExistsError:
            number += 1
        except OSError:  # no hard links here
            import shutil

            shutil.copy2(source, aside)
            return aside
        else:
            return aside


def sync_folder(folder: Path) -> None:
    """Makes the names in a folder durable, where the system can."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
