from __future__ import annotations

from pathlib import Path

import pytest

from paicli.cli.demo import play
from paicli.cli.terminal import Terminal


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("zh", ("模型是脚本", "帮我再创建一个项目", "注入的记忆", "第 10 轮后压缩", "丢失 0 条", "PostgreSQL 16")),
        (
            "en",
            ("The model is scripted", "Create another project", "injected memory", "compressed:", "lost 0", "match"),
        ),
    ],
)
def test_the_demonstration_shows_what_it_claims(
    language: str, said: tuple[str, ...], capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    terminal = Terminal("zh" if language == "zh" else "en", environ={"NO_COLOR": "1"})
    assert play(terminal) == 0
    out = capsys.readouterr().out
    for part in said:
        assert part in out
    assert out.count("<maven.compiler.release>17<") == 2
    assert out.count("<maven.compiler.release>21<") == 1
    assert not home.exists()
