from __future__ import annotations

import json
from pathlib import Path

import pytest

from paicli.config import keep_settings, read_settings
from paicli.errors import ConfigError
from paicli.keys import keep_key

KEY = "sk-0123456789abcdef0123"
LOCAL = "http://127.0.0.1:9/v1"


def configured(home: Path, text: str) -> None:
    home.mkdir(parents=True, exist_ok=True)
    (home / "config.toml").write_text(text, encoding="utf-8")


def test_without_anything_the_defaults_hold_and_nothing_is_written(home: Path) -> None:
    settings = read_settings({}, {"PAICLI_HOME": str(home)})
    assert (settings.preset.name, settings.model, settings.base_url) == (
        "glm",
        "glm-5.1",
        "https://open.bigmodel.cn/api/paas/v4",
    )
    assert settings.memory_dir == str(home / "memory")
    assert not settings.has_model
    assert not home.exists()


def test_flag_before_variable_before_file_before_default(home: Path) -> None:
    configured(home, 'model = "from-file"\nlang = "zh"\ncontext_window = 9000\n')
    environ = {"PAICLI_HOME": str(home), "PAICLI_MODEL": "from-variable"}
    settings = read_settings({"model": "from-flag"}, environ)
    assert (settings.model, settings.values["model"].kind, settings.values["model"].name) == (
        "from-flag",
        "flag",
        "--model",
    )
    assert read_settings({}, environ).values["model"].name == "PAICLI_MODEL"
    settings = read_settings({}, {"PAICLI_HOME": str(home)})
    assert (settings.model, settings.language, settings.context_window) == ("from-file", "zh", 9000)
    assert settings.values["memory_dir"].kind == "default"


@pytest.mark.parametrize(
    ("environ", "key", "value"),
    [
        ({"PAICLI_LANG": "fr"}, "PAICLI_LANG", "fr"),
        ({"PAICLI_CONTEXT_WINDOW": "lots"}, "PAICLI_CONTEXT_WINDOW", "lots"),
        ({"PAICLI_CONTEXT_WINDOW": "100"}, "PAICLI_CONTEXT_WINDOW", "100"),
        ({"PAICLI_BASE_URL": "ftp://x"}, "PAICLI_BASE_URL", "ftp://x"),
    ],
)
def test_a_bad_value_names_its_setting_and_itself(environ: dict[str, str], key: str, value: str) -> None:
    with pytest.raises(ConfigError) as error:
        read_settings({}, environ)
    assert (error.value.values["key"], error.value.values["value"]) == (key, value)


@pytest.mark.parametrize("text", ["model = [", "model = true", "lang = 3.5", "base_url = ['x']"])
def test_a_configuration_file_that_can_not_be_used_is_named(text: str, home: Path) -> None:
    configured(home, text)
    with pytest.raises(ConfigError) as error:
        read_settings({}, {"PAICLI_HOME": str(home)})
    assert "config.toml" in str(error.value)


def test_a_configuration_file_with_a_byte_order_mark_and_foreign_keys_is_fine(home: Path) -> None:
    configured(home, '\ufeffmodel = "m"\r\n[other]\r\nthing = 1\r\n')
    assert read_settings({}, {"PAICLI_HOME": str(home)}).model == "m"


