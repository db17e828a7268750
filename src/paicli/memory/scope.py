"""Scopes: whether a fact is the user's, everywhere, or belongs to one project."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from paicli.memory.entry import USER_SCOPE

PROJECT_PREFIX = "project:"
_FIRST_PERSON = re.compile(
    r"我(?!们)|(?:^|[，,；;。.：:\s])用户(?!表|名|数|量|端|组|态|服务|模块|中心|管理|模型|接口|登录|注册|画像|体系|界面)"
    r"|(?<![A-Za-z/])(?:I(?:['’][a-z]+)?|[Mm]y|me|mine|myself)(?![\w'’./-])|(?:^|[,;.]\s*)(?:[Tt]he )?[Uu]ser(?:['’]s)? (?!table|model|service|interface|id|name)",
)
_PROJECT_TALK = re.compile(
    r"本?项目|本仓|仓库|代码库|我们|咱们|(?<![A-Za-z])(?:[Tt]h(?:e|is) (?:project|repo(?:sitory)?|codebase)|[Ww]e|[Oo]ur|us)(?![A-Za-z])"
)


@dataclass(slots=True)
class Scopes:
    """The scopes in force where the program runs.

    Args:
        project: The id of the project the program runs in; empty where it runs in none, or in one not yet registered.
        name: The project's name, for people.
        register: Registers the project at its first fact and returns its id; None outside a project.
        name_of: Returns the name of a project by its id, for people; empty where it is not known.
    """

    project: str = ""
    name: str = ""
    register: Callable[[], str] | None = field(default=None, repr=False)
    name_of: Callable[[str], str] = field(default=lambda _: "", repr=False)

    @property
    def active(self) -> tuple[str, ...]:
        """The scopes whose facts apply here."""
        return (USER_SCOPE, PROJECT_PREFIX + self.project) if self.project else (USER_SCOPE,)

    @property
    def in_project(self) -> bool:
        """Whether a project's facts can be kept here."""
        return bool(self.project) or self.register is not None

    def project_scope(self) -> str:
        """Returns the project's scope, registering it where needed; the user's outside of a project."""
        if not self.project and self.register:
            self.project = self.register()
        return PROJECT_PREFIX + self.project if self.project else USER_SCOPE

    def for_text(self, text: str) -> str:
        """Returns the scope of a statement: first-person text is the user's, text about the project the project's."""
        return self.project_scope() if self.in_project and speaks_of_project(text) else USER_SCOPE


def speaks_of_somebody(text: str) -> bool:
    """Returns whether a text is about the person who says it, or of whom it is said."""
    return bool(_FIRST_PERSON.search(text))


def speaks_of_project(text: str) -> bool:
    """Returns whether a text is about the project, and not about the person who says it."""
    return bool(_PROJECT_TALK.search(text)) and not speaks_of_somebody(text)
