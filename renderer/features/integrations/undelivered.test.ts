import { expect, it } from "vitest";
import { undelivered } from "./undelivered.ts";

const at = "2026-11-27T12:00:00.000Z";
const group = { url: "https://a.example/", oldestAt: at, reason: "http_error" as const };

it("a replay covers all undelivered webhooks of one receiver, whatever the reason, or of every receiver [OP-48]", () => {
  const groups = [
    { ...group, webhookId: "a", status: 502, count: 3 },
    { ...group, webhookId: "b", status: 502, count: 20 },
    { ...group, webhookId: "a", status: null, count: 7 },
  ];
  expect(undelivered(groups, "a")).toBe(10);
  expect(undelivered(groups)).toBe(30);
  expect(undelivered([])).toBe(0);
});