def test_a_home_that_is_no_folder_is_no_reason_not_to_start(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    assert read_settings({}, {"PAICLI_HOME": str(tmp_path / "file" / "home")}).preset.name == "glm"


def test_the_name_of_a_preset_brings_its_address_along_before_a_weaker_setting(home: Path) -> None:
    configured(home, f'base_url = "{LOCAL}"\n')
    environ = {"PAICLI_HOME": str(home)}
    assert read_settings({}, environ).base_url == LOCAL
    assert read_settings({"model": "deepseek"}, environ).base_url == "https://api.deepseek.com"
    assert read_settings({"model": "deepseek-chat"}, environ).base_url == LOCAL
    assert read_settings({"model": "deepseek", "base_url": LOCAL}, environ).base_url == LOCAL


def test_a_key_comes_from_variables_then_the_folder_then_the_users_home_then_what_was_kept(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    (tmp_path / "user").mkdir()
    environ = {"PAICLI_HOME": str(home)}
    keep_key(home, "https://open.bigmodel.cn/api/paas/v4/", KEY + "-kept")
    assert read_settings({}, environ, tmp_path).key.text == KEY + "-kept"
    (tmp_path / "user" / ".env").write_text(f"GLM_API_KEY={KEY}-home\n")
    assert read_settings({}, environ, tmp_path).key.text == KEY + "-home"
    (tmp_path / ".env").write_text(f"GLM_API_KEY='{KEY}-folder'\nPAICLI_BASE_URL=http://evil.example/v1\n")
    settings = read_settings({}, environ, tmp_path)
    assert settings.key.text == KEY + "-folder"
    assert ".env" in settings.key.name
    assert "bigmodel" in settings.base_url  # a .env gives keys, never an address
    assert read_settings({}, {**environ, "GLM_API_KEY": KEY + "-own"}, tmp_path).key.text == KEY + "-own"
    both = {**environ, "GLM_API_KEY": KEY + "-own", "PAICLI_API_KEY": KEY + "-any"}
    assert read_settings({}, both, tmp_path).key.text == KEY + "-any"


def test_a_presets_own_key_is_sent_to_no_other_server(tmp_path: Path) -> None:
    for model, address in (("glm", LOCAL), ("glm", "http://open.bigmodel.cn/api/paas/v4"), ("deepseek", None)):
        flags = {"model": model, "base_url": address}
        assert read_settings(flags, {"GLM_API_KEY": KEY}, tmp_path).key.text == ""
    assert read_settings({"base_url": LOCAL}, {"PAICLI_API_KEY": KEY}, tmp_path).key.text == KEY


def test_a_key_that_was_kept_belongs_to_its_endpoint_and_to_the_user_alone(home: Path, tmp_path: Path) -> None:
    environ = {"PAICLI_HOME": str(home)}
    path = keep_key(home, "https://api.deepseek.com", KEY)
    assert path.stat().st_mode & 0o777 == 0o600
    assert home.stat().st_mode & 0o777 == 0o700
    assert read_settings({"model": "deepseek"}, environ, tmp_path).key.text == KEY
    assert read_settings({"model": "kimi"}, environ, tmp_path).key.text == ""
    keep_key(home, "https://api.moonshot.cn/v1", KEY + "2")
    assert len(json.loads(path.read_text())) == 2
    assert [file.name for file in home.iterdir()] == ["keys.json"]


@pytest.mark.parametrize("text", ["{", "[]", '{"https://api.deepseek.com": 7}'])
def test_a_file_of_keys_that_can_not_be_read_holds_none(text: str, home: Path, tmp_path: Path) -> None:
    home.mkdir(parents=True)
    (home / "keys.json").write_text(text)
    assert read_settings({"model": "deepseek"}, {"PAICLI_HOME": str(home)}, tmp_path).key.text == ""


def test_an_endpoint_of_ones_own_needs_no_key(tmp_path: Path) -> None:
    assert read_settings({"base_url": LOCAL}, {}, tmp_path).has_model
    assert read_settings({"model": "local"}, {}, tmp_path).has_model
    assert not read_settings({"model": "openai"}, {}, tmp_path).has_model


def test_kept_settings_leave_comments_and_other_keys_alone(home: Path) -> None:
    configured(home, '# mine\nlang = "en"  # for now\nbase_url = "http://old/v1"\n[other]\nthing = 1\n')
    keep_settings(home / "config.toml", {"lang": "zh", "base_url": "", "model": "kimi"})
    text = (home / "config.toml").read_text(encoding="utf-8")
    assert "# mine" in text
    assert "# for now" in text
    assert "[other]" in text
    settings = read_settings({}, {"PAICLI_HOME": str(home)})
    assert (settings.language, settings.preset.name, settings.base_url) == ("zh", "kimi", "https://api.moonshot.cn/v1")


def test_settings_that_can_not_be_written_are_an_error_that_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(ConfigError, match=r"config\.toml"):
        keep_settings(tmp_path / "file" / "config.toml", {"lang": "zh"})


def test_the_settings_show_no_key_when_they_are_printed(tmp_path: Path) -> None:
    assert KEY not in repr(read_settings({}, {"PAICLI_API_KEY": KEY}, tmp_path))


@pytest.mark.parametrize("flags", [{"base_url": "http://user:pw12345@host.example/v1"}, {}])
def test_an_address_with_a_password_in_it_is_refused_without_showing_it(flags: dict[str, str], home: Path) -> None:
    environ = {"PAICLI_HOME": str(home), "PAICLI_BASE_URL": "http://:pw12345@host.example/v1"}
    with pytest.raises(ConfigError) as error:
        read_settings(flags, environ)
    assert error.value.values["value"] == "http://host.example/v1"
    assert "PAICLI_API_KEY" in str(error.value)
    assert "pw12345" not in f"{error.value} {error.value.values}"


@pytest.mark.parametrize(("text", "tokens"), [("", 8_000), ("0", 0), ("1200", 1_200), ("never", None)])
def test_the_threshold_of_recall_is_a_number_or_never(text: str, tokens: int | None, home: Path) -> None:
    assert read_settings({}, {"PAICLI_RECALL_THRESHOLD": text, "PAICLI_HOME": str(home)}).recall_threshold == tokens


def test_another_threshold_is_refused_with_its_value(home: Path) -> None:
    with pytest.raises(ConfigError, match="soon"):
        read_settings({}, {"PAICLI_RECALL_THRESHOLD": "soon", "PAICLI_HOME": str(home)})
