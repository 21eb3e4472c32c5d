import type { Overview } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import type { Connection } from "../../lib/live.ts";
import { situationOf } from "./situation.ts";

const now = Date.parse("2026-11-21T20:00:00.000Z");
const ago = (ms: number) => new Date(now - ms).toISOString();
const live: Connection = { state: "live", since: now - 60_000 };

const calm: Overview = {
  at: ago(0),
  hub: { id: "h", name: "La Terraza", version: "1.0.0", startedAt: ago(3_600_000) },
  status: "ok",
  reasons: [],
  sessionOpen: true,
  backOffice: { state: "reachable", since: ago(3_600_000), lastSyncAt: ago(4_000) },
  terminals: { connected: 6, away: 0, unsent: { pending: 0, oldestAt: null, terminals: 0, payments: 0 } },
  orders: { active: 3, open: 3, sent: 0, changed: 0, checkout: 0 },
  tables: { total: 18, available: 15, occupied: 3, reserved: 0 },
  leases: 0,
  kitchen: { open: 0, unseen: 0, late: 0, oldestAt: null },
  forward: { pending: 0, oldestAt: null, estimateMs: null, attention: 0, total: 12 },
  unappliedPayments: 0,
  losses: 0,
  fiscal: { pending: 0, failed: 0, sequences: null },
  webhooks: null,
  disk: { low: false, freeBytes: null },
  dataFile: { ok: true, doubts: [] },
  lastBackupAt: ago(3_600_000),
};

describe("the one sentence on top", () => {
  it("[UI-2] says that all is good, with terminals and the last sync", () => {
    expect(situationOf(calm, live, now)).toEqual({ name: "good", tone: "good", terminals: 6, lastSyncAt: ago(4_000) });
  });

  it("[UI-2] names this page's own connection before anything out of date", () => {
    const lost: Connection = { state: "lost", since: now - 9_000 };
    expect(situationOf({ ...calm, unappliedPayments: 2 }, lost, now)).toEqual({
      name: "lost",
      tone: "bad",
      since: now - 9_000,
    });
  });

  it("[UI-151] names what a restore lost before unapplied payments", () => {
    expect(situationOf({ ...calm, unappliedPayments: 2, losses: 3 }, live, now)).toEqual({
      name: "losses",
      tone: "bad",
      count: 3,
    });
  });

  it("[UI-2] puts money before connections", () => {
    const trouble: Overview = {
      ...calm,
      unappliedPayments: 1,
      backOffice: { ...calm.backOffice, state: "unreachable" },
    };
    expect(situationOf(trouble, live, now).name).toBe("unappliedPayments");
  });

  it("[UI-2] distinguishes the back-office's connection from the terminals'", () => {
    const down: Overview = { ...calm, backOffice: { state: "unreachable", since: ago(60_000), lastSyncAt: null } };
    expect(situationOf(down, live, now)).toMatchObject({ name: "backOfficeDown", since: ago(60_000) });
    const dark: Overview = {
      ...calm,
      terminals: { connected: 5, away: 1, unsent: { pending: 3, oldestAt: ago(120_000), terminals: 1, payments: 0 } },
    };
    expect(situationOf(dark, live, now)).toMatchObject({ name: "unsent", terminals: 1, pending: 3 });
  });

  it("[UI-2] ignores what is still on its way", () => {
    const busy: Overview = {
      ...calm,
      terminals: { connected: 6, away: 0, unsent: { pending: 2, oldestAt: ago(3_000), terminals: 1, payments: 0 } },
      kitchen: { open: 1, unseen: 1, late: 0, oldestAt: ago(20_000) },
    };
    expect(situationOf(busy, live, now).name).toBe("good");
  });

  it("[UI-2, BAK-14] says that the daily backup cannot be made, after what concerns service", () => {
    const failing: Overview = { ...calm, reasons: ["backup"] };
    expect(situationOf(failing, live, now)).toEqual({ name: "backupFails", tone: "warn" });
    expect(situationOf({ ...failing, unappliedPayments: 1 }, live, now).name).toBe("unappliedPayments");
  });

  it("[UI-2] says that hub mode is off while the back-office is reached", () => {
    const off: Overview = { ...calm, reasons: ["hub_mode_off"] };
    expect(situationOf(off, live, now)).toEqual({ name: "hubModeOff", tone: "warn" });
  });

  it("[UI-180] puts refused and used-up fiscal numbers before connections", () => {
    const sequence = { type: "B02", prefix: "B02", left: 0, expiresOn: "2026-12-31", state: "used_up" } as const;
    const usedUp: Overview = {
      ...calm,
      reasons: ["fiscal_numbers"],
      fiscal: { pending: 0, failed: 0, sequences: [sequence] },
      backOffice: { ...calm.backOffice, state: "unreachable" },
    };
    expect(situationOf(usedUp, live, now)).toEqual({ name: "numbersUsedUp", tone: "bad", types: ["B02"] });
    const refused = { ...usedUp, fiscal: { ...usedUp.fiscal, failed: 2 } };
    expect(situationOf(refused, live, now)).toEqual({ name: "numbersRefused", tone: "bad", count: 2 });
  });

  it("[UI-180] asks in time for new fiscal numbers, after what concerns service", () => {
    const sequence = { type: "B02", prefix: "B02", left: 180, expiresOn: "2026-12-31", state: "low" } as const;
    const low: Overview = { ...calm, fiscal: { pending: 0, failed: 0, sequences: [sequence] } };
    expect(situationOf(low, live, now)).toEqual({ name: "numbersLow", tone: "warn", type: "B02", left: 180 });
    const busy = { ...low, kitchen: { open: 1, unseen: 1, late: 0, oldestAt: ago(300_000) } };
    expect(situationOf(busy, live, now).name).toBe("kitchenUnseen");
    const expiring = { ...low, fiscal: { ...low.fiscal, sequences: [{ ...sequence, state: "expiring" as const }] } };
    expect(situationOf(expiring, live, now)).toMatchObject({ name: "numbersExpiring", expiresOn: "2026-12-31" });
  });

  it("[UI-181] says that unsent work is money", () => {
    const unsent = { pending: 3, oldestAt: ago(120_000), terminals: 1, payments: 2 };
    const dark: Overview = { ...calm, terminals: { connected: 5, away: 1, unsent } };
    expect(situationOf(dark, live, now)).toMatchObject({ name: "unsentMoney", tone: "bad", payments: 2 });
  });

  it("[UI-2] asks for a backup only of a hub that has run for a day", () => {
    expect(situationOf({ ...calm, lastBackupAt: null }, live, now).name).toBe("good");
    const old = { ...calm, lastBackupAt: null, hub: { ...calm.hub, startedAt: ago(30 * 3_600_000) } };
    expect(situationOf(old, live, now).name).toBe("noBackup");
  });
});
