from __future__ import annotations

import re
import subprocess
import sys

import pytest

from paicli.cli.main import main, parse
from paicli.cli.wrap import columns_of

HEAVY = ("openai", "pydantic", "rich", "prompt_toolkit", "rjieba", "numpy", "dotenv", "tomlkit", "filelock")


@pytest.mark.parametrize("place", ["before", "after"])
def test_an_option_is_accepted_before_and_after_the_command(place: str) -> None:
    command = ["memory", "list"]
    options = ["--memory-dir", "m", "--lang", "zh", "--yes", "--read-only", "--model", "x", "--context-window", "8000"]
    given = parse([*options, *command] if place == "before" else [*command, *options], "en")
    assert (given.memory_dir, given.lang, given.yes, given.read_only) == ("m", "zh", True, True)
    assert (given.model, given.context_window, given.command, given.action) == ("x", "8000", "memory", "list")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--nonsense"],
        ["memory"],
        ["memory", "list", "--limit", "0"],
        ["memory", "list", "--limit", "many"],
        ["--plan"],
        ["-p", "  "],
        ["-p", "hello", "memory", "list"],
        ["--resume", "--", "memory", "list"],
        ["--resume", "2026", "memory", "list"],
        ["--lang", "fr"],
        ["memory", "add"],
    ],
)
def test_wrong_usage_ends_with_status_2_and_a_line_that_says_what_is_wrong(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        parse(arguments, "en")
    assert ended.value.code == 2
    assert "paicli: wrong usage" in capsys.readouterr().err


def test_help_speaks_the_language_of_the_interface(capsys: pytest.CaptureFixture[str]) -> None:
    for language, word in (("zh", "通用选项"), ("en", "options for all commands")):
        with pytest.raises(SystemExit) as ended:
            parse(["--help"], language)  # type: ignore[arg-type]
        assert ended.value.code == 0
        assert word in capsys.readouterr().out


def test_every_command_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("demo", "memory add", "memory undo", "sessions list", "sessions show", "config show"):
        with pytest.raises(SystemExit) as ended:
            parse([*command.split(), "--help"], "en")
        assert ended.value.code == 0
        assert "--read-only" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["memory", "--help"]])
def test_help_loads_nothing_but_argparse_and_the_texts(arguments: list[str]) -> None:
    code = (
        "import sys\nfrom paicli.cli.main import main\n"
        f"try: main({arguments!r})\nexcept SystemExit: pass\n"
        "sys.stderr.write(' '.join(sys.modules))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stderr.split()
    assert not set(HEAVY) & set(loaded)
    own = {name for name in loaded if name.startswith("paicli")}
    assert own == {
        "paicli",
        "paicli.cli",
        "paicli.cli.main",
        "paicli.cli.language",
        "paicli.cli.escape",
        "paicli.cli.texts",
        "paicli.cli.texts.help",
    }


def test_help_writes_nothing(home: object) -> None:
    subprocess.run([sys.executable, "-m", "paicli", "--help"], capture_output=True, check=True)
    assert not home.exists()  # type: ignore[attr-defined]


def test_help_is_all_chinese_in_chinese_and_its_columns_are_those_of_the_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["--lang", "zh", "--help"])
    out = capsys.readouterr().out
    assert not re.search(r"PLACE|NAME|URL|TEXT|COMMAND|ACTION|:$", out, re.MULTILINE)
    rows = [line for line in out.splitlines() if line.startswith(("  --read-only ", "  --model 名称 "))]
    starts = {columns_of(row[: row.index(said)]) for row, said in zip(rows, ("模型名", "什么都"), strict=True)}
    assert len(starts) == 1
