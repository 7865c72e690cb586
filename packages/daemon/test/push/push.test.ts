import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "@agentwire/protocol/support";
import { afterAll, describe, expect, test } from "vitest";
import { encryptMessage } from "../../src/push/encrypt.ts";
import { endpointOf, isPublicAddress } from "../../src/push/endpoint.ts";
import { Push } from "../../src/push/push.ts";

const bytes = (text: string) => Buffer.from(text, "base64url");

/** The example of RFC 8291, section 5 and appendix A. */
const RECEIVER = {
  p256dh: bytes("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
  auth: bytes("BTBZMqHH6r4Tts7J_aSIgg"),
};
const EXAMPLE =
  "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";

test("a message is encrypted as in the standard's example, and differently each time", () => {
  const text = "When I grow up, I want to be a watermelon";
  const fresh = {
    salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"),
    privateKey: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
  };
  expect(encryptMessage(text, RECEIVER, fresh).toString("base64url")).toBe(EXAMPLE);
  expect(encryptMessage(text, RECEIVER)).not.toEqual(encryptMessage(text, RECEIVER));
});

describe("an endpoint", () => {
  test.each([
    "https://fcm.googleapis.com/fcm/send/abc",
    "https://updates.push.services.mozilla.com/wpush/v2/abc",
    "https://web.push.apple.com/abc",
    "https://wns2-par02p.notify.windows.com/w/?token=abc",
    "https://push.home.example:8443/abc",
  ])("is accepted: %s", (text) => {
    expect(endpointOf(text, ["push.home.example:8443"]).url.href).toBe(text);
  });

  test.each([
    "http://fcm.googleapis.com/abc",
    "https://127.0.0.1/abc",
    "https://[::1]/abc",
    "https://localhost:7433/agentwire.v1.SessionService/CreateSession",
    "https://169.254.169.254/latest/meta-data",
    "https://fcm.googleapis.com:8080/abc",
    "https://fcm.googleapis.com@evil.example/abc",
    "https://fcm.googleapis.com.evil.example/abc",
    "https://evilpush.apple.com.example/",
    "https://push.home.example/abc",
    `https://fcm.googleapis.com/${"a".repeat(3000)}`,
    "file:///etc/passwd",
    "nonsense",
  ])("is refused: %s", (text) => {
    expect(() => endpointOf(text, ["push.home.example:8443"])).toThrow(/^endpoint: /);
  });

  test.each([
    ["8.8.8.8", true],
    ["2001:4860:4860::8888", true],
    ["127.0.0.1", false],
    ["10.1.2.3", false],
    ["172.20.0.1", false],
    ["192.168.1.1", false],
    ["169.254.169.254", false],
    ["100.64.0.1", false],
    ["0.0.0.0", false],
    ["::1", false],
    ["::", false],
    ["::ffff:127.0.0.1", false],
    ["::ffff:8.8.8.8", true],
    ["fd00::1", false],
    ["fe80::1", false],
    ["not-an-address", false],
  ])("may resolve to %s: %s", (address, isPublic) => {
    expect(isPublicAddress(address)).toBe(isPublic);
  });
});

describe("subscriptions", () => {
  const folder = mkdtempSync(join(tmpdir(), "agentwire-push-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const open = (at: string) => new Push({ folder: at, pushHosts: [], redact: String, log: silentLog });
  const wishes = { asks: true, failed: false, done: true };
  const endpoint = "https://fcm.googleapis.com/fcm/send/abc";

  test("outlive the daemon in a file only its owner can read, and end with its token", async () => {
    const push = open(folder);
    await push.subscribe({ endpoint, ...RECEIVER, wishes });
    const key = Buffer.from(push.publicKey);
    expect(statSync(join(folder, "push.json")).mode & 0o777).toBe(0o600);
    expect(open(folder).wishesOf(endpoint)).toEqual(wishes);
    expect(Buffer.from(open(folder).publicKey)).toEqual(key);
    expect(readFileSync(join(folder, "push.json"), "utf8")).toContain(endpoint);
    rmSync(join(folder, "token"));
    expect(open(folder).wishesOf(endpoint)).toBeUndefined();
  });

  test.each([
    ["a key that is not on the curve", { p256dh: Buffer.alloc(65, 4) }, /^p256dh: /],
    ["a key that is too short", { p256dh: Buffer.alloc(3) }, /^p256dh: /],
    ["a secret that is too short", { auth: Buffer.alloc(3) }, /^auth: /],
    ["another address", { endpoint: "https://10.0.0.1/" }, /^endpoint: /],
  ])("are refused with %s", async (_, wrong, text) => {
    await expect(open(folder).subscribe({ endpoint, ...RECEIVER, wishes, ...wrong })).rejects.toThrow(text);
  });

  test("are limited to fifty devices", async () => {
    const push = open(folder);
    for (let device = 0; device < 50; device++)
      await push.subscribe({ endpoint: `${endpoint}/${device}`, ...RECEIVER, wishes });
    await expect(push.subscribe({ endpoint: `${endpoint}/more`, ...RECEIVER, wishes })).rejects.toThrow(
      "50 devices get notifications already",
    );
    push.unsubscribe(`${endpoint}/0`);
    await push.subscribe({ endpoint: `${endpoint}/more`, ...RECEIVER, wishes });
  });
});
