"""What one worker holds beside the application: settings, memory, figures, log."""

from dataclasses import dataclass
from typing import Any

from plyhost.games import registry
from plyhost.web import config
from plyhost.web.config import Settings
from plyhost.web.gates.admission import Admission
from plyhost.web.gates.idempotency import Ledger
from plyhost.web.gates.thinker_pool import ThinkerPool
from plyhost.web.memory.redis_link import Link
from plyhost.web.memory.store import Store
from plyhost.web.serving import logs
from plyhost.web.serving.metrics import Metrics

MEGABYTE = 1024 * 1024


@dataclass(frozen=True)
class Service:
    """The parts, made from settings by `assemble_service`."""

    settings: Settings
    log: Any
    metrics: Metrics
    store: Store
    ledger: Ledger
    admission: Admission
    thinkers: ThinkerPool


def assemble_service(settings: Settings) -> Service:
    """Return the parts; a Redis that does not answer yet is waited for in the background.

    Raises Misconfigured where an installed game must not be left out, but is.
    """
    log = logs.make_logger(settings.log_level, config.list_setting_secrets(settings))
    for one in registry.list_left_out():
        log.warning("a game is left out", game=one.name, why=one.why)
    config.check_games(settings)
    metrics = Metrics()

    def told(is_up: bool, why: str) -> None:
        metrics.redis(is_up)
        if is_up:
            log.info("redis is used")
        else:
            log.warning("redis is away", why=why)

    link = Link(settings.redis_url, told) if settings.redis_url else None
    store = Store(settings.memory_mb * MEGABYTE, link)
    ledger = Ledger(store, settings.idempotency_seconds)
    admission, thinkers = Admission(settings.threads), ThinkerPool(settings.thinkers)
    return Service(settings, log, metrics, store, ledger, admission, thinkers)
