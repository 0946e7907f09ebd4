"""What documents show, in words: networks, apps, contradictions, holders."""

from types import NoneType

from fdaa._checks import check_type
from fdaa._escapes import inline, printable
from fdaa.networks import (
    Contradiction,
    Fact,
    Holder,
    KnownNetwork,
    Origin,
    Rule,
)

# --- names ----------------------------------------------------------------------------------------

_APPS_WIDTH = 40  # characters of a list of apps that are shown


def describe_apps(apps: tuple[str, ...]) -> str:
    """Return as many apps as a narrow column takes, at least one, and how many more there are.

    >>> describe_apps(("web", "api"))
    'web, api'
    """
    check_type(apps, "apps", tuple)
    if not apps:
        return "-"
    shown: list[str] = []
    for app in apps:
        shown.append(inline(app))
        if len(shown) > 1 and len(", ".join(shown)) > _APPS_WIDTH:
            shown.pop()
            shown.append(f"and {len(apps) - len(shown)} more")
            break
    return ", ".join(shown)


def describe_network(network: KnownNetwork | None) -> str:
    """Return what a network is called: its name and ID, as far as they are known.

    >>> from fdaa import NetworkID
    >>> describe_network(KnownNetwork(network_id=NetworkID("2:45b")))
    'network 2:45b'
    """
    check_type(network, "network", KnownNetwork, NoneType)
    if network is None or network == KnownNetwork():
        return "an unknown network"
    if network.name is None:
        return f"network {network.network_id}"
    if network.network_id is None:
        return f"network {inline(network.name)}"
    return f"network {inline(network.name)} ({network.network_id})"


# --- contradictions -------------------------------------------------------------------------------

_FACTS_SHOWN = 10  # of one contradiction; --json has them all
_PLACE = 200  # characters of a place that are shown

_BROKEN = {
    Rule.NAME_HAS_TWO_IDS: "{network} has two IDs",
    Rule.ID_HAS_TWO_NAMES: "{ID} has two names",
    Rule.APP_ON_TWO_NETWORKS: "{app} is on two networks",
    Rule.APP_LISTED_TWICE: "{app} is listed on two networks",
    Rule.ADDRESS_OF_TWO_APPS: "{address} is listed for two apps",
    Rule.ADDRESS_HELD_TWICE: "{address} is listed for two Machines, or for a Machine and as a "
    "cross-network address",
    Rule.MACHINE_OF_TWO_APPS: "a Machine is listed for two apps",
}
# What breaks a rule, where no fact is shown.
_SUBJECTS = {
    "network": "a network name",
    "ID": "a network ID",
    "address": "one address",
}


def broken_rule(rule: Rule, app: str) -> str:
    """Return what breaks a rule: `a network name has two IDs`.

    Args:
        rule: the rule.
        app: what to call the app.
    """
    return _BROKEN[rule].format_map({**_SUBJECTS, "app": app})


def explain_contradiction(contradiction: Contradiction) -> str:
    """Return a contradiction as lines: the rule that is broken, and the facts.

    >>> from fdaa.networks import NetworkMap, parse_document
    >>> documents = []
    >>> for network in ("blue", "green"):
    ...     rows = f'[{{"Name": "web", "Network": "{network}"}}]'
    ...     documents.append(parse_document(rows, file=f"{network}.json"))
    >>> [contradiction] = NetworkMap(documents).contradictions
    >>> print(explain_contradiction(contradiction))
    contradiction: app web is listed on two networks
      network blue, app web (blue.json: [0].Network)
      network green, app web (green.json: [0].Network)
    """
    check_type(contradiction, "contradiction", Contradiction)
    facts = contradiction.facts
    broken = _BROKEN[contradiction.rule].format_map(_words(facts[0]))
    lines = [f"contradiction: {broken}"]
    for fact in facts[:_FACTS_SHOWN]:
        words = ", ".join(_words(fact).values())
        lines.append(f"  {words} ({describe_origins(fact.origins)})")
    more = len(facts) - _FACTS_SHOWN
    if more > 0:
        lines.append(f"  and {more} more like these; `fdaa networks --json` shows all")
    return "\n".join(lines)


def _words(fact: Fact) -> dict[str, str]:
    """Return what a fact is about, by its nouns: `app web`."""
    values = {
        "network": fact.name,
        "ID": fact.network_id,
        "app": fact.app,
        "address": fact.address,
    }
    words: dict[str, str] = {}
    for noun, value in values.items():
        if value is not None:
            words[noun] = f"{noun} {inline(str(value))}"
    return words


def describe_origins(origins: tuple[Origin, ...]) -> str:
    """Return the sources of a fact: files, and the places in them."""
    check_type(origins, "origins", tuple)
    places = [f"{inline(origin.file)}: {describe_place(origin.place)}" for origin in origins]
    return printable("; ".join(places))


def describe_place(place: str) -> str:
    """Return a place in a file; the end of a very long one is left out."""
    check_type(place, "place", str)
    # A book contains names from documents, which may be of any length.
    if len(place) <= _PLACE:
        return place
    return place[:_PLACE] + "..."


# --- holders --------------------------------------------------------------------------------------


def explain_holder(holder: Holder) -> str | None:
    """Return the remark about how an address is held, or None where its row says all."""
    check_type(holder, "holder", Holder)
    if holder.holding == "machine":
        if not holder.is_stopped:
            return None
        return f"{inline(holder.state)}: such a Machine does not respond (assumed)"
    when = ""
    if holder.learned_on is not None:
        when = f" on {inline(holder.learned_on[:10])}"
    had_it = ""
    if holder.app is not None:
        had_it = f"; {inline(holder.app)} had it when the book learned it{when}"
    words = {"looked_at": describe_apps(holder.looked_at), "when": when, "had_it": had_it}
    return _HOLDINGS[holder.holding].format_map(words)


_HOLDINGS = {
    "cross-network-address": "allocated to the app for clients on this network",
    "book": "the app had this address when the book learned it{when}",
    "stale": "stale: no Machine of {looked_at} has this address{had_it}",
    "contradiction": "unknown: the documents disagree; `fdaa networks` shows how",
    "service": "unknown: services of the platform are assumed to have network ID 0",
    "unknown": "unknown: not in any document or book",
}
