"""What is known of providers, as data: addresses, key variables, windows, time limits, quirks.

Facts as published by the providers in autumn 2026; a window that has changed is learnt from the first overflow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from paicli.errors import ConfigError
from paicli.memory.message import Quirks, ThinkingEcho

DEFAULT_PRESET = "glm"
DEFAULT_WINDOW = 32_768
"""Tokens assumed where neither a preset nor the server knows the window: what small local models commonly take."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A provider of models.

    Args:
        name: What the user types.
        label: What is shown.
        base_url: Where the chat-completions API is.
        key_variables: Environment variables that may hold the key, the usual one first; none where no key is needed.
        default_model: The model where none is named; empty for the first that the server lists.
        models: The beginnings of the names of its models, by which they are known at other addresses as well.
        windows: Context windows in tokens by the beginning of a model's name; the longest beginning that fits counts.
        first_token_seconds: How long to wait for the first piece of an answer.
        idle_seconds: How long to wait for the next piece.
        quirks: What it wants otherwise than others.
        stream_usage: Whether the usage of a stream is asked for by `stream_options`.
        limit_field: The name of the field that limits the length of an answer.
        key_url: Where a key is to be had.
    """

    name: str
    label: str
    base_url: str
    key_variables: tuple[str, ...] = ()
    default_model: str = ""
    models: tuple[str, ...] = ()
    windows: Mapping[str, int] = field(default_factory=dict, hash=False)
    first_token_seconds: float = 180.0
    idle_seconds: float = 90.0
    quirks: Quirks = Quirks()
    stream_usage: bool = True
    limit_field: str = "max_tokens"
    key_url: str = ""

    @property
    def key_variable(self) -> str:
        """The usual environment variable for the key; empty where no key is needed."""
        return self.key_variables[0] if self.key_variables else ""

    @property
    def context_window(self) -> int:
        """Tokens the default model takes."""
        return self.window_of(self.default_model) or DEFAULT_WINDOW

    def window_of(self, model: str) -> int | None:
        """Returns the context window of a model in tokens; None where it is not known.

        >>> find_preset("glm").window_of("glm-5.1"), find_preset("openai").window_of("unheard-of")
        (200000, None)
        """
        name = _bare(model)
        fitting = [beginning for beginning in self.windows if name.startswith(beginning)]
        return self.windows[max(fitting, key=len)] if fitting else None


def _bare(model: str) -> str:
    """Returns a model's name without the owner that platforms put before it: `deepseek-ai/DeepSeek-V4-Flash`."""
    return model.lower().rpartition("/")[2]


