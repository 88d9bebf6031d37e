"""Keys and signatures over HTTP: who a caller is, and whether what is asked is open to them."""

from flask import Flask, request

from plyhost.errors import Unauthorized
from plyhost.web.config import Settings
from plyhost.web.gates import access
from plyhost.web.middleware import CALL, Call


class Guard:
    """What stands before every request of an application whose settings have keys."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def install_identity(self, app: Flask) -> None:
        """Have callers known by their keys; no one is refused yet, so that all can be counted."""
        app.before_request(self._identify)

    def install_refusal(self, app: Flask) -> None:
        """Have those refused who may not ask what they ask."""
        app.before_request(self._refuse)

    def _identify(self) -> None:
        header = request.environ.get("HTTP_AUTHORIZATION")
        if header is not None:
            call: Call = request.environ[CALL]
            call.key = access.find_key_owner(self.settings.api_keys, header) or ""

    def _refuse(self) -> None:
        environ = request.environ
        path = environ["PATH_INFO"]
        if environ["REQUEST_METHOD"] == "OPTIONS" or access.is_open_path(path):
            return
        if access.is_picture_path(path) and self._may_see(path, environ["QUERY_STRING"]):
            return
        call: Call = environ[CALL]
        if not call.key and (self.settings.needs_key or "HTTP_AUTHORIZATION" in environ):
            raise Unauthorized

    def _may_see(self, path: str, query: str) -> bool:
        settings = self.settings
        return settings.public_pictures or access.is_signed_address(
            settings.picture_secret, path, query
        )
