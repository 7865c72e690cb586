import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { makeAuthority, makeCertificate } from "../../../daemon/test/security/certificates.ts";

/** A message as a push service got it, and as the browser of the subscription reads it. */
export interface Received {
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/** A push service with one subscription: it takes what RFC 8030 says, checks who sends it (RFC 8292), and reads it (RFC 8291). */
export class PushReceiver {
  readonly #browser = createECDH("prime256v1");
  readonly p256dh = this.#browser.generateKeys();
  readonly auth = randomBytes(16);
  readonly received: Received[] = [];
  /** How it answers. */
  status = 201;
  readonly #server: Server;
  readonly authority: string;

  constructor(folder: string) {
    const authority = makeAuthority(folder, "push-authority");
    const { cert, key } = makeCertificate(folder, "localhost", authority);
    this.authority = authority.cert;
    this.#server = createServer(
      { cert: readFileSync(cert), key: readFileSync(key) },
      async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        this.#take(request, Buffer.concat(chunks));
        response.writeHead(this.status).end();
      },
    );
  }

  async open(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  get host(): string {
    return `localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  get endpoint(): string {
    return `https://${this.host}/push/1`;
  }

  #take({ headers }: IncomingMessage, body: Buffer): void {
    this.#checkSender(String(headers.authorization));
    this.received.push({ headers, text: this.#read(body) });
  }

  #checkSender(authorization: string): void {
    const [, token = "", key = ""] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
    const [head = "", claims = "", signature = ""] = token.split(".");
    const point = Buffer.from(key, "base64url");
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString("base64url"));
    const jwk = { kty: "EC", crv: "P-256", x: x ?? "", y: y ?? "" };
    const publicKey = createPublicKey({ key: jwk, format: "jwk" });
    const signed = Buffer.from(`${head}.${claims}`);
    const isSigned = verify(
      "sha256",
      signed,
      { key: publicKey, dsaEncoding: "ieee-p1363" },
      Buffer.from(signature, "base64url"),
    );
    const { aud, exp } = JSON.parse(Buffer.from(claims, "base64url").toString());
    const seconds = exp - Date.now() / 1000;
    if (!isSigned || aud !== `https://${this.host}` || seconds < 0 || seconds > 86_400)
      throw new Error(`not signed as it should be: ${authorization}`);
  }

  /** As a browser does it. */
  #read(body: Buffer): string {
    const salt = body.subarray(0, 16);
    const sender = body.subarray(21, 21 + body.readUInt8(20));
    const sealed = body.subarray(21 + sender.length);
    const expand = (secret: Uint8Array, with_: Uint8Array, info: Uint8Array, length: number) =>
      Buffer.from(hkdfSync("sha256", secret, with_, info, length));
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), this.p256dh, sender]);
    const material = expand(this.#browser.computeSecret(sender), this.auth, info, 32);
    const key = expand(material, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
    const nonce = expand(material, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
    const decipher = createDecipheriv("aes-128-gcm", key, nonce);
    decipher.setAuthTag(sealed.subarray(-16));
    const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    return padded.subarray(0, padded.lastIndexOf(2)).toString("utf8");
  }
}
