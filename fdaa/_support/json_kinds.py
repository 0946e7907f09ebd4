"""The kinds of JSON values, in the words of JSON, as a reader may not know Python."""

KINDS: dict[type, str] = {
    bool: "true or false",
    dict: "an object",
    float: "a fractional number",
    int: "a number",
    list: "an array",
    type(None): "null",
}
