import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

export interface TestKey {
  /** One base64 line, as a client embeds it. */
  publicKey: string;
  /** Returns the content of a `.sig` file for these bytes. */
  sign(content: Buffer, trustedComment: string): string;
}

/** Creates a throw-away key pair that signs in minisign's format. */
export function makeKey(keyId = randomBytes(8)): TestKey {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const raw = Buffer.from(publicKey.export({ format: "jwk" }).x!, "base64url");
  const line = Buffer.concat([Buffer.from("Ed"), keyId, raw]).toString("base64");
  return {
    publicKey: Buffer.from(`untrusted comment: test key\n${line}\n`).toString("base64"),
    sign(content, trustedComment) {
      const signature = sign(null, createHash("blake2b512").update(content).digest(), privateKey);
      const global = sign(null, Buffer.concat([signature, Buffer.from(trustedComment)]), privateKey);
      const body = Buffer.concat([Buffer.from("ED"), keyId, signature]).toString("base64");
      const text = `untrusted comment: signature\n${body}\ntrusted comment: ${trustedComment}\n${global.toString("base64")}\n`;
      return Buffer.from(text).toString("base64");
    },
  };
}
