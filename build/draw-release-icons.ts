// Draws the installers' icons into build/icons: PNG files by size, icon.png and icon.ico. Run it after the drawing has changed:
// node build/draw-release-icons.ts
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { drawAppIcon } from "./draw-icons.ts";

const folder = path.join(import.meta.dirname, "icons");
const sizes = [16, 24, 32, 48, 64, 128, 256, 512];

mkdirSync(folder, { recursive: true });
for (const size of sizes) writeFileSync(path.join(folder, `${size}x${size}.png`), drawAppIcon(size));
writeFileSync(path.join(folder, "icon.png"), drawAppIcon(1024));
writeFileSync(path.join(folder, "icon.ico"), packIcon(sizes.filter((size) => size <= 256)));

/** Builds an .ico with PNG images, as Windows has read since Vista. */
function packIcon(all: number[]): Buffer {
  const images = all.map((size) => ({ size, png: drawAppIcon(size) }));
  const header = Buffer.from([0, 0, 1, 0, images.length, 0]);
  let offset = header.length + 16 * images.length;
  const entries = images.map(({ size, png }) => {
    const entry = Buffer.alloc(16);
    // 256 is written as 0.
    entry.set([size % 256, size % 256, 0, 0, 1, 0, 32, 0]);
    entry.writeUInt32LE(png.length, 8);
    entry.writeUInt32LE(offset, 12);
    offset += png.length;
    return entry;
  });
  return Buffer.concat([header, ...entries, ...images.map(({ png }) => png)]);
}
