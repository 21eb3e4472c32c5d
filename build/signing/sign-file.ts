import { createHash, sign } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { SecretKey } from "./secret-key.ts";

/**
 * Signs a file in minisign's pre-hashed form and returns the content of its `.sig`: one base64 line. The trusted comment has
 * the file's name, size and version, so that an old installer cannot be passed off as a new version.
 */
export async function signFile(file: string, version: string, secret: SecretKey, nowSeconds: number): Promise<string> {
  const hash = createHash("blake2b512");
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), hash);
  const signature = sign(null, hash.digest(), secret.key);
  const { size } = await stat(file);
  const comment = `timestamp:${nowSeconds}\tfile:${path.basename(file)}\tversion:${version}\tsize:${size}`;
  const global = sign(null, Buffer.concat([signature, Buffer.from(comment)]), secret.key);
  const body = Buffer.concat([Buffer.from("ED"), secret.keyId, signature]);
  const lines = [
    "untrusted comment: signature of a Comanda Hub release",
    body.toString("base64"),
    `trusted comment: ${comment}`,
    global.toString("base64"),
  ];
  return Buffer.from(`${lines.join("\n")}\n`).toString("base64");
}
