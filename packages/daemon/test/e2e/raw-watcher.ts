import { type WatchResponse, WatchResponseSchema } from "@agentwire/api";
import { fromBinary } from "@bufbuild/protobuf";
import { rawWatch } from "../../../../bench/daemon/raw-watch.mjs";

/** A client on its own connection, which can stop reading. */
export interface RawWatcher {
  /** Stops reading, so that the daemon can't send. */
  pause(): void;
  resume(): void;
  leave(): void;
}

/** Watches a session from after a sequence number. */
export function watchRaw(
  socketPath: string,
  sessionId: string,
  afterSeq: bigint,
  onResponse: (response: WatchResponse) => void,
): RawWatcher {
  const { session, stream } = rawWatch(socketPath, { sessionId, afterSeq }, (response) =>
    onResponse(fromBinary(WatchResponseSchema, response)),
  );
  return {
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    leave: () => session.destroy(),
  };
}
