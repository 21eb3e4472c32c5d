import { decodeFrame, type Frame } from "./decode-frame.ts";
import type { Flavour } from "./flavour.ts";

/** Number of recent frames kept; in a healthy run, the terminals of one process are never further apart. */
const MAX_FRAMES = 64;

/**
 * Decodes and checks each distinct frame once. Twenty terminals receive the same bytes, and comparing bytes is far cheaper than
 * parsing them. Without this cache, the load generator would be the bottleneck.
 */
export function createFrameCache(flavour: Flavour): (bytes: Buffer) => Frame {
  const recent: { bytes: Buffer; frame: Frame }[] = [];
  let next = 0;
  return (bytes) => {
    for (let back = 1; back <= recent.length; back += 1) {
      const cached = recent[(next - back + MAX_FRAMES) % MAX_FRAMES];
      if (cached !== undefined && cached.bytes.length === bytes.length && cached.bytes.equals(bytes))
        return cached.frame;
    }
    const frame = decodeFrame(flavour, bytes);
    recent[next] = { bytes, frame };
    next = (next + 1) % MAX_FRAMES;
    return frame;
  };
}
