import { createECDH, randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { decrypt } from "http_ece";
import { importJWK, jwtVerify } from "jose";
import { makeAuthority, makeCertificate } from "../../../daemon/test/security/certificates.ts";

/** A message as received by the push service, with its text as decrypted by the subscribed browser. */
export interface Received {
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/**
 * A push service (RFC 8030) with one subscription. It verifies the sender (RFC 8292) with a common JWT library, and decrypts messages
 * (RFC 8291) with the library by the author of that standard, as a browser would.
 */
export class PushReceiver {
  readonly #browser = createECDH("prime256v1");
  readonly p256dh = this.#browser.generateKeys();
  readonly auth = randomBytes(16);
  readonly received: Received[] = [];
  /** The status it answers with. */
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
        const isTaken = await this.#take(request, Buffer.concat(chunks)).then(
          () => true,
          () => false,
        );
        response.writeHead(isTaken ? this.status : 403).end();
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

  async #take({ headers }: IncomingMessage, body: Buffer): Promise<void> {
    await this.#checkSender(String(headers.authorization));
    const params = { version: "aes128gcm", privateKey: this.#browser, authSecret: this.auth } as const;
    this.received.push({ headers, text: decrypt(body, params).toString("utf8") });
  }

  async #checkSender(authorization: string): Promise<void> {
    const [, token = "", key = ""] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
    const point = Buffer.from(key, "base64url");
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString("base64url"));
    const publicKey = await importJWK({ kty: "EC", crv: "P-256", x: x ?? "", y: y ?? "" }, "ES256");
    const { payload } = await jwtVerify(token, publicKey, { audience: `https://${this.host}` });
    const seconds = (payload.exp ?? 0) - Date.now() / 1000;
    if (seconds > 86_400) throw new Error(`it is valid for too long: ${authorization}`);
  }
}
