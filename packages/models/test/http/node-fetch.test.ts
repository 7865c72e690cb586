import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { createNodeFetch } from "../../src/http/node-fetch.ts";

test("successive callers share a connection, and each sends its own headers", async () => {
  const keys: unknown[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    keys.push(request.headers["x-api-key"]);
    response.end("done");
  });
  server.on("connection", () => connections++);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  for (const key of ["first", "second"]) {
    const response = await createNodeFetch(10_000)(url, { headers: [["x-api-key", key]] });
    expect(await response.text()).toBe("done");
  }
  expect(keys).toEqual(["first", "second"]);
  expect(connections).toBe(1);
  server.closeAllConnections();
  server.close();
});
