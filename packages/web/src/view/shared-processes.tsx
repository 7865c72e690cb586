import type { SharedProcess } from "@agentwire/api";
import { bytes } from "../text/words.ts";

/** The agent processes shared by several sessions, with slow ones marked. */
export function SharedProcesses({ processes }: { readonly processes: readonly SharedProcess[] }) {
  return (
    <table class="facts">
      <thead>
        <tr>
          <th scope="col">Process</th>
          <th scope="col">Sessions</th>
          <th scope="col">Memory</th>
          <th scope="col">Largest session</th>
          <th scope="col">Event-loop delay</th>
        </tr>
      </thead>
      <tbody>
        {processes.map(({ pid, sessions, memoryBytes, largestSessionBytes, eventLoopDelayMs, slow }) => (
          <tr key={pid}>
            <td>{pid}</td>
            <td>{sessions}</td>
            <td>{bytes(Number(memoryBytes))}</td>
            <td>{bytes(Number(largestSessionBytes))}</td>
            <td>
              {eventLoopDelayMs} ms{" "}
              {slow && (
                <span class="tag warning" title="Sessions in this process delay each other">
                  slow
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
