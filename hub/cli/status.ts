import type { Command } from "./command.ts";
import { hubApi } from "./hub-api.ts";

export const status: Command = {
  usage: "status [--json]",
  summary: "tells how the running hub is",
  async run(context) {
    const health = await hubApi(context).health();
    const reasons = health.reasons.join(", ").replaceAll("_", " ");
    return {
      json: health,
      lines: [
        health.status === "ok" ? "All good." : `Needs attention: ${reasons}.`,
        `Terminals connected: ${health.connectedTerminals}`,
        `Open checks: ${health.orders}`,
        `Waiting for the back-office: ${health.pendingForward}`,
        `Last answer of the back-office: ${health.lastErpSync ?? "none yet"}`,
      ],
    };
  },
};
