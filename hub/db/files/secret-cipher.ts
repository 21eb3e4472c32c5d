import { createCipheriv, createDecipheriv } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import Database from "better-sqlite3";
import { HubError } from "../../platform/errors.ts";
import type { World } from "../../platform/world.ts";
import { fileStamp, syncFile, syncFolderOf } from "./files.ts";
import { writePrivate } from "./private-files.ts";

export type SecretCipher = ReturnType<typeof createSecretCipher>;

/** The prefix of encrypted secrets: `v1.`, then in base64url a 12-byte nonce, the text and a 16-byte tag. */
const ENCRYPTED = "v1.";
const ALGORITHM = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Returns the path of a data file's key. The key is beside the data file and in none of its backups. */
export function keyFileOf(dataFile: string): string {
  return `${dataFile}.key`;
}

/** Encrypts secrets that a stolen copy of the data file must not reveal. With `keyFile` null the key is only in memory. */
export function createSecretCipher(keyFile: string | null, world: World) {
  let key = keyFile === null ? world.random.bytes(KEY_BYTES) : readKey(keyFile);

  function requireKey(): Buffer {
    if (key === null && keyFile !== null) key = makeKey(keyFile, world);
    if (key === null) throw new Error("there is no key");
    return key;
  }

  return {
    /**
     * Encrypts with AES-256-GCM and binds the result to `owner`: it cannot be decrypted for another owner. Creates the key
     * file if there is none; throws STORAGE_FULL if the key file cannot be written.
     */
    encrypt(secret: string, owner: string): string {
      const nonce = world.random.bytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, requireKey(), nonce).setAAD(Buffer.from(owner));
      const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
      return ENCRYPTED + Buffer.concat([nonce, text, cipher.getAuthTag()]).toString("base64url");
    },
    /** Returns null if the secret was encrypted with another key or for another owner, or is damaged. */
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
        // The authentication tag does not match.
        return null;
      }
    },
  };
}

/** Reads the key in a key file; null if the file is missing or contains no key. */
export function readKey(keyFile: string): Buffer | null {
  try {
    const key = Buffer.from(readFileSync(keyFile, "utf8").trim(), "base64url");
    return key.length === KEY_BYTES ? key : null;
  } catch {
    return null;
  }
}

/** Creates a key file. Syncs it before renaming it: nothing may be encrypted with a key that a power cut could destroy. */
function makeKey(keyFile: string, world: World): Buffer {
  const key = world.random.bytes(KEY_BYTES);
  const part = `${keyFile}.part`;
  try {
    writePrivate(part, `${key.toString("base64url")}\n`);
    syncFile(part);
    // The existing file contains no valid key; it is kept so that it can be repaired by hand.
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
 * Counts the webhook secrets of a data file that cannot be decrypted with the key file beside it. No hub may have the data
 * file open. Removes the files that SQLite creates for reading.
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
    for (const leftover of logs) rmSync(leftover, { force: true });
  }
}