PRESETS: tuple[Preset, ...] = (
    Preset(
        name="glm",
        label="GLM (智谱)",
        base_url="https://open.bigmodel.cn/api/paas/v4",
        key_variables=("GLM_API_KEY", "ZHIPUAI_API_KEY"),
        default_model="glm-5.1",
        models=("glm", "chatglm"),
        windows={
            "glm-4": 128_000,
            "glm-4-long": 1_000_000,
            "glm-4.6": 200_000,
            "glm-4.7": 200_000,
            "glm-5": 200_000,
            "glm-5.2": 1_000_000,
            "glm-5.3": 1_000_000,
        },
        # Two messages of one role in a row are among the causes of its error 1214, whose text names none.
        quirks=Quirks(thinking=ThinkingEcho.WITH_CALLS, alternate_roles=True),
        key_url="https://open.bigmodel.cn/usercenter/apikeys",
    ),
    Preset(
        name="deepseek",
        label="DeepSeek",
        base_url="https://api.deepseek.com",
        key_variables=("DEEPSEEK_API_KEY",),
        default_model="deepseek-v4-flash",
        models=("deepseek",),
        windows={"deepseek-v4": 1_000_000, "deepseek-chat": 128_000, "deepseek-reasoner": 128_000},
        # From V4 on it refuses a history with tool calls in which any assistant message lacks the field.
        quirks=Quirks(thinking=ThinkingEcho.ALWAYS, thinking_required=True),
        key_url="https://platform.deepseek.com/api_keys",
    ),
    Preset(
        name="qwen",
        label="Qwen (阿里云百炼)",
        base_url="https://dashscope.aliyuncs.com/compatible-mode/v1",
        key_variables=("DASHSCOPE_API_KEY",),
        default_model="qwen3.6-plus",
        models=("qwen", "qwq"),
        windows={
            "qwen-max": 32_768,
            "qwen-plus": 1_000_000,
            "qwen-flash": 1_000_000,
            "qwen3": 131_072,
            "qwen3-max": 262_144,
            "qwen3-coder": 262_144,
            "qwen3.5-plus": 1_000_000,
            "qwen3.6-plus": 1_000_000,
            "qwen3.7": 991_000,
            "qwen3.8": 991_000,
        },
        key_url="https://bailian.console.aliyun.com/?tab=model#/api-key",
    ),
    Preset(
        name="kimi",
        label="Kimi (Moonshot)",
        base_url="https://api.moonshot.cn/v1",
        key_variables=("MOONSHOT_API_KEY",),
        default_model="kimi-k2.6",
        models=("kimi", "moonshot"),
        windows={
            "kimi-k2": 262_144,
            "kimi-k3": 1_048_576,
            "moonshot-v1-8k": 8_192,
            "moonshot-v1-32k": 32_768,
            "moonshot-v1-128k": 131_072,
        },
        quirks=Quirks(thinking=ThinkingEcho.WITH_CALLS, thinking_required=True),
        key_url="https://platform.moonshot.cn/console/api-keys",
    ),
    Preset(
        name="openai",
        label="OpenAI",
        base_url="https://api.openai.com/v1",
        key_variables=("OPENAI_API_KEY",),
        default_model="gpt-5.6-terra",
        models=("gpt", "o1", "o3", "o4"),
        windows={
            "gpt-4.1": 1_047_576,
            "gpt-4o": 128_000,
            "gpt-5": 400_000,
            "gpt-5-chat": 128_000,
            "gpt-5.1-chat": 128_000,
            "gpt-5.4": 1_050_000,
            "gpt-5.5": 1_050_000,
            "gpt-5.6": 1_050_000,
            "o1": 200_000,
            "o3": 200_000,
            "o4": 200_000,
        },
        limit_field="max_completion_tokens",
        key_url="https://platform.openai.com/api-keys",
    ),
    Preset(
        name="local",
        label="local / OpenAI-compatible",
        base_url="http://127.0.0.1:11434/v1",
        # A long prompt on a CPU takes minutes before the first token.
        first_token_seconds=900.0,
        idle_seconds=180.0,
        # The chat templates of Gemma, Mistral and others refuse two messages of one role in a row.
        quirks=Quirks(alternate_roles=True),
    ),
)


def find_preset(name: str) -> Preset:
    """Returns the preset of that name.

    Raises:
        ConfigError: There is none.
    """
    for preset in PRESETS:
        if preset.name == name.strip().lower():
            return preset
    known = ", ".join(preset.name for preset in PRESETS)
    raise ConfigError(key="preset", value=name, reason=f"not one of {known}")


def preset_for(model: str = "", base_url: str = "") -> Preset:
    """Returns the preset that fits an address, else a model's name, else the default one.

    An address that belongs to no preset is taken as one of a local or other compatible server.

    >>> preset_for("deepseek-v4-pro").name, preset_for("qwen3", "http://127.0.0.1:8080/v1").name, preset_for().name
    ('deepseek', 'local', 'glm')
    """
    if base_url:
        host = urlsplit(base_url).hostname or ""
        fitting = [preset for preset in PRESETS if urlsplit(preset.base_url).hostname == host and preset.key_variables]
        return fitting[0] if fitting else find_preset("local")
    if not model:
        return find_preset(DEFAULT_PRESET)
    return next((preset for preset in PRESETS if preset.window_of(model)), find_preset(DEFAULT_PRESET))


def quirks_for(preset: Preset, model: str) -> Quirks:
    """Returns the quirks of a model at a provider: those of who made it, which come with it to proxies and platforms.

    >>> quirks_for(find_preset("local"), "deepseek-ai/DeepSeek-V4-Flash").thinking
    <ThinkingEcho.ALWAYS: 'always'>
    """
    maker = next((maker for maker in PRESETS if maker.models and _bare(model).startswith(maker.models)), preset)
    if maker.name == preset.name:
        return preset.quirks
    # The address may have wishes of its own: a template that refuses two messages of one role in a row.
    return replace(maker.quirks, alternate_roles=maker.quirks.alternate_roles or preset.quirks.alternate_roles)
