"""What one worker holds beside the application: settings, memory, figures, log."""

from dataclasses import dataclass
from typing import Any

from plyhost.web import config, logs
from plyhost.web.admission import Admission
from plyhost.web.config import Settings
from plyhost.web.idempotency import Ledger
from plyhost.web.metrics import Metrics
from plyhost.web.redis_link import Link
from plyhost.web.store import Store
from plyhost.web.thinker_pool import ThinkerPool

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
    """Return the parts; a Redis that does not answer yet is waited for in the background."""
    log = logs.make_logger(settings.log_level, config.list_setting_secrets(settings))
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
