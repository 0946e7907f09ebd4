"""An issuer's keys: fetched rarely, used for a limited time, never replaced by worse ones.

- Keys are used until they are `fresh_for` seconds old. Then one caller fetches them again, and the
  others use the old ones. Keys that are `usable_for` seconds old are not used: without a fetch,
  nothing can be verified. After a failed fetch, the next one waits for 30 seconds.
- A key ID that is unknown is looked up immediately, unless the token is refused in any case:
  otherwise tokens of other organizations would decide when keys are fetched. After a lookup that
  found nothing, the next one waits for 30 seconds. Until then, other tokens with an unknown key ID
  cannot be verified.
- A token without a key ID is of the only key there is. If that did not make its signature, the
  keys are looked up in the same way, because the issuer may have replaced it. After such a lookup,
  the next one always waits for 30 seconds.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from math import inf
from typing import TYPE_CHECKING

from fdaa._support.clock import now
from fdaa._support.escapes import quote
from fdaa._values.checks import check_type
from fdaa._values.errors import ArgumentError
from fdaa.platform._errors import CannotVerifyError, PlatformError

if TYPE_CHECKING:
    from fdaa.platform._issuer import AsyncIssuer, Issuer
    from fdaa.platform._jwks import Key, Keys

_COOLDOWN = 30.0  # seconds

_LOG = logging.getLogger("fdaa.platform")


class KeyStore:
    """The fetched keys of an issuer, and when to fetch them again. It fetches nothing itself.

    Args:
        fresh_for: seconds for which keys are used without another fetch.
        usable_for: seconds for which they are used if a fetch fails.

    Attributes:
        begun: the number of fetches that have begun; one runs at a time.

    Raises:
        fdaa.ArgumentError: the two contradict each other.
    """

    def __init__(self, fresh_for: float, usable_for: float) -> None:
        check_type(fresh_for, "keys_fresh_for", int, float)
        check_type(usable_for, "keys_usable_for", int, float)
        if not 0 <= fresh_for <= usable_for:
            raise ArgumentError("keys_fresh_for must be 0 to keys_usable_for seconds")
        self._fresh_for = fresh_for
        self._usable_for = usable_for
        self.begun = 0
        self._began_at = -inf
        self._keys: Keys = {}
        self._keys_of = 0  # the number of the fetch that returned them
        self._keys_from = -inf  # the moment at which it began
        self._failure: PlatformError | None = None
        self._retry_at = -inf  # no fetch before this moment
        self._look_up_at = -inf  # no lookup of an unknown key before this moment

    def usable(self, key_id: str | None) -> Key | None:
        """Return the key with an ID; without one, the only key there is."""
        if self._age() >= self._usable_for:
            return None
        return _find(self._keys, key_id)

    def is_due(self, key_id: str | None, *, look_up: bool) -> bool:
        """Whether to fetch the keys now.

        Args:
            key_id: the key that a token needs.
            look_up: whether to fetch them for an ID that is unknown.
        """
        moment = now()
        if moment < self._retry_at:
            return False
        if self._age() >= self._fresh_for:
            return True
        return look_up and moment >= self._look_up_at and self._is_unknown(key_id)

    def begin(self) -> None:
        """Note that a fetch begins; `replace` or `note_failure` ends it."""
        self.begun += 1
        self._began_at = now()

    def replace(self, keys: Keys, key_id: str | None, *, look_up: bool) -> None:
        """Keep fetched keys.

        Args:
            keys: at least one of them can be used.
            key_id: the key that they were fetched for.
            look_up: as for `is_due`.
        """
        self._keys = keys
        self._keys_of = self.begun
        self._keys_from = self._began_at
        self._failure = None
        if look_up and self._is_unknown(key_id):
            self._look_up_at = self._began_at + _COOLDOWN

    def note_failure(self, error: PlatformError) -> None:
        """Keep the old keys, as they could not be fetched."""
        if self._keys:
            _LOG.warning("the issuer's keys are not renewed: %s", error)
        self._failure = error
        self._retry_at = self._began_at + _COOLDOWN

    def result(self, key_id: str | None, arrived: int, *, look_up: bool) -> Key | None:
        """Return the key for a token; None if the issuer does not have it.

        Args:
            key_id: the key that the token needs.
            arrived: how many fetches had begun when the token was given.
            look_up: as for `is_due`.

        Raises:
            CannotVerifyError: whether the issuer has it is not known.
        """
        key = self.usable(key_id)
        if key is not None:
            return key
        if self._age() >= self._usable_for:
            raise CannotVerifyError(str(self._failure or "the issuer's keys were not fetched"))
        if not look_up or key_id is None:  # without an ID, `find_again` follows
            return None
        if self._failure is not None:
            raise CannotVerifyError(str(self._failure))
        if not self._was_fetched(arrived):
            raise self._too_early(f"its key {quote(key_id)} is unknown")
        return None

    def must_look_again(self, arrived: int) -> bool:
        """Whether to fetch the keys for a signature that no known key made.

        Args:
            arrived: how many fetches had begun when the token was given.

        Raises:
            CannotVerifyError: it is too early for a fetch.
        """
        if self._was_fetched(arrived):
            return False
        if now() < self._retry_at:
            raise CannotVerifyError(str(self._failure))
        if now() < self._look_up_at:
            raise self._too_early("no known key matches the signature")
        return True

    def begin_to_look_again(self) -> None:
        """Note that a fetch follows for a signature that no known key made."""
        self._look_up_at = now() + _COOLDOWN

    def found_again(self, arrived: int) -> Key | None:
        """Return the only key, as it was published after a token was given.

        Raises:
            CannotVerifyError: the keys could not be fetched.
        """
        if not self._was_fetched(arrived):
            raise CannotVerifyError(str(self._failure))
        return self.usable(None)

    def _was_fetched(self, arrived: int) -> bool:
        """Whether the keys come from a fetch that began after a token was given."""
        return self._keys_of > arrived

    def _too_early(self, reason: str) -> CannotVerifyError:
        wait = max(0.0, self._look_up_at - now())
        since = "the issuer's keys were fetched a moment ago"
        return CannotVerifyError(f"{reason}, and {since}; try again in {wait:.0f} seconds")

    def _age(self) -> float:
        return now() - self._keys_from

    def _is_unknown(self, key_id: str | None) -> bool:
        return key_id is not None and key_id not in self._keys


def _find(keys: Keys, key_id: str | None) -> Key | None:
    """Return the key with an ID; without one, the only key there is."""
    if key_id is not None:
        return keys.get(key_id)
    if len(keys) == 1:
        return next(iter(keys.values()))
    return None


class FetchedKeys:
    """The keys of an issuer; threads may share them."""

    def __init__(self, store: KeyStore, issuer: Issuer) -> None:
        self._store = store
        self._issuer = issuer
        self._lock = threading.Lock()  # held during a fetch

    @property
    def begun(self) -> int:
        """The number of fetches that have begun."""
        return self._store.begun

    def find(self, key_id: str | None, *, look_up: bool) -> Key | None:
        """Return the key for a token, after a fetch if one is due; None if there is none.

        Args:
            key_id: the ID in the token's header.
            look_up: whether to fetch the keys for an ID that is unknown.

        Raises:
            CannotVerifyError: it is not known whether there is such a key.
        """
        arrived = self._store.begun
        if self._store.is_due(key_id, look_up=look_up):
            old = self._store.usable(key_id)
            must_wait = old is None
            if not self._lock.acquire(blocking=must_wait):
                return old  # another thread fetches them
            try:
                # Another thread may have fetched them while this one waited.
                if self._store.is_due(key_id, look_up=look_up):
                    self._fetch(key_id, look_up=look_up)
            finally:
                self._lock.release()
        return self._store.result(key_id, arrived, look_up=look_up)

    def find_again(self, arrived: int) -> Key | None:
        """Return the key for a token without an ID whose signature the known one did not make.

        Args:
            arrived: the value of `begun` when the token was given.

        Raises:
            CannotVerifyError: it is not known whether the issuer has another key.
        """
        if self._store.must_look_again(arrived):
            with self._lock:
                # Another thread may have fetched them while this one waited.
                if self._store.must_look_again(arrived):
                    self._store.begin_to_look_again()
                    self._fetch(None, look_up=False)
        return self._store.found_again(arrived)

    def _fetch(self, key_id: str | None, *, look_up: bool) -> None:
        self._store.begin()
        try:
            keys = self._issuer.fetch()
        except PlatformError as error:
            self._store.note_failure(error)
        else:
            self._store.replace(keys, key_id, look_up=look_up)

    def close(self) -> None:
        """Close the connections to the issuer."""
        self._issuer.close()


class AsyncFetchedKeys:
    """The keys of an issuer, for the tasks of an event loop of asyncio."""

    def __init__(self, store: KeyStore, issuer: AsyncIssuer) -> None:
        self._store = store
        self._issuer = issuer
        self._fetching: asyncio.Task[None] | None = None

    @property
    def begun(self) -> int:
        """The number of fetches that have begun."""
        return self._store.begun

    async def find(self, key_id: str | None, *, look_up: bool) -> Key | None:
        """Return the key for a token; see `FetchedKeys.find`.

        One task fetches the keys for all that wait for them. It goes on when they are cancelled:
        otherwise callers that time out would decide how many requests are sent.
        """
        arrived = self._store.begun
        while self._store.is_due(key_id, look_up=look_up):
            fetching = self._running_fetch()
            if fetching is None:
                self._fetching = asyncio.create_task(self._fetch(key_id, look_up=look_up))
                await asyncio.wait([self._fetching])
                break
            old = self._store.usable(key_id)
            if old is not None:
                return old
            await asyncio.wait([fetching])
        return self._store.result(key_id, arrived, look_up=look_up)

    async def find_again(self, arrived: int) -> Key | None:
        """Return the key for a token; see `FetchedKeys.find_again`."""
        while self._store.must_look_again(arrived):
            fetching = self._running_fetch()
            if fetching is None:
                self._store.begin_to_look_again()
                self._fetching = asyncio.create_task(self._fetch(None, look_up=False))
                await asyncio.wait([self._fetching])
                break
            await asyncio.wait([fetching])
        return self._store.found_again(arrived)

    def _running_fetch(self) -> asyncio.Task[None] | None:
        """Return the task that fetches the keys; one of another event loop has ended with it."""
        task = self._fetching
        if task is None or task.done() or task.get_loop() is not asyncio.get_running_loop():
            return None
        return task

    async def _fetch(self, key_id: str | None, *, look_up: bool) -> None:
        self._store.begin()
        try:
            keys = await self._issuer.fetch()
        except PlatformError as error:
            self._store.note_failure(error)
        else:
            self._store.replace(keys, key_id, look_up=look_up)

    async def aclose(self) -> None:
        """Close the connections to the issuer, and end a fetch."""
        await self._issuer.aclose()
        fetching = self._running_fetch()
        if fetching is not None:
            fetching.cancel()
            await asyncio.wait([fetching])


class GivenKeys:
    """Keys that are given and never fetched; called as `FetchedKeys` is."""

    begun = 0

    def __init__(self, keys: Keys) -> None:
        self._keys = keys

    def find(self, key_id: str | None, *, look_up: bool) -> Key | None:  # noqa: ARG002
        """Return the key for a token; None if there is none."""
        return _find(self._keys, key_id)

    def find_again(self, arrived: int) -> Key | None:  # noqa: ARG002
        """Return the same key."""
        return _find(self._keys, None)

    def close(self) -> None:
        """Do nothing: there is no connection."""


class AsyncGivenKeys:
    """`GivenKeys` for asynchronous code."""

    begun = 0

    def __init__(self, keys: Keys) -> None:
        self._keys = keys

    async def find(self, key_id: str | None, *, look_up: bool) -> Key | None:  # noqa: ARG002
        """Return the key for a token; None if there is none."""
        return _find(self._keys, key_id)

    async def find_again(self, arrived: int) -> Key | None:  # noqa: ARG002
        """Return the same key."""
        return _find(self._keys, None)

    async def aclose(self) -> None:
        """Do nothing: there is no connection."""
