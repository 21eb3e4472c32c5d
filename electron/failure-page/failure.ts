import type { DesktopHubState } from "@comanda/protocol";

export type Failure = Extract<DesktopHubState, { state: "failed" }>;

/** Restoring a backup helps after these, but not when the file is in use or the disk is full. */
export const helpedByBackup: ReadonlySet<Failure["reason"]> = new Set([
  "data_file",
  "data_file_missing",
  "data_file_newer",
]);

/** Beginning without data is offered only when there is no usable data to lose. */
export const hasLostData: ReadonlySet<Failure["reason"]> = new Set(["data_file", "data_file_missing"]);
