import type { DiagnosticsList } from "@comanda/protocol";
import { packTarGz } from "./tar.ts";

export interface DiagnosticsFile {
  name: string;
  about: string;
  text: string;
}

/** What the bundle would hold, so that it can be judged before it leaves the house. */
export function listDiagnostics(files: readonly DiagnosticsFile[]): DiagnosticsList {
  return { files: files.map(({ name, about, text }) => ({ name, about, bytes: Buffer.byteLength(text) })) };
}

/** The bundle as .tar.gz; `secrets` are taken out of every text, wherever they should have got into it. */
export function packDiagnostics(files: readonly DiagnosticsFile[], secrets: readonly string[], now: number): Buffer {
  const hidden = secrets.filter((secret) => secret.length >= 6);
  return packTarGz(
    files.map(({ name, text }) => ({
      name,
      text: hidden.reduce((redacted, secret) => redacted.replaceAll(secret, "[redacted]"), text),
    })),
    now,
  );
}

export function diagnosticsFile(name: string, about: string, content: unknown): DiagnosticsFile {
  return { name, about, text: typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n` };
}
