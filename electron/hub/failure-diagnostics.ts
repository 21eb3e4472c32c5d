import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { diagnosticsFile, packDiagnostics } from "@comanda/hub/operator/system/diagnostics.ts";
import { messageOf } from "@comanda/hub/platform/error-facts.ts";
import type { DesktopHubState, DesktopInfo, Setting } from "@comanda/protocol";

const LOG_BYTES = 512 * 1024;

export interface DiagnosticsSource {
  info: DesktopInfo;
  state: DesktopHubState;
  /** Without secrets. */
  settings: Setting[];
  /** Secrets, removed from every text as a safeguard. */
  secrets: readonly string[];
  logFolder: string;
  /** The data folder and the backup folder. Their files are listed, not copied. */
  folders: readonly string[];
  /** ms since 1970 */
  now: number;
}

/**
 * Packs a .tar.gz for support while the hub cannot start: the failure, settings without secrets, names and sizes of the data
 * files, and the end of the log. It contains no checks or payments.
 */
export function packFailureDiagnostics(source: DiagnosticsSource): Promise<Buffer> {
  const files = [
    diagnosticsFile("failure.json", "why the hub does not run", { ...source.info, hub: source.state }),
    diagnosticsFile("settings.json", "the saved settings, without secrets", source.settings),
    diagnosticsFile("files.json", "names and sizes of the data files", source.folders.map(describeFolder)),
    diagnosticsFile("log.jsonl", "the last lines of the log", endOfLog(path.join(source.logFolder, "hub.log"))),
  ];
  return packDiagnostics(files, source.secrets, source.now);
}

/** Returns a file name such as `comanda-hub-2026-11-22T14-05-00.tar.gz`. */
export function diagnosticsName(now: number): string {
  return `comanda-hub-${new Date(now).toISOString().slice(0, 19).replaceAll(":", "-")}.tar.gz`;
}

/** Describes the files in a folder, or why it cannot be read. */
function describeFolder(folder: string): object {
  try {
    const names = existsSync(folder) ? readdirSync(folder) : null;
    const files = names?.map((name) => {
      const facts = statSync(path.join(folder, name), { throwIfNoEntry: false });
      return { name, bytes: facts?.size, changedAt: facts?.mtime.toISOString(), folder: facts?.isDirectory() };
    });
    return { folder, files: files ?? "missing" };
  } catch (error) {
    return { folder, error: messageOf(error) };
  }
}

function endOfLog(file: string): string {
  if (!existsSync(file)) return "";
  const whole = readFileSync(file);
  const end = whole.subarray(-LOG_BYTES).toString("utf8");
  return whole.length <= LOG_BYTES ? end : end.slice(end.indexOf("\n") + 1);
}
