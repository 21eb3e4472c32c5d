import { StartError, type StartErrorCode } from "@comanda/hub/platform/errors.ts";
import type { HubFailure } from "./hub-lifecycle.ts";
import { findFreePort, findPortHolder } from "./port-holder.ts";

export interface ClassifyDeps {
  /** The port that the hub was to use; undefined when the settings are not valid. */
  port: () => number | undefined;
  countBackups: () => number;
}

/** Turns a start error into a state that the built-in page can show and act on. Never throws. */
export async function classifyStartError(error: unknown, { port, countBackups }: ClassifyDeps): Promise<HubFailure> {
  const failure = {
    state: "failed" as const,
    error: error instanceof Error ? error.message : String(error),
    backupsFound: countBackups(),
    settings: [...settingsOf(error)],
  };
  const wanted = port();
  const reason = reasonOf(error);
  if (reason === "port_in_use" && wanted !== undefined) {
    const [heldBy, suggestedPort] = await Promise.all([findPortHolder(wanted), findFreePort(wanted)]);
    const holder = heldBy === undefined ? {} : { heldBy };
    return { ...failure, reason, ...holder, ...(suggestedPort === undefined ? {} : { suggestedPort }) };
  }
  return { ...failure, reason };
}

/** What often passes by itself, above all when the app starts together with the PC: a network or a disk is not there yet. */
const mayPass: ReadonlySet<StartErrorCode> = new Set([
  "address",
  "backup_folder",
  "port_in_use",
  "data_file_in_use",
  "data_file_missing",
]);
const RETRY_MS = 30_000;

/** When a start that failed with this error is tried again without anybody's doing; null: it is not. */
export function retryAfterMs(error: unknown): number | null {
  return error instanceof StartError && mayPass.has(error.code) ? RETRY_MS : null;
}

const reasons: Readonly<Record<StartErrorCode, HubFailure["reason"]>> = {
  setting: "setting",
  port_in_use: "port_in_use",
  address: "setting",
  backup_folder: "setting",
  data_file_in_use: "data_file_in_use",
  data_file_newer: "data_file_newer",
  data_file_damaged: "data_file",
  data_file_missing: "data_file_missing",
  restore_unfinished: "restore_unfinished",
  data_file_unusable: "data_file_unusable",
};

/** Looks for a code on the error and on its causes. */
function reasonOf(error: unknown): HubFailure["reason"] {
  if (error instanceof StartError) return reasons[error.code];
  if (!(error instanceof Error)) return "other";
  if ("code" in error && error.code === "EADDRINUSE") return "port_in_use";
  return reasonOf(error.cause);
}

/** The settings that the error names as its reason. */
function settingsOf(error: unknown): readonly string[] {
  if (error instanceof StartError) return error.settings;
  return error instanceof Error ? settingsOf(error.cause) : [];
}
