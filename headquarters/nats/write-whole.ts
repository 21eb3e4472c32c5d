import { rename, writeFile } from "node:fs/promises";

/** Writes a file in one step: it is there whole or as it was, also after a full disk or a power cut, and whenever it is read. */
export async function writeWhole(file: string, content: string | Uint8Array, mode: number): Promise<void> {
  await writeFile(`${file}.part`, content, { mode, flush: true });
  await rename(`${file}.part`, file);
}
