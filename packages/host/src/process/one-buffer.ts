import { Socket, type SocketConstructorOpts } from "node:net";
import type { Readable } from "node:stream";

/** The text of a larger chunk would go where the engine keeps large objects, each on fresh pages. */
const BUFFER_BYTES = 65_536;

/** How much is read from one agent in a turn of the event loop: clients, timers and other agents wait until it has been dealt with. */
const TURN_BYTES = 262_144;

/** Where the output of all agents is read into: it is done with before the next of them is read. */
let shared: Buffer | undefined;

/**
 * The same output read into one buffer for all agents, in place of a new one for each chunk: of long lines those cost a quarter of
 * the time. A chunk is valid until its listener returns. Paused until it is resumed.
 *
 * Node reads like that on sockets of its `net.connect` alone. The way to have it of a child's pipe leads through the pipe's
 * handle, which Node does not document; where there is none such, the stream stays as it is.
 */
export function withOneBuffer(output: Readable): Readable {
  const handle = handleOf(output);
  if (!handle) return output;
  shared ??= Buffer.allocUnsafeSlow(BUFFER_BYTES);
  const buffer = shared;
  let read = 0;
  const endTurn = () => {
    const isLong = read >= TURN_BYTES;
    read = 0;
    if (isLong && !socket.isPaused()) socket.resume();
  };
  const socket = new Socket({
    handle,
    writable: false,
    onread: {
      buffer,
      // The runtime reads on within the turn, up to 32 times, unless this returns false.
      callback: (bytes: number) => {
        if (read === 0) setImmediate(endTurn);
        read += bytes;
        socket.emit("data", buffer.subarray(0, bytes));
        return read < TURN_BYTES;
      },
    },
  } as SocketConstructorOpts);
  return socket.pause();
}

/** Takes the handle of a pipe away from its stream. */
function handleOf(output: Readable): object | undefined {
  const owner = output as { _handle?: { useUserBuffer?: unknown } | null };
  const handle = owner._handle;
  if (typeof handle?.useUserBuffer !== "function") return undefined;
  owner._handle = null;
  output.destroy();
  return handle;
}
