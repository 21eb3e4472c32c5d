import { decodeFrame, type Frame } from "./decode-frame.ts";
import type { Flavour } from "./flavour.ts";

/** How many recent frames are remembered; terminals of one process are never further apart in a healthy run. */
const REMEMBERED = 64;

/**
 * Decodes and checks each distinct frame once. Twenty terminals get the same bytes, and comparing bytes is far cheaper
 * than parsing them: without this the load generator would be the bottleneck, not the server.
 */
export function createFrameCache(flavour: Flavour): (bytes: Buffer) => Frame {
  const recent: { bytes: Buffer; frame: Frame }[] = [];
  let next = 0;
  return (bytes) => {
    for (let back = 1; back <= recent.length; back += 1) {
      const known = recent[(next - back + REMEMBERED) % REMEMBERED];
      if (known !== undefined && known.bytes.length === bytes.length && known.bytes.equals(bytes)) return known.frame;
    }
    const frame = decodeFrame(flavour, bytes);
    recent[next] = { bytes, frame };
    next = (next + 1) % REMEMBERED;
    return frame;
  };
}
