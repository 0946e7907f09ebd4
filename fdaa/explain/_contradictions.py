"""Contradictions as sentences: the rule that documents break, and their facts."""

from fdaa._checks import check_type
from fdaa._escapes import inline, printable
from fdaa.networks import Contradiction, Fact, Origin, Rule

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
}
# What breaks a rule, where the sentence already says what it is about.
_SUBJECTS = {
    "network": "a network name",
    "ID": "a network ID",
    "app": "it",
    "address": "one address",
}


def broken_rule(rule: Rule) -> str:
    """Return what breaks a rule: `a network name has two IDs`."""
    return _BROKEN[rule].format_map(_SUBJECTS)


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
    places = [f"{inline(origin.file)}: {describe_place(origin.place)}" for origin in origins]
    return printable("; ".join(places))


def describe_place(place: str) -> str:
    """Return a place in a file; the end of a very long one is left out."""
    # A book contains names from documents, which may be of any length.
    if len(place) <= _PLACE:
        return place
    return place[:_PLACE] + "..."
