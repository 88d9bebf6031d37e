"""The image, compose.yaml and the Kubernetes example agree with the code and with each other."""

import re
import shlex
import subprocess
import tomllib
from dataclasses import fields
from typing import Any

import pytest
import yaml
from click import Command, Context

from plugin import config, server
from plugin.app import create
from plugin.cli import main
from tests.serving import BIN, ROOT

DOCKERFILE = (ROOT / "Dockerfile").read_text()
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
BALANCER = (ROOT / "deploy" / "haproxy.cfg").read_text()
OBJECTS = list(yaml.safe_load_all((ROOT / "deploy" / "kubernetes.yaml").read_text()))
SETTINGS = {config.variable(one) for one in fields(config.Settings)}
FILES = [
    "Dockerfile",
    "compose.yaml",
    "deploy/kubernetes.yaml",
    "deploy/plyhost.env.example",
    "docs/container.md",
    "scripts/test-image",
]


def instruction(name: str) -> str:
    """Return what the last instruction of a name says, its lines joined."""
    text = DOCKERFILE.replace("\\\n", " ")
    found: str = re.findall(rf"^\s*{name}\s+(.*)$", text, re.MULTILINE)[-1]
    return found


def listed(name: str) -> list[str]:
    """Return what an instruction says as a list of words."""
    found: list[str] = yaml.safe_load(re.sub(r"^[^\[]*", "", instruction(name)))
    return found


def kubernetes(kind: str, name: str) -> Any:
    (found,) = (
        one["spec"] for one in OBJECTS if (one["kind"], one["metadata"]["name"]) == (kind, name)
    )
    return found


def image_settings() -> dict[str, str]:
    """Return the settings that the image brings."""
    words = shlex.split(" ".join(re.findall(r"^ENV (.*)$", DOCKERFILE, re.MULTILINE)))
    named = dict(word.partition("=")[::2] for word in words)
    return {name: value for name, value in named.items() if name.startswith(config.PREFIX)}


def pod() -> Any:
    return kubernetes("Deployment", "plyhost")["template"]["spec"]


def container() -> Any:
    (found,) = pod()["containers"]
    return found


def served(words: list[str], settings: dict[str, str]) -> dict[str, Any]:
    """Return where words after `plyhost`, which run the service, make it listen."""
    command: Command = main.commands[words[0]]
    context = Context(command, info_name="serve")
    command.parse_args(context, words[1:])
    loaded = config.load(settings)
    return {
        name: context.params[name] or getattr(loaded, name) for name in ("host", "port", "workers")
    }


def test_hadolint_has_nothing_to_say() -> None:
    done = subprocess.run(
        [BIN / "hadolint", ROOT / "Dockerfile"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_both_stages_stand_on_one_base_with_a_version() -> None:
    bases = re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)
    assert len(bases) == 2
    assert len(set(bases)) == 1
    assert re.fullmatch(r"docker\.io/library/python:3\.\d+-slim-\w+", bases[0])


def test_everything_that_the_package_is_made_of_gets_into_the_build() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packages = {name.split(".")[0] for name in project["tool"]["setuptools"]["packages"]}
    needed = {"pyproject.toml", project["project"]["readme"], *project["project"]["license-files"]}
    copied = {
        word
        for line in re.findall(r"^COPY (?!--from)(.*)$", DOCKERFILE, re.MULTILINE)
        for word in line.split()[:-1]
    }
    allowed = re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)
    assert copied == packages | needed == set(allowed)


@pytest.mark.parametrize("file", FILES)
def test_every_setting_that_is_named_is_one(file: str) -> None:
    named = set(re.findall(r"PLYHOST_[A-Z_]*[A-Z]\b(?!_)", (ROOT / file).read_text()))
    assert named - {"PLYHOST_PORT"} <= SETTINGS


@pytest.mark.parametrize("name", sorted(SETTINGS))
def test_every_setting_stands_in_the_example_or_is_the_images(name: str) -> None:
    assert name in (ROOT / "docs" / "container.md").read_text()
