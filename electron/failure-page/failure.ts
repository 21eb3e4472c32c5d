import type { DesktopHubState } from "@comanda/protocol";

export type Failure = Extract<DesktopHubState, { state: "failed" }>;

/** Failures after which restoring a backup helps. It does not when the file is in use or the disk is full. */
export const helpedByBackup: ReadonlySet<Failure["reason"]> = new Set([
  "data_file",
  "data_file_missing",
  "data_file_newer",
]);

/** Starting without data is offered only if there is no usable data to lose. */
export const hasLostData: ReadonlySet<Failure["reason"]> = new Set(["data_file", "data_file_missing"]);
