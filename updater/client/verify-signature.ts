import { createHash, verify } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import {
  type PublicKey,
  type Signature,
  parsePublicKey,
  parseSignature,
  showKeyId,
} from "../minisign/parse-minisign.ts";
import { SignatureRefused } from "../minisign/signature-refused.ts";

/** A verified signature: the key, the digest of the file and the fields of its trusted comment. */
export interface VerifiedFile {
  keyId: string;
  /** BLAKE2b-512 of the file, hexadecimal. */
  digest: string;
  version: string | undefined;
  fileName: string | undefined;
  sizeBytes: number | undefined;
}

/**
 * Checks a file against the content of its `.sig`, with the key in `publicKeys` that has the signature's key id. Throws
 * SignatureRefused. Reads the trusted comment only after both signatures were verified.
 */
export async function verifySignature(
  file: string,
  signatureText: string,
  publicKeys: readonly string[],
): Promise<VerifiedFile> {
  const signature = parseSignature(signatureText);
  const { key } = chooseKey(signature, publicKeys.map(parsePublicKey));
  if (signature.algorithm === "Ed") throw new SignatureRefused("LEGACY");
  if (signature.algorithm !== "ED") throw new SignatureRefused("ALGORITHM");

  const digest = await blake2b512(file);
  if (!verify(null, digest, key, signature.signature)) throw new SignatureRefused("INVALID");
  const commented = Buffer.concat([signature.signature, Buffer.from(signature.trustedComment, "utf8")]);
  if (!verify(null, commented, key, signature.globalSignature)) throw new SignatureRefused("INVALID");

  return {
    keyId: showKeyId(signature.keyId),
    digest: digest.toString("hex"),
    ...readTrustedComment(signature.trustedComment),
  };
}

/** Reads the fields of a trusted comment, which can be trusted only after the signature was verified. */
export function readTrustedComment(comment: string): Pick<VerifiedFile, "version" | "fileName" | "sizeBytes"> {
  const fields = new Map(
    comment.split("\t").map((field) => [field.split(":", 1)[0], field.slice(field.indexOf(":") + 1)]),
  );
  const size = fields.get("size");
  return {
    version: fields.get("version"),
    fileName: fields.get("file"),
    sizeBytes: size !== undefined && /^\d{1,15}$/.test(size) ? Number(size) : undefined,
  };
}

function chooseKey(signature: Signature, keys: PublicKey[]): PublicKey {
  const key = keys.find((candidate) => candidate.keyId.equals(signature.keyId));
  if (key !== undefined) return key;
  const expected = keys.map(({ keyId }) => showKeyId(keyId)).join(" or ") || "none";
  throw new SignatureRefused("KEY_MISMATCH", `signed with key ${showKeyId(signature.keyId)}, expected ${expected}`);
}

async function blake2b512(file: string): Promise<Buffer> {
  const hash = createHash("blake2b512");
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), hash);
  return hash.digest();
}
