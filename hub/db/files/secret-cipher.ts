import { createCipheriv, createDecipheriv } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import Database from "better-sqlite3";
import { HubError } from "../../platform/errors.ts";
import type { World } from "../../platform/world.ts";
import { fileStamp, syncFile, syncFolderOf } from "./files.ts";
import { writePrivate } from "./private-files.ts";

export type SecretCipher = ReturnType<typeof createSecretCipher>;

/** `v1.` and, as base64url, 12 bytes of nonce, the text, 16 bytes of tag. */
const ENCRYPTED = "v1.";
const ALGORITHM = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The key of a data file: beside it, and in no backup of it. */
export function keyFileOf(dataFile: string): string {
  return `${dataFile}.key`;
}

/** Encrypts what a stolen copy of the data file must not give away. `keyFile` null keeps the key in memory alone. */
export function createSecretCipher(keyFile: string | null, world: World) {
  let key = keyFile === null ? world.random.bytes(KEY_BYTES) : readKey(keyFile);

  function requireKey(): Buffer {
    if (key === null && keyFile !== null) key = makeKey(keyFile, world);
    if (key === null) throw new Error("there is no key");
    return key;
  }

  return {
    /**
     * AES-256-GCM under the key file, bound to `owner`: moved to another owner it cannot be read. Makes the key file where
     * there is none; STORAGE_FULL when it cannot be written.
     */
    encrypt(secret: string, owner: string): string {
      const nonce = world.random.bytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, requireKey(), nonce).setAAD(Buffer.from(owner));
      const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
      return ENCRYPTED + Buffer.concat([nonce, text, cipher.getAuthTag()]).toString("base64url");
    },
    /** Null when the key that encrypted it is not here. */
    decrypt(stored: string, owner: string): string | null {
      if (key === null || !stored.startsWith(ENCRYPTED)) return null;
      const bytes = Buffer.from(stored.slice(ENCRYPTED.length), "base64url");
      try {
        const nonce = bytes.subarray(0, NONCE_BYTES);
        const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(-TAG_BYTES));
        const text = bytes.subarray(NONCE_BYTES, -TAG_BYTES);
        return Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8");
      } catch {
        // Encrypted with another key, or changed since.
        return null;
      }
    },
  };
}

/** The key in a key file; null when there is none or it holds no key. */
export function readKey(keyFile: string): Buffer | null {
  try {
    const key = Buffer.from(readFileSync(keyFile, "utf8").trim(), "base64url");
    return key.length === KEY_BYTES ? key : null;
  } catch {
    return null;
  }
}

/** Whole and durable before it has its name: nothing may be encrypted with a key that a power cut takes away. */
function makeKey(keyFile: string, world: World): Buffer {
  const key = world.random.bytes(KEY_BYTES);
  const part = `${keyFile}.part`;
  try {
    writePrivate(part, `${key.toString("base64url")}\n`);
    syncFile(part);
    // What is there cannot be read as a key now, but may be put right by hand.
    if (existsSync(keyFile)) renameSync(keyFile, `${keyFile}.unreadable-${fileStamp(world.clock.now())}`);
    renameSync(part, keyFile);
    syncFolderOf(keyFile);
  } catch (error) {
    world.log.error({ err: error, keyFile }, "the key of the data file cannot be written");
    throw new HubError("STORAGE_FULL", "the key that encrypts webhook secrets cannot be written; nothing was stored");
  }
  world.log.info({ keyFile }, "the key of the data file was made");
  return key;
}

/**
 * How many webhook secrets of a data file that no hub has open cannot be read with the key file beside it. Leaves nothing
 * behind.
 */
export function countLockedSecrets(file: string, world: World): number {
  const logs = ["-wal", "-shm"].map((suffix) => file + suffix).filter((each) => !existsSync(each));
  const db = new Database(file, { readonly: true, timeout: 200 });
  try {
    const cipher = createSecretCipher(keyFileOf(file), world);
    const live = db.prepare<[], { id: string; secret: string }>(
      "SELECT id, secret FROM webhook_subscriptions WHERE deleted_at IS NULL",
    );
    return live.all().filter(({ id, secret }) => cipher.decrypt(secret, id) === null).length;
  } finally {
    db.close();
    for (const left of logs) rmSync(left, { force: true });
  }
}
