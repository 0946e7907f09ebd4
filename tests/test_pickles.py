"""Pickles that were written once are read for ever: their bytes are pinned here.

A change of these bytes breaks what users have stored: the old ones must still load.
"""

from __future__ import annotations

import pickle

import pytest

import fdaa

ADDRESS = fdaa.Address.parse("fdaa:2:45b::3")
NETWORK_ID = fdaa.NetworkID(0x2045B)
NAME = fdaa.NetworkName.parse("customer-17")

# value, protocol, bytes
PICKLES = (
    (
        ADDRESS,
        2,
        b"\x80\x02c__builtin__\ngetattr\nq\x00cfdaa\nAddress\nq\x01X\n\x00\x00\x00from_bytesq\x02"
        b"\x86q\x03Rq\x04c_codecs\nencode\nq\x05X\x12\x00\x00\x00\xc3\xbd\xc2\xaa\x00\x02\x04[\x00"
        b"\x00\x00\x00\x00\x00\x00\x00\x00\x03q\x06X\x06\x00\x00\x00latin1q\x07\x86q\x08Rq\t\x85q"
        b"\nRq\x0b.",
    ),
    (
        ADDRESS,
        3,
        b"\x80\x03cbuiltins\ngetattr\nq\x00cfdaa\nAddress\nq\x01X\n\x00\x00\x00from_bytesq\x02\x86"
        b"q\x03Rq\x04C\x10\xfd\xaa\x00\x02\x04[\x00\x00\x00\x00\x00\x00\x00\x00\x00\x03q\x05\x85q"
        b"\x06Rq\x07.",
    ),
    (
        ADDRESS,
        4,
        b"\x80\x04\x95S\x00\x00\x00\x00\x00\x00\x00\x8c\x08builtins\x94\x8c\x07getattr\x94\x93\x94"
        b"\x8c\x04fdaa\x94\x8c\x07Address\x94\x93\x94\x8c\nfrom_bytes\x94\x86\x94R\x94C\x10\xfd\xaa"
        b"\x00\x02\x04[\x00\x00\x00\x00\x00\x00\x00\x00\x00\x03\x94\x85\x94R\x94.",
    ),
    (
        ADDRESS,
        5,
        b"\x80\x05\x95S\x00\x00\x00\x00\x00\x00\x00\x8c\x08builtins\x94\x8c\x07getattr\x94\x93\x94"
        b"\x8c\x04fdaa\x94\x8c\x07Address\x94\x93\x94\x8c\nfrom_bytes\x94\x86\x94R\x94C\x10\xfd\xaa"
        b"\x00\x02\x04[\x00\x00\x00\x00\x00\x00\x00\x00\x00\x03\x94\x85\x94R\x94.",
    ),
    (NETWORK_ID, 2, b"\x80\x02cfdaa\nNetworkID\nq\x00J[\x04\x02\x00\x85q\x01Rq\x02."),
    (NETWORK_ID, 3, b"\x80\x03cfdaa\nNetworkID\nq\x00J[\x04\x02\x00\x85q\x01Rq\x02."),
    (
        NETWORK_ID,
        4,
        b"\x80\x04\x95\x1f\x00\x00\x00\x00\x00\x00\x00\x8c\x04fdaa\x94\x8c\tNetworkID\x94\x93\x94J["
        b"\x04\x02\x00\x85\x94R\x94.",
    ),
    (
        NETWORK_ID,
        5,
        b"\x80\x05\x95\x1f\x00\x00\x00\x00\x00\x00\x00\x8c\x04fdaa\x94\x8c\tNetworkID\x94\x93\x94J["
        b"\x04\x02\x00\x85\x94R\x94.",
    ),
    (
        NAME,
        2,
        b"\x80\x02c__builtin__\ngetattr\nq\x00cfdaa\nNetworkName\nq\x01X\x05\x00\x00\x00parseq\x02"
        b"\x86q\x03Rq\x04X\x0b\x00\x00\x00customer-17q\x05\x85q\x06Rq\x07.",
    ),
    (
        NAME,
        3,
        b"\x80\x03cbuiltins\ngetattr\nq\x00cfdaa\nNetworkName\nq\x01X\x05\x00\x00\x00parseq\x02\x86"
        b"q\x03Rq\x04X\x0b\x00\x00\x00customer-17q\x05\x85q\x06Rq\x07.",
    ),
    (
        NAME,
        4,
        b"\x80\x04\x95M\x00\x00\x00\x00\x00\x00\x00\x8c\x08builtins\x94\x8c\x07getattr\x94\x93\x94"
        b"\x8c\x04fdaa\x94\x8c\x0bNetworkName\x94\x93\x94\x8c\x05parse\x94\x86\x94R\x94\x8c\x0bcust"
        b"omer-17\x94\x85\x94R\x94.",
    ),
    (
        NAME,
        5,
        b"\x80\x05\x95M\x00\x00\x00\x00\x00\x00\x00\x8c\x08builtins\x94\x8c\x07getattr\x94\x93\x94"
        b"\x8c\x04fdaa\x94\x8c\x0bNetworkName\x94\x93\x94\x8c\x05parse\x94\x86\x94R\x94\x8c\x0bcust"
        b"omer-17\x94\x85\x94R\x94.",
    ),
)
IDS = [f"{type(value).__name__}-{protocol}" for value, protocol, _ in PICKLES]


@pytest.mark.parametrize(("value", "protocol", "pickled"), PICKLES, ids=IDS)
def test_a_stored_pickle_is_read(value: object, protocol: int, pickled: bytes) -> None:
    again = pickle.loads(pickled)
    assert again == value
    assert type(again) is type(value)
    assert pickled[1] == protocol


@pytest.mark.parametrize(("value", "protocol", "pickled"), PICKLES, ids=IDS)
def test_a_pickle_is_written_in_these_bytes(value: object, protocol: int, pickled: bytes) -> None:
    assert pickle.dumps(value, protocol) == pickled


SPOILED = (
    # value, bytes in its pickle, what replaces them, error
    (ADDRESS, b"\xfd\xaa\x00\x02", b"\xfd\xab\x00\x02", fdaa.AddressError),
    (NETWORK_ID, b"J[\x04\x02\x00", b"J\xff\xff\xff\xff", fdaa.NetworkIDError),
    (NAME, b"customer-17", b"customer_17", fdaa.NetworkNameError),
)


@pytest.mark.parametrize(("value", "old", "new", "error"), SPOILED)
def test_a_spoiled_pickle_makes_no_wrong_value(
    value: object, old: bytes, new: bytes, error: type[fdaa.FdaaError]
) -> None:
    pickled = pickle.dumps(value, 5)
    assert old in pickled
    with pytest.raises(error):
        pickle.loads(pickled.replace(old, new))
