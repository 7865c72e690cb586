import { describe, expect, test } from "vitest";
import { isLoopbackName, refuseAddress } from "../../../src/tools/web/address.ts";
import { checkUrl } from "../../../src/tools/web/fetch-page.ts";

describe("addresses", () => {
  test.each([
    ["localhost", true],
    ["app.localhost", true],
    ["127.0.0.1", true],
    ["127.8.9.1", true],
    ["[::1]", true],
    ["example.com", false],
    ["localhost.example.com", false],
    ["10.0.0.1", false],
  ])("%s is recognized as this machine: %s", (name, expected) => {
    expect(isLoopbackName(name)).toBe(expected);
  });

  test("another name that resolves to this machine is refused", () => {
    expect(refuseAddress("evil.example", "127.0.0.1")).toContain("this machine");
    expect(refuseAddress("evil.example", "::1")).toContain("this machine");
    expect(refuseAddress("localhost", "127.0.0.1")).toBeUndefined();
  });

  test.each(["169.254.169.254", "fe80::1", "::ffff:a9fe:a9fe", "fd00:ec2::254", "224.0.0.1"])(
    "%s is refused under any name",
    (address) => {
      expect(refuseAddress("example.com", address)).toBeDefined();
    },
  );

  test.each(["93.184.216.34", "10.1.2.3", "192.168.1.1", "2001:db8::1"])("%s may be fetched", (address) => {
    expect(refuseAddress("example.com", address)).toBeUndefined();
  });

  test.each([
    ["http://example.com/a#b", "https://example.com/a"],
    ["http://example.com:8080/", "https://example.com:8080/"],
    ["http://localhost:3000/", "http://localhost:3000/"],
    ["https://example.com/?q=1", "https://example.com/?q=1"],
  ])("%s is fetched as %s", (given, fetched) => {
    expect(checkUrl(given).href).toBe(fetched);
  });
});
