import type { OperatorWebhook } from "@comanda/protocol";
import { expect, it } from "vitest";
import { webhookHealth } from "./webhook-labels.ts";

it("a webhook whose receiver does not answer is shown as paused, unless it is switched off [UI-401]", () => {
  const webhook: OperatorWebhook = {
    id: "ws_1",
    url: "https://example.com/hook",
    events: ["*"],
    enabled: true,
    createdBy: "hub",
    createdAt: "2026-11-20 12:00:00",
    pausedUntil: "2026-11-20T12:10:00.000Z",
    pending: 90,
    nextAttemptAt: null,
    deadLettered: 3,
    nearlyDead: 0,
    consecutiveFailures: 40,
    lastSuccessAt: null,
    lastFailure: null,
  };
  expect(webhookHealth(webhook)).toMatchObject({ name: "paused", tone: "bad" });
  expect(webhookHealth({ ...webhook, enabled: false })).toMatchObject({ name: "off" });
});
