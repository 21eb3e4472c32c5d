// The two text formats of minisign, as written by minisign itself and by the Tauri signer. The signature check is our own
// code on node:crypto because no maintained package does it; it is tested with the vectors in updater/test/vectors.
import { createPublicKey, type KeyObject } from "node:crypto";
import { SignatureRefused } from "./signature-refused.ts";

export interface PublicKey {
  keyId: Buffer;
  key: KeyObject;
}

export interface Signature {
  /** "ED" signs the BLAKE2b-512 of the file, "Ed" the file itself. Other values are unknown. */
  algorithm: string;
  keyId: Buffer;
  signature: Buffer;
  trustedComment: string;
  globalSignature: Buffer;
}

/** Parses a public key: minisign's text, that text in one base64 line (Tauri), or the bare key line. */
export function parsePublicKey(text: string): PublicKey {
  const lines = unwrap(text, "untrusted comment:");
  const bytes = decode(lines.find((line) => line !== "" && !line.startsWith("untrusted comment:")) ?? "", 42);
  if (bytes.toString("latin1", 0, 2) !== "Ed") throw new SignatureRefused("ENCODING");
  const x = bytes.subarray(10).toString("base64url");
  return {
    keyId: bytes.subarray(2, 10),
    key: createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" }),
  };
}

/** Parses a signature: minisign's four lines, or those in one base64 line (Tauri). Throws if incomplete or malformed. */
export function parseSignature(text: string): Signature {
  const [untrusted = "", body = "", comment = "", global = ""] = unwrap(text, "untrusted comment: ");
  if (!untrusted.startsWith("untrusted comment: ") || !comment.startsWith("trusted comment: ")) {
    throw new SignatureRefused("ENCODING");
  }
  const bytes = decode(body, 74);
  return {
    algorithm: bytes.toString("latin1", 0, 2),
    keyId: bytes.subarray(2, 10),
    signature: bytes.subarray(10),
    trustedComment: comment.slice("trusted comment: ".length),
    globalSignature: decode(global, 64),
  };
}

/** Formats a key id as minisign prints it: sixteen hexadecimal digits, most significant byte first. */
export function showKeyId(keyId: Uint8Array): string {
  return Buffer.from(keyId).reverse().toString("hex").toUpperCase();
}

function unwrap(text: string, firstLine: string): string[] {
  const trimmed = text.trim();
  const plain = trimmed.startsWith(firstLine) || !trimmed.match(/^[A-Za-z0-9+/=]{57,}$/);
  return (plain ? trimmed : decode(trimmed).toString("utf8")).split(/\r?\n/);
}

/** Decodes strict base64: encoding the bytes again must give the same text. */
function decode(text: string, length?: number): Buffer {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length === 0 || bytes.toString("base64") !== text) throw new SignatureRefused("ENCODING");
  if (length !== undefined && bytes.length !== length) throw new SignatureRefused("ENCODING");
  return bytes;
}
