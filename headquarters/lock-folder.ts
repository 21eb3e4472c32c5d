import { createHash } from "node:crypto";
import { once } from "node:events";
import { open, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { answers } from "./answers.ts";

/** Bytes of a socket's path that every system takes. */
const LONGEST_PATH = 100;

/**
 * Keeps other headquarters out of a folder while this process lives, however it ends: two would destroy the embedded database.
 * Resolves with what lets them in again; throws an Error where another process has the folder.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const { address, release } = await addressOf(folder);
  try {
    if (await answers({ path: address })) throw new Error(`headquarters with the folder ${folder} run already`);
    // What a process leaves that was killed.
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

/** In the folder itself: a service may have a folder of its own for temporary files. `release`: when it is no longer used. */
async function addressOf(folder: string): Promise<{ address: string; release(): Promise<void> }> {
  const release = async (): Promise<void> => undefined;
  const name = `comanda-headquarters-${createHash("sha256").update(folder).digest("hex").slice(0, 16)}`;
  if (process.platform === "win32") return { address: `\\\\.\\pipe\\${name}`, release };
  const inside = path.join(folder, "lock.sock");
  if (Buffer.byteLength(inside) <= LONGEST_PATH) return { address: inside, release };
  if (process.platform !== "linux") return { address: path.join(tmpdir(), `${name}.sock`), release };
  // Linux has a short path to each folder that is open.
  const handle = await open(folder);
  return { address: `/proc/self/fd/${handle.fd}/lock.sock`, release: () => handle.close() };
}
