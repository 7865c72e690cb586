"""Listens on a datagram socket as systemd does, and prints one line per message."""
import array
import json
import os
import socket
import sys

listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
listener.bind(sys.argv[1])
print("listening", flush=True)
while True:
    data, ancillary, _, _ = listener.recvmsg(65536, socket.CMSG_SPACE(64 * array.array("i").itemsize))
    for level, kind, content in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            descriptors = array.array("i")
            descriptors.frombytes(content[: len(content) - len(content) % descriptors.itemsize])
            # The sender of a barrier waits until its descriptor is closed.
            for descriptor in descriptors:
                os.close(descriptor)
    fields = dict(line.split("=", 1) for line in data.decode().splitlines() if "=" in line)
    if "BARRIER" not in fields:
        print(json.dumps(fields), flush=True)
