import { StartError, type StartErrorCode } from "@comanda/hub/platform/errors.ts";
import type { HubFailure } from "./hub-lifecycle.ts";
import { findFreePort, findPortHolder } from "./port-holder.ts";

export interface ClassifyDeps {
  /** The configured port, or undefined if the settings are invalid. */
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
  const requestedPort = port();
  const reason = reasonOf(error);
  if (reason === "port_in_use" && requestedPort !== undefined) {
    const [heldBy, suggestedPort] = await Promise.all([findPortHolder(requestedPort), findFreePort(requestedPort)]);
    const holder = heldBy === undefined ? {} : { heldBy };
    return { ...failure, reason, ...holder, ...(suggestedPort === undefined ? {} : { suggestedPort }) };
  }
  return { ...failure, reason };
}

/** Errors that often pass by themselves, as when the app starts with the PC before its network or disk is ready. */
const transientCodes: ReadonlySet<StartErrorCode> = new Set([
  "address",
  "backup_folder",
  "port_in_use",
  "data_file_in_use",
  "data_file_missing",
]);
const RETRY_MS = 30_000;

/** Returns the delay before a start that failed with this error is retried automatically, or null. */
export function retryAfterMs(error: unknown): number | null {
  return error instanceof StartError && transientCodes.has(error.code) ? RETRY_MS : null;
}

const reasons: Readonly<Record<StartErrorCode, HubFailure["reason"]>> = {
  setting: "setting",
  port_in_use: "port_in_use",
  address: "setting",
  backup_folder: "backup_folder",
  data_file_in_use: "data_file_in_use",
  data_file_newer: "data_file_newer",
  data_file_damaged: "data_file",
  data_file_missing: "data_file_missing",
  restore_unfinished: "restore_unfinished",
  data_file_unusable: "data_file_unusable",
};

/** Looks for a code on the error and its causes. */
function reasonOf(error: unknown): HubFailure["reason"] {
  if (error instanceof StartError) return reasons[error.code];
  if (!(error instanceof Error)) return "other";
  if ("code" in error && error.code === "EADDRINUSE") return "port_in_use";
  return reasonOf(error.cause);
}

/** Returns the settings named by the error. */
function settingsOf(error: unknown): readonly string[] {
  if (error instanceof StartError) return error.settings;
  return error instanceof Error ? settingsOf(error.cause) : [];
}
