import {
  type KeyObject,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  scryptSync,
} from "node:crypto";
import { blake2b } from "@noble/hashes/blake2";
import { showKeyId } from "../../updater/minisign/parse-minisign.ts";

export interface SecretKey {
  keyId: Buffer;
  /** Ed25519: a seed of 32 bytes, a public key of 32 bytes. */
  seed: Buffer;
  publicKey: Buffer;
  key: KeyObject;
}

/** An unusable key file or password. The message is one plain sentence without any part of either. */
export class BadKey extends Error {
  override name = "BadKey";
}

/** The limits of Tauri's signer: 32 MiB and about 0.1 s. */
const opsLimit = 1_048_576n;
const memoryLimit = 33_554_432n;

/** Reads minisign's secret key file, as text or one base64 line (Tauri). `password` is used only if the key is encrypted. */
export function readSecretKey(text: string, password: string | undefined): SecretKey {
  const trimmed = text.trim();
  const plain = trimmed.includes("\n") ? trimmed : Buffer.from(trimmed, "base64").toString("utf8");
  const bytes = Buffer.from(plain.trim().split(/\r?\n/).at(-1) ?? "", "base64");
  if (bytes.length !== 158 || bytes.toString("latin1", 0, 2) !== "Ed" || bytes.toString("latin1", 4, 6) !== "B2") {
    throw new BadKey("The signing key is no minisign secret key.");
  }
  const encrypted = bytes.toString("latin1", 2, 4) === "Sc";
  if (encrypted && password === undefined)
    throw new BadKey("The signing key is encrypted; set UPDATE_SIGNING_KEY_PASSWORD.");
  const sealed = bytes.subarray(54);
  const body = encrypted
    ? xor(sealed, stream(password ?? "", bytes.subarray(6, 38), bytes.readBigUInt64LE(38), bytes.readBigUInt64LE(46)))
    : sealed;
  return checked(body, encrypted);
}

export function generateSecretKey(): SecretKey {
  const { privateKey } = generateKeyPairSync("ed25519");
  const { d = "", x = "" } = privateKey.export({ format: "jwk" });
  const [seed, publicKey] = [Buffer.from(d, "base64url"), Buffer.from(x, "base64url")];
  return { keyId: randomBytes(8), seed, publicKey, key: privateKey };
}

/** Returns the key file as one base64 line, as Tauri and minisign (after `base64 -d`) read it. */
export function writeSecretKey(secret: SecretKey, password: string | undefined): string {
  const pair = Buffer.concat([secret.keyId, secret.seed, secret.publicKey]);
  const body = Buffer.concat([pair, checksum(pair)]);
  const [salt, limits] = [randomBytes(32), Buffer.alloc(16)];
  limits.writeBigUInt64LE(opsLimit, 0);
  limits.writeBigUInt64LE(memoryLimit, 8);
  const bytes =
    password === undefined
      ? Buffer.concat([Buffer.from("Ed\0\0B2"), Buffer.alloc(48), body])
      : Buffer.concat([Buffer.from("EdScB2"), salt, limits, xor(body, stream(password, salt, opsLimit, memoryLimit))]);
  const comment = password === undefined ? "minisign secret key" : "minisign encrypted secret key";
  return wrap(`untrusted comment: ${comment}`, bytes);
}

/** Returns the public key as one base64 line, as the client embeds it. */
export function writePublicKey(secret: SecretKey): string {
  return wrap(
    `untrusted comment: minisign public key: ${showKeyId(secret.keyId)}`,
    Buffer.concat([Buffer.from("Ed"), secret.keyId, secret.publicKey]),
  );
}

function wrap(comment: string, bytes: Buffer): string {
  return Buffer.from(`${comment}\n${bytes.toString("base64")}\n`).toString("base64");
}

/** Verifies a decrypted key. minisign has no checksum for unencrypted keys; the two key halves are always compared. */
function checked(body: Buffer, encrypted: boolean): SecretKey {
  const [pair, sum] = [body.subarray(0, 72), body.subarray(72)];
  const unsummed = !encrypted && sum.every((byte) => byte === 0);
  if (!unsummed && !checksum(pair).equals(sum))
    throw new BadKey("The signing key does not open: the password is wrong or the file is damaged.");
  const [keyId, seed, publicKey] = [pair.subarray(0, 8), pair.subarray(8, 40), pair.subarray(40)];
  const jwk = { kty: "OKP", crv: "Ed25519", d: seed.toString("base64url"), x: publicKey.toString("base64url") };
  const key = createPrivateKey({ key: jwk, format: "jwk" });
  if (createPublicKey(key).export({ format: "jwk" }).x !== jwk.x)
    throw new BadKey("The signing key's two halves do not belong together.");
  return { keyId, seed, publicKey, key };
}

function checksum(pair: Buffer): Buffer {
  // node:crypto supports only the 64-byte form.
  return Buffer.from(blake2b(Buffer.concat([Buffer.from("Ed"), pair]), { dkLen: 32 }));
}

/** Returns the key stream for the encrypted part. Derives scrypt's N, r and p from the two limits like libsodium. */
function stream(password: string, salt: Buffer, ops: bigint, memory: bigint): Buffer {
  const r = 8n;
  const limited = ops < 32_768n ? 32_768n : ops;
  const small = limited < memory / 32n;
  const maxN = small ? limited / (r * 4n) : memory / (r * 128n);
  let N = 2n;
  while (N <= maxN / 2n) N *= 2n;
  const p = small ? 1n : limited / 4n / N / r;
  if (N > 1n << 21n || p < 1n || p > 64n)
    throw new BadKey("The signing key asks for more work than any signer does; it is refused.");
  return scryptSync(password, salt, 104, {
    N: Number(N),
    r: Number(r),
    p: Number(p),
    maxmem: Number(128n * N * r) * 2,
  });
}

function xor(a: Buffer, b: Buffer): Buffer {
  return Buffer.from(a.map((byte, index) => byte ^ (b[index] ?? 0)));
}
