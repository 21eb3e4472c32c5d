import { createHash } from "node:crypto";
import { once } from "node:events";
import { open, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { isListening } from "./is-listening.ts";

/** Longest socket path, in bytes, that every system accepts. */
const MAX_PATH = 100;

/**
 * Locks a folder for as long as this process lives, however it ends: two processes would destroy the embedded database.
 * Resolves with a function that releases the lock; throws an Error if another process holds it.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const { address, release } = await addressOf(folder);
  try {
    if (await isListening({ path: address })) throw new Error(`headquarters with the folder ${folder} run already`);
    // A killed process leaves its socket behind.
    if (process.platform !== "win32") await rm(address, { force: true });
    const lock = createServer((socket) => socket.destroy());
    lock.listen(address);
    await once(lock, "listening");
    lock.unref();
    return async () => {
      lock.close();
      await once(lock, "close");
      await release();
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Returns a socket in the folder if its path fits: services may have own temporary folders. `release` frees the address. */
async function addressOf(folder: string): Promise<{ address: string; release(): Promise<void> }> {
  const release = async (): Promise<void> => undefined;
  const name = `comanda-headquarters-${createHash("sha256").update(folder).digest("hex").slice(0, 16)}`;
  if (process.platform === "win32") return { address: `\\\\.\\pipe\\${name}`, release };
  const inside = path.join(folder, "lock.sock");
  if (Buffer.byteLength(inside) <= MAX_PATH) return { address: inside, release };
  if (process.platform !== "linux") return { address: path.join(tmpdir(), `${name}.sock`), release };
  // Linux offers a short path to every open folder.
  const handle = await open(folder);
  return { address: `/proc/self/fd/${handle.fd}/lock.sock`, release: () => handle.close() };
}
