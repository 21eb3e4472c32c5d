import type { TerminalMessageInput } from "@comanda/protocol";
import { expect, it } from "vitest";
import { manualWorld } from "../../test/manual-world.ts";
import { createLeases } from "./leases.ts";
import { createRequests } from "./requests.ts";

it("a takeover that arrives together with the grant counts after it [CLIENT-731]", async () => {
  const sent: TerminalMessageInput[] = [];
  const events: string[] = [];
  const requests = createRequests(manualWorld(), (message) => sent.push(message) > 0);
  const leases = createLeases({
    deviceId: "tablet",
    requests,
    userName: () => "Ana",
    actor: () => undefined,
    now: () => 0,
    events: {
      granted: () => events.push("granted"),
      changed: (_, holder) => events.push(`holder ${holder?.terminalId}`),
      lost: (_, by) => events.push(`lost to ${by?.terminalId}`),
    },
  });
  const acquired = leases.acquire("A");
  const { requestId } = sent[0] as { requestId: string };
  const expiresAt = "2026-12-01T20:00:00.000Z";
  const lease = { posReference: "A", leaseId: "1", role: "editor" as const, expiresAt };
  requests.answer({ type: "LEASE_GRANTED", requestId, ...lease, ttlMs: 60_000 });
  const luis = { terminalId: "till", userName: "Luis", role: "editor" as const, expiresAt };
  leases.revoked("A", luis);
  leases.changed("A", luis);
  await acquired;
  expect(events).toEqual(["holder tablet", "granted", "lost to till", "holder till"]);
  expect(leases.holder("A")).toEqual(luis);
  expect(leases.hasAny()).toBe(false);
});
