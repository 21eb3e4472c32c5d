import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/**
 * The bytes of buffers that something in this process still holds.
 * Without collecting first it would count what nobody holds any more, which depends on when the collector last ran;
 * buffers are given back in a second step, so whoever waits for a figure asks again.
 */
export function heldBufferBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}
