"""Makes gRPC calls for the test beside it: reads one call per line from stdin, prints its outcome to stdout."""
import base64
import json
import sys

import grpc

channels = {}


def channel_to(target, ca, host):
    key = (target, ca, host)
    if key not in channels:
        options = [("grpc.enable_http_proxy", 0)]
        if host is not None:
            options.append(("grpc.default_authority", host))
        if ca is None:
            channels[key] = grpc.insecure_channel(target, options)
        else:
            with open(ca, "rb") as file:
                credentials = grpc.ssl_channel_credentials(file.read())
            channels[key] = grpc.secure_channel(target, credentials, options)
    return channels[key]


def call(channel, kind, path, bodies, **how):
    if kind == "unary":
        yield channel.unary_unary(path)(bodies[0], **how)
    elif kind == "server_streaming":
        yield from channel.unary_stream(path)(bodies[0], **how)
    else:
        yield from channel.stream_stream(path)(iter(bodies), **how)


for line in sys.stdin:
    asked = json.loads(line)
    answers = []
    code, text = 0, ""
    try:
        channel = channel_to(asked["target"], asked.get("ca"), asked.get("host"))
        bodies = [base64.b64decode(body) for body in asked["bodies"]]
        metadata = [tuple(pair) for pair in asked["metadata"]]
        timeout = asked.get("timeout")
        for answer in call(channel, asked["kind"], asked["path"], bodies, metadata=metadata, timeout=timeout):
            answers.append(base64.b64encode(answer).decode())
    except grpc.RpcError as error:
        code, text = error.code().value[0], error.details()
    print(json.dumps({"code": code, "text": text, "answers": answers}), flush=True)
