import type { Overview } from "@comanda/protocol";
import type { Command } from "./command.ts";
import { hubApi } from "./hub-api.ts";

export const status: Command = {
  usage: "status [--json]",
  summary: "shows the state of the running hub",
  maxPositionals: 0,
  async run(context) {
    const api = hubApi(context);
    const health = await api.health();
    const { lastBackupAt, backups } = await api.overview();
    const reasons = health.reasons.join(", ").replaceAll("_", " ");
    return {
      json: { ...health, lastBackupAt, backups },
      lines: [
        health.status === "ok" ? "All good." : `Needs attention: ${reasons}.`,
        `Terminals connected: ${health.connectedTerminals}`,
        `Open checks: ${health.orders}`,
        `Waiting for the back-office: ${health.pendingForward}`,
        `Last answer from the back-office: ${health.lastErpSync ?? "none yet"}`,
        `Last good backup: ${lastBackupAt ?? "none yet"}${backups.verifying ? " (one is being verified)" : ""}`,
        ...describeSecond(backups.second),
      ],
    };
  },
};

function describeSecond({ state, since }: Overview["backups"]["second"]): string[] {
  switch (state) {
    case "off":
      return [];
    case "ok":
      return ["Second backup folder: it has its copies."];
    case "pending":
      return ["Second backup folder: copies are on their way."];
    case "failing":
      return [
        `Second backup folder: no copies since ${since ?? "the start"}; doctor, or Backups under System, says why.`,
      ];
  }
}
