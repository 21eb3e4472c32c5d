import { Session } from "node:inspector/promises";

/**
 * Returns the bytes of buffers that this process still references.
 * Collects garbage first; otherwise the result would depend on the last collection.
 * Buffers are freed in a second step, so callers that wait for a figure must poll.
 */
export async function heldBufferBytes(): Promise<number> {
  await collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

/** Collects all garbage through Node's inspector, which needs no flag. */
async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    await session.post("HeapProfiler.collectGarbage");
  } finally {
    session.disconnect();
  }
}
