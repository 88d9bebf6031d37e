"""Logs: one JSON object a line on standard output, each bounded, without secrets.

The server's own lines and any library's come out in the same shape.
"""

import logging
import sys
from collections.abc import Iterable, MutableMapping
from typing import Any

import orjson
import structlog

#: Characters of one text in a line, and lines of a traceback that are kept, the last ones.
LONGEST_TEXT = 300
LONGEST_TRACE = 60
#: A shorter secret would mask half of the language.
_SHORTEST_SECRET = 6
MASK = "***"

Event = MutableMapping[str, Any]


class _Output:
    """Standard output, whatever it is at the time; a line that cannot be written is lost."""

    def msg(self, line: bytes) -> None:
        """Write a line."""
        try:
            sys.stdout.buffer.write(line + b"\n")
            sys.stdout.buffer.flush()
        except (OSError, ValueError):
            pass

    debug = info = warning = error = critical = msg


def bound_event_texts(logger: Any, method: str, event: Event) -> Event:
    """Cut every text; of a traceback keep the last lines, each cut."""
    for key, value in event.items():
        if isinstance(value, str) and len(value) > LONGEST_TEXT:
            event[key] = _cut_traceback(value) if key == "exception" else _cut_log_text(value)
    return event


def _cut_log_text(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"


def _cut_traceback(text: str) -> str:
    return "\n".join(_cut_log_text(line) for line in text.splitlines()[-LONGEST_TRACE:])


def make_masking_step(secrets: Iterable[str]) -> Any:
    """Return the step that puts stars in place of secrets, wherever they turn up."""
    known = [secret for secret in secrets if len(secret) >= _SHORTEST_SECRET]

    def mask(logger: Any, method: str, event: Event) -> Event:
        if known:
            for key, value in event.items():
                if isinstance(value, str):
                    event[key] = _mask_secrets(value, known)
        return event

    return mask


def _mask_secrets(text: str, known: Iterable[str]) -> str:
    for secret in known:
        text = text.replace(secret, MASK)
    return text


def _list_log_steps(secrets: Iterable[str]) -> list[Any]:
    return [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        make_masking_step(secrets),
        bound_event_texts,
    ]


def _dump_log_event(event: Event, **kwargs: Any) -> bytes:
    return orjson.dumps(event, default=repr)


def make_logger(level: str, secrets: Iterable[str] = ()) -> Any:
    """Return a logger of events with fields: `log.info("event", field=value)`."""
    return structlog.wrap_logger(
        _Output(),
        processors=[
            *_list_log_steps(secrets),
            structlog.processors.JSONRenderer(serializer=_dump_log_event),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level.upper())),
        cache_logger_on_first_use=True,
    )


class Quiet(logging.Filter):
    """Drop the server's advice against more threads than processors: most of ours only wait."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether a line is let through."""
        return "Python threads" not in record.getMessage()


def _render_log_event(logger: Any, method: str, event: Event) -> str:
    return _dump_log_event(event).decode()


def make_log_formatter(secrets: Iterable[str]) -> logging.Formatter:
    """Return what makes lines of other libraries' records."""
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=_list_log_steps(secrets),
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _render_log_event],
    )


def make_logging_config(level: str, secrets: Iterable[str] = ()) -> dict[str, Any]:
    """Return a `logging` configuration with which other libraries log as we do."""
    own = {"level": level.upper(), "handlers": ["console"], "propagate": False}
    # Names, not objects: it is handed to workers, which may be started afresh.
    json = {"()": "plyhost.web.serving.logs.make_log_formatter", "secrets": list(secrets)}
    console = {
        "class": "logging.StreamHandler",
        "stream": "ext://sys.stdout",
        "formatter": "json",
        "filters": ["quiet"],
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"quiet": {"()": "plyhost.web.serving.logs.Quiet"}},
        "formatters": {"json": json},
        "handlers": {"console": console},
        "loggers": {"_granian": own, "granian.access": own},
        "root": {"level": "WARNING", "handlers": ["console"]},
    }
