"""Scopes: the user's facts apply everywhere, a project's in the project."""

from __future__ import annotations

import pytest

from paicli.memory.scope import Scopes, speaks_of_project


@pytest.mark.parametrize(
    "text",
    [
        "本项目用 pnpm",
        "项目使用Maven构建",
        "我们统一用 Redis 7",
        "这个仓库的主分支是 main",
        "This project uses pnpm",
        "the repo needs Node 20",
        "We deploy on Fridays",
        "Our CI runs on push",
        "本项目的用户表叫 t_user",
        "The project does async I/O",
        "The project is configured in my.cnf",
    ],
)
def test_text_about_the_project_is_the_projects(text: str) -> None:
    assert Scopes(project="p1").for_text(text) == "project:p1"


@pytest.mark.parametrize(
    "text",
    [
        "我喜欢简短回答",
        "我在项目里喜欢用 Tab",
        "用户的项目使用 JDK 17",
        "用户偏好 JDK 17",
        "I prefer tabs in this project",
        "I've always used tabs in the project",
        "My favourite project is paicli",
        "The user wants JDK 17",
        "The user's project uses JDK 17",
        "JDK 可以保持 17",
        "数据库端口是 5433",
    ],
)
def test_first_person_text_and_any_other_is_the_users(text: str) -> None:
    assert Scopes(project="p1").for_text(text) == "user"


def test_outside_of_a_project_everything_is_the_users() -> None:
    scopes = Scopes()
    assert not scopes.in_project
    assert scopes.for_text("本项目用 pnpm") == "user"
    assert scopes.project_scope() == "user"
    assert scopes.active == ("user",)


def test_a_project_is_registered_at_its_first_fact_and_once() -> None:
    calls: list[str] = []

    def register() -> str:
        calls.append("p9")
        return "p9"

    scopes = Scopes(register=register)
    assert scopes.active == ("user",)
    assert scopes.for_text("我喜欢 Go") == "user"
    assert calls == []
    assert scopes.for_text("本项目用 pnpm") == scopes.for_text("我们用 Go") == "project:p9"
    assert calls == ["p9"]
    assert scopes.active == ("user", "project:p9")


def test_a_text_that_names_neither_speaks_of_no_project() -> None:
    assert not speaks_of_project("端口是 8080")
