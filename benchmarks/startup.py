"""Compares the CPU time of `paicli --help` with that of `python -c pass`, both measured in this run.

python benchmarks/startup.py [REPEATS=15]

Each is started REPEATS times, in turn; the figures are medians of user and system time together, in milliseconds.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

LIMIT = 5.0
"""The most that the help may cost, as a multiple of an interpreter that does nothing."""


def cpu_seconds(command: list[str], home: str) -> float:
    """Returns the user and system time of one run."""
    environment = {**os.environ, "HOME": home, "PAICLI_HOME": str(Path(home) / ".paicli")}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)} ended with status {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def measure(repeats: int) -> tuple[float, float]:
    """Returns the median CPU seconds of the bare interpreter and of the help."""
    installed = Path(sys.executable).with_name("paicli")
    bare_command = [sys.executable, "-c", "pass"]
    help_command = [str(installed)] if installed.exists() else [sys.executable, "-m", "paicli"]
    bare: list[float] = []
    helped: list[float] = []
    with tempfile.TemporaryDirectory() as home:
        cpu_seconds([*help_command, "--help"], home)  # writes the compiled modules
        for _ in range(repeats):
            bare.append(cpu_seconds(bare_command, home))
            helped.append(cpu_seconds([*help_command, "--help"], home))
    return statistics.median(bare), statistics.median(helped)


def main() -> None:
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    bare, helped = measure(repeats)
    print(f"python -c pass  {bare * 1000:6.1f} ms CPU (median of {repeats})")
    print(f"paicli --help   {helped * 1000:6.1f} ms CPU (median of {repeats})")
    print(f"ratio           {helped / bare:6.2f}    (at most {LIMIT:g})")


if __name__ == "__main__":
    main()
