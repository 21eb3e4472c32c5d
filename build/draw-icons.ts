// Draws the app's icon and the tray icons as PNG files, so that the repository need not contain them. Tray icons differ in
// shape as well as colour: a ring, a disc, a triangle, a square.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { crc32, deflateSync } from "node:zlib";

type Colour = readonly [number, number, number];
/** Whether a point of the unit square belongs to the shape. */
type Shape = (x: number, y: number) => boolean;

const fromCentre = (x: number, y: number) => Math.hypot(x - 0.5, y - 0.5);
const disc: Shape = (x, y) => fromCentre(x, y) < 0.44;
const ring: Shape = (x, y) => disc(x, y) && fromCentre(x, y) > 0.28;
const triangle: Shape = (x, y) => y > 0.1 && y < 0.9 && Math.abs(x - 0.5) < (y - 0.1) * 0.56;
const square: Shape = (x, y) => Math.max(Math.abs(x - 0.5), Math.abs(y - 0.5)) < 0.38;
/** The app's icon: a cloche on its plate. */
const cloche: Shape = (x, y) =>
  (y < 0.68 && Math.hypot(x - 0.5, y - 0.68) < 0.34) ||
  (y > 0.73 && y < 0.8 && Math.abs(x - 0.5) < 0.42) ||
  Math.hypot(x - 0.5, y - 0.29) < 0.06;

const trayIcons: Record<string, [Shape, Colour]> = {
  "tray-starting": [ring, [140, 150, 160]],
  "tray-ok": [disc, [46, 160, 67]],
  "tray-warning": [triangle, [219, 154, 4]],
  "tray-failed": [square, [218, 54, 51]],
};

/** Writes the icons of the running app to a folder: tray icons at 16 px with `@2x`, and the app's at 256 px. */
export function drawIcons(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, [shape, colour]] of Object.entries(trayIcons)) {
    writeFileSync(path.join(folder, `${name}.png`), drawPng(16, shape, colour));
    writeFileSync(path.join(folder, `${name}@2x.png`), drawPng(32, shape, colour));
  }
  writeFileSync(path.join(folder, "app.png"), drawAppIcon(256));
}

/** Draws the app's icon at a size in pixels, as a PNG. */
export function drawAppIcon(size: number): Buffer {
  return drawPng(size, cloche, [11, 92, 173]);
}

/** The opacity of a pixel is the share of its sixteen sample points inside the shape. */
function drawPng(size: number, shape: Shape, [red, green, blue]: Colour): Buffer {
  const rows = Array.from({ length: size }, (_, row) => {
    const pixels = Array.from({ length: size }, (_column, column) => {
      const opacity = coverage(shape, column / size, row / size, 1 / size);
      return [red, green, blue, Math.round(opacity * 255)];
    });
    return [0, ...pixels.flat()];
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  const data = deflateSync(Buffer.from(rows.flat()));
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))]);
}

function coverage(shape: Shape, left: number, top: number, width: number): number {
  let inside = 0;
  for (let i = 0; i < 16; i++) {
    const x = left + (((i % 4) + 0.5) / 4) * width;
    const y = top + ((Math.floor(i / 4) + 0.5) / 4) * width;
    if (shape(x, y)) inside++;
  }
  return inside / 16;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
