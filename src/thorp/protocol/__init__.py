"""The agent protocol 0.9: messages, encodings and limits, shared by the server and its agents."""

from thorp.protocol.act import MAX_ACTIONS, Act, ActError, read_act
from thorp.protocol.frame import MAX_FRAME_BYTES, PROTOCOL_VERSION, clip
from thorp.protocol.handshake import (
    Auth,
    Capabilities,
    Catalog,
    HandshakeError,
    Hello,
    HelloError,
    SubscribeError,
    Welcome,
    read_hello,
    read_subscribe,
)
from thorp.protocol.obs import Obs, VoxelError, VoxelOp, apply_delta, decode_rle
from thorp.protocol.observer import OBSERVER_VERSION, Subscribe

__all__ = [
    "MAX_ACTIONS",
    "MAX_FRAME_BYTES",
    "OBSERVER_VERSION",
    "PROTOCOL_VERSION",
    "Act",
    "ActError",
    "Auth",
    "Capabilities",
    "Catalog",
    "HandshakeError",
    "Hello",
    "HelloError",
    "Obs",
    "Subscribe",
    "SubscribeError",
    "VoxelError",
    "VoxelOp",
    "Welcome",
    "actions",
    "apply_delta",
    "clip",
    "decode_rle",
    "read_act",
    "read_hello",
    "read_subscribe",
    "session",
    "testing",
]
