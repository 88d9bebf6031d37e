"""Figures for Prometheus, which add up over the workers of a service.

Workers write into files of a directory that `plyhost serve` makes; whichever is asked reads them
all.  A worker takes the first number that no living one holds, and goes on counting where the last
holder stopped: figures survive a worker's death, and dead ones leave no files behind.
"""

import os
from typing import Any, cast

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    values,
)
from prometheus_client.multiprocess import MultiProcessCollector

from plyhost.web.serving import figures

KIND = CONTENT_TYPE_LATEST

_SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)


class _Sound(MultiProcessCollector):
    """The figures of all workers whose files can be read."""

    def collect(self) -> Any:
        """Return them, added up."""
        return cast(Any, self).merge(figures.sound_files(cast(Any, self)._path))


class Metrics:
    """The figures of one application, shared with other workers when there is a directory."""

    def __init__(self) -> None:
        directory = os.environ.get(figures.DIRECTORY)
        self._registry = CollectorRegistry()
        shared: Any = values.MultiProcessValue
        place = figures.take_place(directory) if directory else None
        self._directory = directory if place else None
        values.ValueClass = shared(place) if place else values.MutexValue
        self._requests = self._made(
            Counter,
            "plyhost_requests",
            "Requests answered, by what was asked, of which game, with which code, with whose key.",
            ("operation", "game", "code", "key"),
        )
        self._latency = self._made(
            Histogram,
            "plyhost_request_seconds",
            "Seconds from a request's arrival in a worker to its answer.",
            ("operation", "game"),
            buckets=_SECONDS,
        )
        self._engine = self._made(
            Counter,
            "plyhost_engine_seconds",
            "Seconds of all requests that were spent in states and rules.",
            ("operation", "game"),
        )
        self._losses = self._made(Counter, "plyhost_redis_losses", "How often Redis was lost.")
        self._redis: Any = None
        self._children: dict[tuple[str, ...], Any] = {}

    def _made(self, kind: Any, name: str, text: str, labels: Any = (), **options: Any) -> Any:
        return kind(name, text, labels, registry=self._registry, **options)

    def _child(self, family: Any, *labels: str) -> Any:
        key = (family._name, *labels)
        child = self._children.get(key)
        if child is None:
            child = self._children[key] = family.labels(*labels)
        return child

    def answered(self, operation: str, game: str, code: str, key: str, seconds: float) -> None:
        """Count a request; every text must be one of a few."""
        self._child(self._requests, operation, game, code, key).inc()
        self._child(self._latency, operation, game).observe(seconds)

    def worked(self, operation: str, game: str, seconds: float) -> None:
        """Count what the engine took."""
        self._child(self._engine, operation, game).inc(seconds)

    def redis(self, is_up: bool) -> None:
        """Note whether Redis answers; only where one is configured."""
        if self._redis is None:
            text = "1 while Redis is used, 0 while it is away and every worker keeps its own."
            mode = {"multiprocess_mode": "mostrecent"}
            self._redis = self._made(Gauge, "plyhost_redis_up", text, **mode)
        if not is_up:
            self._losses.inc()
        self._redis.set(int(is_up))

    def page(self) -> bytes:
        """Return all figures in the text format, those of every worker if they are shared."""
        if not self._directory:
            return generate_latest(self._registry)
        try:
            registry = CollectorRegistry()
            cast(Any, _Sound)(registry, self._directory)
            return generate_latest(registry)
        except ValueError:
            # The directory is gone.
            return b""
