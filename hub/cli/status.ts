import type { Command } from "./command.ts";
import { hubApi } from "./hub-api.ts";

export const status: Command = {
  usage: "status [--json]",
  summary: "shows the state of the running hub",
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
        `Last answer from the back-office: ${health.lastErpSync ?? "none yet"}`,
      ],
    };
  },
};
