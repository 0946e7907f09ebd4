"""Values that say something else than they are; only what `int`, `bytes` and `str` do is true."""


class LyingInt(int):
    __int__ = __index__ = lambda _: 2**200
    __ror__ = __rlshift__ = lambda *_: 0

    def to_bytes(self, *_):
        return b"lie"


class LyingBytes(bytes):
    __bytes__ = __getitem__ = lower = lambda *_: b" fdaa::666 "
    decode = __str__ = lambda *_: "[]"
    __len__ = find = lambda *_: 16
    startswith = __contains__ = lambda *_: True

    def __iter__(self):
        return iter(b"lie")


class LyingStr(str):
    __str__ = lower = replace = removeprefix = lambda *_: "fdaa::1"
    __contains__ = startswith = isascii = lambda *_: True

    def __len__(self):
        return 7

    def __getitem__(self, key):
        return "fdaa::1"[key]

    def __iter__(self):
        return iter("fdaa::1")

    def encode(self, *_):
        return b"fdaa::1"

    def partition(self, _):
        return "fdaa::", "/", "48"
