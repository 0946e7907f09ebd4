"""A verifier beside rotations, outages, foreign and forged tokens, in any order."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from token_issuer import Issuer, rsa_jwk, verifier

from fdaa.platform import CannotVerifyError, TokenRefusedError

if TYPE_CHECKING:
    from token_issuer import Awaited

    from fdaa.platform import Verifier

KEYS = [f"key-{number}" for number in range(6)]
COOLDOWN = 30  # seconds
FRESH = 3600
USABLE = 86_400


class World:
    """An issuer, a verifier of its tokens, and a clock.

    Args:
        issuer: publishes keys, which change.
        checker: the verifier.
        choose: decides what happens.
        has_ids: whether each token has the ID of its key.
    """

    def __init__(
        self, issuer: Issuer, checker: Verifier | Awaited, choose: random.Random, *, has_ids: bool
    ) -> None:
        self.issuer = issuer
        self.has_ids = has_ids
        self.checker = checker
        self.choose = choose
        self.now = 0.0
        self.published: list[str] = []  # the IDs of keys
        self.last_trouble = -1e9  # when a fetch may have failed, or a lookup found nothing
        self.results: set[tuple[str, str]] = set()
        self.publish(KEYS[:2])

    def publish(self, names: list[str]) -> None:
        self.published = names
        self.issuer.keys = {"keys": [rsa_jwk(name) for name in names]}

    def verify(self, **options: Any) -> str:
        """Return what a verifier says of a token."""
        if self.issuer.status != 200:
            self.last_trouble = self.now
        fetches = self.issuer.fetches
        said = self._verify(self.issuer.token(**options))
        if not self.has_ids and self.issuer.fetches > fetches:
            self.last_trouble = self.now  # a lookup for a signature, whatever it found
        return said

    def _verify(self, token: str) -> str:
        try:
            self.checker.verify(token)
        except TokenRefusedError:
            return "refused"
        except CannotVerifyError:
            return "unknown"
        return "valid"

    def rotate(self) -> None:
        names = self.choose.sample(KEYS, self.choose.randrange(1, 4))
        self.publish(names)

    def fail_or_recover(self) -> None:
        self.issuer.status = self.choose.choice([200, 200, 404])

    def wait(self) -> None:
        self.now += self.choose.choice([0.1, 1, 10, 29, 31, 600, FRESH, USABLE])

    def valid(self) -> None:
        """A token of the issuer is never refused; where nothing is wrong, it is valid."""
        name = self.choose.choice(self.published)
        quiet = self.now - self.last_trouble > COOLDOWN
        said = self.verify(header={"kid": name}, key=name)
        assert said != "refused"
        if quiet and self.issuer.status == 200:
            assert said == "valid"
        self.results.add(("valid", said))

    def foreign(self) -> None:
        """A token of another organization is never valid."""
        name = self.choose.choice([*KEYS, "foreign"])
        said = self.verify(header={"kid": name}, key="foreign", iss="https://oidc.example/rival")
        assert said != "valid"
        self.results.add(("foreign", said))

    def forged(self) -> None:
        """A token that only its signature refuses, with a key that no one has, is never valid."""
        said = self.verify(header={"kid": f"forged-{self.now}"}, key="foreign")
        assert said != "valid"
        self.last_trouble = self.now
        self.results.add(("forged", said))

    def forged_signature(self) -> None:
        """A token with a known key ID, or none, that another key signed is never valid."""
        name = self.choose.choice([*KEYS, None])
        said = self.verify(header={"kid": name}, key="foreign")
        assert said != "valid"
        self.last_trouble = self.now
        self.results.add(("forged", said))

    def replace(self) -> None:
        """The issuer publishes one key, so that tokens need no ID."""
        self.publish([self.choose.choice(KEYS)])

    def without_id(self) -> None:
        """A token without a key ID is never refused while the issuer publishes one key."""
        if len(self.published) == 1:
            said = self.verify(header={"kid": None}, key=self.published[0])
            assert said != "refused"
            self.results.add(("without ID", said))

    def expired(self) -> None:
        name = self.choose.choice(self.published)
        assert self.verify(header={"kid": name}, key=name, exp=1) != "valid"


@pytest.mark.parametrize("has_ids", [True, False], ids=["IDs", "no IDs"])
@pytest.mark.parametrize("steps", [60, pytest.param(4000, marks=pytest.mark.campaign)])
def test_no_token_of_the_issuer_is_refused_and_no_other_is_valid(
    issuer: Issuer, kind: str, steps: int, has_ids: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock is private, as users have no business with it."""
    choose = random.Random(steps)
    world = World(issuer, verifier(issuer, kind=kind), choose, has_ids=has_ids)
    monkeypatch.setattr("fdaa.platform._keys.now", lambda: world.now)
    rare = [world.rotate, world.fail_or_recover, world.forged, world.forged_signature]
    often = [world.wait, world.valid, world.foreign, world.expired]
    if not has_ids:
        rare.append(world.replace)
        often.append(world.without_id)
    for _ in range(steps):
        step = choose.choice([*rare, *often, *often])
        step()
    assert ("valid", "valid") in world.results
    assert ("foreign", "refused") in world.results
