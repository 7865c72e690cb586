import { createCipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";

/** The keys of a browser's subscription. */
export interface Receiver {
  /** Its public key, an uncompressed point of P-256. */
  readonly p256dh: Uint8Array;
  /** The secret that it shares with the daemon. */
  readonly auth: Uint8Array;
}

/** The random part of each message; tests use the standard's example. */
export interface Fresh {
  readonly salt: Uint8Array;
  readonly privateKey?: Uint8Array;
}

const CURVE = "prime256v1";
/** One record contains the whole message. */
const RECORD_BYTES = 4096;
const DELIMITER = Buffer.from([2]);

/** The maximum length of a message: services accept 4096 bytes, which include header and tag. */
export const MAX_MESSAGE_BYTES = 3900;

/** Encrypts a message so that only the subscribed browser can read it, by RFC 8291 and RFC 8188. Throws for a key that is not on the curve. */
export function encryptMessage(
  text: string,
  { p256dh, auth }: Receiver,
  { salt, privateKey }: Fresh = { salt: randomBytes(16) },
): Buffer {
  const own = createECDH(CURVE);
  if (privateKey) own.setPrivateKey(privateKey);
  else own.generateKeys();
  const publicKey = own.getPublicKey();
  const shared = own.computeSecret(p256dh);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), p256dh, publicKey]);
  const material = derived(shared, auth, info, 32);
  const key = derived(material, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derived(material, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  const sealed = [cipher.update(Buffer.from(text)), cipher.update(DELIMITER), cipher.final()];
  return Buffer.concat([header(salt, publicKey), ...sealed, cipher.getAuthTag()]);
}

const derived = (secret: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, length));

function header(salt: Uint8Array, publicKey: Uint8Array): Buffer {
  const sizes = Buffer.alloc(5);
  sizes.writeUInt32BE(RECORD_BYTES, 0);
  sizes.writeUInt8(publicKey.length, 4);
  return Buffer.concat([salt, sizes, publicKey]);
}
