"""The image, compose.yaml and the Kubernetes example agree with the code and with each other."""

import json
import re
import subprocess
import tomllib
from dataclasses import fields
from importlib import metadata
from typing import Any
from urllib.parse import unquote

import pytest
import yaml
from click import Command, Context

from plyhost.cli.commands import main
from plyhost.cli.start import start_command_line
from plyhost.web import config
from plyhost.web.app import create_app
from plyhost.web.serving import server
from tests.tools import ROOT
from tests.tools.serving import BIN

DOCKERFILE = (ROOT / "Dockerfile").read_text()
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
BALANCER = (ROOT / "deploy" / "haproxy.cfg").read_text()
OBJECTS = list(yaml.safe_load_all((ROOT / "deploy" / "kubernetes.yaml").read_text()))
SETTINGS = {config.format_variable_name(one) for one in fields(config.Settings)}
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
    found: list[str] = json.loads(re.sub(r"^[^\[]*", "", instruction(name)))
    return found


def kubernetes(kind: str, name: str) -> Any:
    (found,) = (
        one["spec"] for one in OBJECTS if (one["kind"], one["metadata"]["name"]) == (kind, name)
    )
    return found


def image_settings() -> dict[str, str]:
    """Return the settings that the image brings."""
    words = instruction("ENV").split()
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
    loaded = config.load_settings(settings)
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
    packages = set(project["tool"]["setuptools"]["package-dir"].values())
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
    named = set(re.findall(r"PLYHOST_[A-Z_]*[A-Z]\b", (ROOT / file).read_text()))
    assert named
    assert named <= SETTINGS


def test_the_image_runs_the_service_where_everything_else_looks_for_it() -> None:
    (command,) = listed("ENTRYPOINT")
    assert (
        metadata.entry_points(group="console_scripts", name=command)["plyhost"].load()
        is start_command_line
    )
    at = served(listed("CMD"), image_settings())
    assert (at["host"], at["workers"]) == ("0.0.0.0", 2)
    port = at["port"]
    assert instruction("EXPOSE") == str(port)
    assert f"'127.0.0.1', {port}," in listed("HEALTHCHECK")[-1]
    (opened,) = container()["ports"]
    assert (opened["name"], opened["containerPort"]) == ("http", port)
    assert kubernetes("Service", "plyhost")["ports"][0]["targetPort"] == opened["name"]
    assert f" plyhost:{port} " in BALANCER


def test_the_image_alone_does_not_start() -> None:
    settings = config.load_settings(image_settings())
    with pytest.raises(config.Misconfigured, match=r"PLYHOST_API_KEYS.*PLYHOST_ALLOW_ANONYMOUS"):
        config.check_listen_host(settings, settings.host)


@pytest.mark.parametrize("where", ["compose", "kubernetes"])
def test_what_is_set_beside_the_keys_can_be_used(where: str) -> None:
    given = (
        COMPOSE["services"]["plyhost"]["environment"]
        if where == "compose"
        else {one["name"]: one["value"] for one in container()["env"]}
    )
    assert config.load_settings(given).redis_url == "redis://redis:6379/0"
    assert config.load_settings(given).trusted_proxies


def test_the_example_of_settings_can_be_filled_in() -> None:
    text = (ROOT / "deploy" / "plyhost.env.example").read_text()
    given = dict(re.findall(r"^#? ?(PLYHOST_\w+)=(.*)$", text, re.MULTILINE))
    assert "PLYHOST_API_KEYS" in given
    assert config.load_settings(given).allow_anonymous


def test_compose_and_kubernetes_read_the_keys_from_where_git_does_not_look() -> None:
    (file,) = COMPOSE["services"]["plyhost"]["env_file"]
    assert file in (ROOT / ".gitignore").read_text().splitlines()
    assert (ROOT / f"{file}.example").exists()
    assert container()["envFrom"] == [{"secretRef": {"name": "plyhost"}}]


def test_every_address_that_is_probed_exists() -> None:
    known = {rule.rule for rule in create_app().url_map.iter_rules()}
    probes = [
        container()[f"{name}Probe"]["httpGet"] for name in ("startup", "readiness", "liveness")
    ]
    asked = {probe["path"] for probe in probes}
    asked |= set(re.findall(r"httpchk GET (\S+)", BALANCER))
    asked |= set(re.findall(r"'GET', '([^']+)'", instruction("HEALTHCHECK")))
    assert {"/healthz", "/readyz"} <= asked <= known
    assert {probe["port"] for probe in probes} == {"http"}


def test_the_balancer_stands_where_its_port_is_published() -> None:
    balancer = COMPOSE["services"]["balancer"]
    (port,) = balancer["ports"]
    assert port.startswith("127.0.0.1:")
    assert f"bind :{port.rpartition(':')[2]}\n" in BALANCER
    (volume,) = balancer["volumes"]
    assert (ROOT / volume.partition(":")[0]).samefile(ROOT / "deploy" / "haproxy.cfg")
    assert balancer["networks"] == ["front"]
    assert "back" in COMPOSE["services"]["plyhost"]["networks"]


def test_what_the_balancer_says_itself_are_problems() -> None:
    told = re.findall(r"http-error status (\d+) content-type (\S+) string '(.*?)'", BALANCER)
    assert {status for status, _, _ in told} == {"408", "502", "503", "504"}
    for status, kind, text in told:
        body = json.loads(text)
        assert kind == "application/problem+json"
        assert (body["status"], body["code"]) == (int(status), "timed-out")
        assert body.keys() >= {"type", "title", "detail", "params", "request_id"}


@pytest.mark.parametrize("path", ["/metrics", "/metrics/", "//metrics", "/%6detrics", "/metrics/x"])
def test_the_balancer_closes_the_figures_however_they_are_spelt(path: str) -> None:
    (pattern,) = re.findall(r"path,url_dec -m reg (\S+) }", BALANCER)
    assert re.search(pattern, unquote(path))
    assert not re.search(pattern, "/v1/games/metricsgame")


def test_there_are_two_replicas() -> None:
    assert COMPOSE["services"]["plyhost"]["deploy"]["replicas"] == 2
    assert kubernetes("Deployment", "plyhost")["replicas"] == 2


def test_nothing_runs_as_root_or_writes() -> None:
    user, _, group = instruction("USER").partition(":")
    assert int(user) > 0 < int(group)
    for service in COMPOSE["services"].values():
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
    for name in ("plyhost", "redis"):
        spec = kubernetes("Deployment", name)["template"]["spec"]
        assert spec["securityContext"]["runAsNonRoot"]
        for one in spec["containers"]:
            assert one["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }
            assert one["resources"].keys() == {"requests", "limits"}


def test_a_stop_waits_for_what_the_service_still_answers() -> None:
    needed = config.Settings().request_seconds + server.GRACE
    assert int(COMPOSE["services"]["plyhost"]["stop_grace_period"].removesuffix("s")) > needed
    hook = container()["lifecycle"]["preStop"]["exec"]["command"]
    assert pod()["terminationGracePeriodSeconds"] > needed + int(hook[1])
    (patience,) = re.findall(r"timeout server (\d+)s", BALANCER)
    assert config.Settings().request_seconds < int(patience) < needed


def test_kubernetes_selects_what_it_labels() -> None:
    for kind in ("Deployment", "Service", "PodDisruptionBudget"):
        spec = kubernetes(kind, "plyhost")
        labels = spec["selector"].get("matchLabels", spec["selector"])
        template = kubernetes("Deployment", "plyhost")["template"]
        assert labels.items() <= template["metadata"]["labels"].items()
