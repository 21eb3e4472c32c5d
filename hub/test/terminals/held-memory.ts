import { Session } from "node:inspector/promises";

/**
 * The bytes of buffers that something in this process still holds.
 * Without collecting first it would count what nobody holds any more, which depends on when the collector last ran;
 * buffers are given back in a second step, so a caller that waits for a figure asks again.
 */
export async function heldBufferBytes(): Promise<number> {
  await collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

/** Collects all garbage through Node's inspector inside this process, which needs no flag. */
async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    await session.post("HeapProfiler.collectGarbage");
  } finally {
    session.disconnect();
  }
}
