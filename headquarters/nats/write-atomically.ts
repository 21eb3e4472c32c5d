import { rename, writeFile } from "node:fs/promises";

/** Writes a file atomically: readers find the old or the new content, even after a full disk or a power cut. */
export async function writeAtomically(file: string, content: string | Uint8Array, mode: number): Promise<void> {
  await writeFile(`${file}.part`, content, { mode, flush: true });
  await rename(`${file}.part`, file);
}
