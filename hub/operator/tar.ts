import { gzipSync } from "node:zlib";

const BLOCK = 512;

/** Packs texts into a .tar.gz (ustar). Hand-written because the hub writes one small archive and reads none. */
export function packTarGz(files: readonly { name: string; text: string }[], mtimeMs: number): Buffer {
  const parts = files.flatMap(({ name, text }) => {
    const content = Buffer.from(text, "utf8");
    const padding = Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK);
    return [header(name, content.length, mtimeMs), content, padding];
  });
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]));
}

function header(name: string, size: number, mtimeMs: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, length: number) => value.toString(8).padStart(length - 1, "0");
  block.write(name, 0, 100);
  block.write(octal(0o644, 8), 100);
  block.write(octal(0, 8), 108);
  block.write(octal(0, 8), 116);
  block.write(octal(size, 12), 124);
  block.write(octal(Math.floor(mtimeMs / 1000), 12), 136);
  block.write(" ".repeat(8), 148);
  block.write("0", 156);
  block.write("ustar\u000000", 257);
  const checksum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${checksum.toString(8).padStart(6, "0")}\u0000 `, 148);
  return block;
}
