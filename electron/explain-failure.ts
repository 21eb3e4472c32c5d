import type { HubFailure } from "./hub-lifecycle.ts";
import { findFreePort, findPortHolder } from "./port-holder.ts";

/** The hub's settings could not be read; the message names the variable, its value and what is allowed. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}

export interface ExplainParts {
  /** The port that the hub was to use, when the settings got as far. */
  port: () => number | undefined;
  countBackups: () => number;
}

/** Puts what kept the hub from starting into a state that the built-in page can show and act on. Never throws. */
export async function explainFailure(error: unknown, { port, countBackups }: ExplainParts): Promise<HubFailure> {
  const said = error instanceof Error ? error.message : String(error);
  const failed = { state: "failed" as const, error: said, backupsFound: countBackups() };
  const wanted = port();
  if (error instanceof SettingError) return { ...failed, reason: "setting" };
  if (isPortInUse(error) && wanted !== undefined) {
    const [heldBy, suggestedPort] = await Promise.all([findPortHolder(wanted), findFreePort(wanted)]);
    const holder = heldBy === undefined ? {} : { heldBy };
    return { ...failed, reason: "port_in_use", ...holder, ...(suggestedPort === undefined ? {} : { suggestedPort }) };
  }
  if (/newer Comanda Hub/.test(said)) return { ...failed, reason: "data_file_newer" };
  if (/data file/.test(said)) return { ...failed, reason: "data_file" };
  return { ...failed, reason: "other" };
}

/** The code is on the error itself or on what caused it. */
function isPortInUse(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && error.code === "EADDRINUSE") return true;
  return isPortInUse(error.cause) || /EADDRINUSE|port \d+ .*in use/i.test(error.message);
}
