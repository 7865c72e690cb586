import { request } from "node:http";
import { createInterface } from "node:readline";

/** The first line of a stream. */
export async function firstLine(stream) {
  for await (const line of createInterface(stream)) {
    // The writer must not be blocked.
    stream.resume();
    return line;
  }
  throw new Error("it ended before it said anything");
}

/** Reads a stream whose events contain the time at which they were sent; returns the delay of each, in milliseconds. */
export function readStream(url, token, body) {
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      { method: "POST", agent: false, headers: { "x-api-key": token } },
      (response) => {
        const delays = [];
        let rest = "";
        response.on("data", (chunk) => {
          const now = performance.timeOrigin + performance.now();
          rest += chunk;
          const end = rest.lastIndexOf("\n\n");
          if (end < 0) return;
          for (const [, sentAt] of rest.slice(0, end).matchAll(/@(\d+\.\d+)@/g))
            delays.push(now - Number(sentAt));
          rest = rest.slice(end);
        });
        response.on("end", () => resolve(delays)).on("error", reject);
      },
    );
    asked.on("error", reject).end(JSON.stringify(body));
  });
}
