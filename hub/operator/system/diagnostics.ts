import { gzipSync } from "node:zlib";
import type { DiagnosticsList } from "@comanda/protocol";
import { packTar } from "modern-tar";

export interface DiagnosticsFile {
  name: string;
  about: string;
  text: string;
}

/** Lists the files of the bundle, so that a manager can review them before sending it. */
export function listDiagnostics(files: readonly DiagnosticsFile[]): DiagnosticsList {
  return { files: files.map(({ name, about, text }) => ({ name, about, bytes: Buffer.byteLength(text) })) };
}

/** Returns the bundle as .tar.gz. Removes `secrets` from every text, in case one got there after all. */
export async function packDiagnostics(
  files: readonly DiagnosticsFile[],
  secrets: readonly string[],
  now: number,
): Promise<Buffer> {
  const hidden = secrets.filter((secret) => secret.length >= 6);
  const entries = files.map(({ name, text }) => {
    const body = Buffer.from(hidden.reduce((redacted, secret) => redacted.replaceAll(secret, "[redacted]"), text));
    return { header: { name, size: body.length, mode: 0o644, mtime: new Date(now) }, body };
  });
  return gzipSync(await packTar(entries));
}

export function diagnosticsFile(name: string, about: string, content: unknown): DiagnosticsFile {
  return { name, about, text: typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n` };
}
