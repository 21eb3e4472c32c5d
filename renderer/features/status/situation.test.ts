import type { Overview } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import type { Connection } from "../../lib/live.ts";
import { situationsOf } from "./situation.ts";

const first = (...args: Parameters<typeof situationsOf>) => situationsOf(...args)[0];

const now = Date.parse("2026-11-21T20:00:00.000Z");
const ago = (ms: number) => new Date(now - ms).toISOString();
const live: Connection = { state: "live", since: now - 60_000 };

const calm: Overview = {
  at: ago(0),
  hub: { id: "h", name: "La Terraza", version: "1.0.0", startedAt: ago(3_600_000) },
  status: "ok",
  reasons: [],
  sessionOpen: true,
  backOffice: {
    state: "reachable",
    since: ago(3_600_000),
    lastSyncAt: ago(4_000),
    cause: null,
    lastOutage: null,
    everReached: true,
    address: null,
  },
  terminals: { connected: 6, away: 0, unsent: { pending: 0, oldestAt: null, terminals: 0, payments: 0 } },
  orders: { active: 3, open: 3, sent: 0, changed: 0, checkout: 0 },
  tables: { total: 18, available: 15, occupied: 3, reserved: 0 },
  leases: 0,
  kitchen: { open: 0, unseen: 0, late: 0, oldestAt: null, unseenAt: null },
  forward: {
    pending: 0,
    oldestAt: null,
    estimateMs: null,
    waitingForNumber: 0,
    attention: 0,
    setAside: 0,
    setAsideUntil: null,
    total: 12,
  },
  unappliedPayments: 0,
  keptChanges: 0,
  openPrints: 0,
  proposals: 0,
  losses: 0,
  fiscal: { pending: 0, failed: 0, sequences: null, receipts: 0, isContingency: false },
  webhooks: null,
  disk: { low: false, freeBytes: null },
  dataFile: { ok: true, doubts: [] },
  lastBackupAt: ago(3_600_000),
  backups: { verifying: false, second: { state: "off", since: null } },
};

describe("the sentence on top", () => {
  it("the sentence on top reports that all is good, with terminals and the last sync [UI-2]", () => {
    expect(first(calm, live, now)).toEqual({ name: "good", tone: "good", terminals: 6, lastSyncAt: ago(4_000) });
  });

  it("the page's own lost connection is named before anything that may be out of date [UI-2]", () => {
    const lost: Connection = { state: "lost", since: now - 9_000 };
    expect(first({ ...calm, unappliedPayments: 2 }, lost, now)).toEqual({
      name: "lost",
      tone: "bad",
      since: now - 9_000,
    });
  });

  it("losses of a restore are named before unapplied payments [UI-151]", () => {
    expect(first({ ...calm, unappliedPayments: 2, losses: 3 }, live, now)).toEqual({
      name: "losses",
      tone: "bad",
      count: 3,
    });
  });

  it("the register is not called closed before the back-office was read for the first time [UI-525]", () => {
    expect(first({ ...calm, sessionOpen: null }, live, now)).toEqual({ name: "notRead", tone: "idle" });
    expect(first({ ...calm, sessionOpen: false }, live, now)).toEqual({ name: "closed", tone: "idle" });
  });

  it("problems with money are named before connections [UI-2]", () => {
    const trouble: Overview = {
      ...calm,
      unappliedPayments: 1,
      backOffice: { ...calm.backOffice, state: "unreachable" },
    };
    expect(first(trouble, live, now).name).toBe("unappliedPayments");
  });

  it("the back-office's connection is distinguished from the terminals' connections [UI-2]", () => {
    const unreachable = { ...calm.backOffice, state: "unreachable" as const, since: ago(60_000) };
    const down: Overview = { ...calm, backOffice: unreachable };
    expect(first(down, live, now)).toMatchObject({ name: "backOfficeDown", since: ago(60_000) });
    const dark: Overview = {
      ...calm,
      terminals: { connected: 5, away: 1, unsent: { pending: 3, oldestAt: ago(120_000), terminals: 1, payments: 0 } },
    };
    expect(first(dark, live, now)).toMatchObject({ name: "unsent", terminals: 1, pending: 3 });
  });

  it("a back-office that never answered is not reported as having stopped [UI-270]", () => {
    const address = "http://127.0.0.1:8069";
    const unreachable = { ...calm.backOffice, state: "unreachable" as const, since: ago(60_000), lastSyncAt: null };
    const never = { ...unreachable, everReached: false, address };
    const fresh: Overview = { ...calm, backOffice: never };
    expect(first(fresh, live, now)).toEqual({ name: "backOfficeNeverReached", tone: "warn", address });
    const before: Overview = { ...calm, backOffice: { ...never, everReached: true } };
    expect(first(before, live, now).name).toBe("backOfficeDown");
  });

  it("tickets and payments that are still on their way cause no sentence [UI-2] [UI-500]", () => {
    const busy: Overview = {
      ...calm,
      terminals: { connected: 6, away: 0, unsent: { pending: 2, oldestAt: ago(3_000), terminals: 1, payments: 0 } },
      kitchen: { open: 2, unseen: 1, late: 0, oldestAt: ago(900_000), unseenAt: ago(20_000) },
    };
    expect(first(busy, live, now).name).toBe("good");
  });

  it("a failed daily backup is named after everything that concerns service [UI-2, BAK-14]", () => {
    const failing: Overview = { ...calm, reasons: ["backup"] };
    expect(first(failing, live, now)).toEqual({ name: "backupFails", tone: "warn" });
    expect(first({ ...failing, unappliedPayments: 1 }, live, now).name).toBe("unappliedPayments");
  });

  it("hub mode being off is named while the back-office is reached [UI-2]", () => {
    const off: Overview = { ...calm, reasons: ["hub_mode_off"] };
    expect(first(off, live, now)).toEqual({ name: "hubModeOff", tone: "warn" });
  });

  it("a webhook receiver that does not answer is named after everything that concerns service [UI-401]", () => {
    const webhooks = { pending: 90, oldestAt: ago(60_000), deadLettered: 4, paused: false, receiversPaused: 2 };
    const unanswered: Overview = { ...calm, reasons: ["webhooks"], webhooks };
    expect(first(unanswered, live, now)).toEqual({ name: "webhooksPaused", tone: "warn", count: 2 });
    const busy = {
      ...unanswered,
      kitchen: { open: 1, unseen: 1, late: 0, oldestAt: ago(300_000), unseenAt: ago(300_000) },
    };
    expect(first(busy, live, now).name).toBe("kitchenUnseen");
  });

  it("refused and used-up fiscal numbers are named before connections [UI-180]", () => {
    const sequence = { type: "B02", prefix: "B02", left: 0, expiresOn: "2026-12-31", state: "used_up" } as const;
    const usedUp: Overview = {
      ...calm,
      reasons: ["fiscal_numbers"],
      fiscal: { ...calm.fiscal, sequences: [sequence] },
      backOffice: { ...calm.backOffice, state: "unreachable" },
    };
    expect(first(usedUp, live, now)).toEqual({ name: "numbersUsedUp", tone: "bad", types: ["B02"] });
    const refused = { ...usedUp, fiscal: { ...usedUp.fiscal, failed: 2 } };
    expect(first(refused, live, now)).toEqual({ name: "numbersRefused", tone: "bad", count: 2 });
  });

  it("electronic receipts that need attention are named, and last that numbers on paper are given [ECF-20]", () => {
    const receipts: Overview = { ...calm, fiscal: { ...calm.fiscal, receipts: 2, isContingency: true } };
    expect(situationsOf(receipts, live, now)).toMatchObject([
      { name: "receipts", tone: "bad", count: 2 },
      { name: "contingency", tone: "warn" },
    ]);
  });

  it("scarce fiscal numbers are named in time, after everything that concerns service [UI-180]", () => {
    const sequence = { type: "B02", prefix: "B02", left: 180, expiresOn: "2026-12-31", state: "low" } as const;
    const low: Overview = { ...calm, fiscal: { ...calm.fiscal, sequences: [sequence] } };
    expect(first(low, live, now)).toEqual({ name: "numbersLow", tone: "warn", type: "B02", left: 180 });
    const busy = { ...low, kitchen: { open: 1, unseen: 1, late: 0, oldestAt: ago(300_000), unseenAt: ago(300_000) } };
    expect(first(busy, live, now).name).toBe("kitchenUnseen");
    const expiring = { ...low, fiscal: { ...low.fiscal, sequences: [{ ...sequence, state: "expiring" as const }] } };
    expect(first(expiring, live, now)).toMatchObject({ name: "numbersExpiring", expiresOn: "2026-12-31" });
  });

  it("an outage is named with its length and saved checks, and the internet only if it is gone [UI-200]", () => {
    const forward = { ...calm.forward, pending: 23 };
    const down = { ...calm.backOffice, state: "unreachable" as const, since: ago(14 * 60_000) };
    const noAnswer: Overview = { ...calm, forward, backOffice: { ...down, cause: "no_answer" } };
    expect(first(noAnswer, live, now)).toEqual({
      name: "backOfficeDown",
      tone: "warn",
      since: ago(14 * 60_000),
      pending: 23,
    });
    const noNetwork: Overview = { ...calm, forward, backOffice: { ...down, cause: "no_network" } };
    expect(first(noNetwork, live, now).name).toBe("internetDown");
  });

  it("after an outage the checks still to be sent are counted, then for ten minutes those that arrived [UI-201]", () => {
    const outage = { from: ago(20 * 60_000), until: ago(6 * 60_000), saved: 23, left: 12, arrivedAt: null };
    const after = (lastOutage: typeof outage | (Omit<typeof outage, "arrivedAt"> & { arrivedAt: string })) =>
      first({ ...calm, backOffice: { ...calm.backOffice, lastOutage } }, live, now);
    const lasted = 14 * 60_000;
    expect(after(outage)).toEqual({ name: "arriving", tone: "good", count: 23, left: 12, lasted });
    const arrived = { ...outage, left: 0, arrivedAt: ago(5 * 60_000) };
    expect(after(arrived)).toEqual({ name: "arrived", tone: "good", count: 23, lasted });
    expect(after({ ...arrived, arrivedAt: ago(11 * 60_000) }).name).toBe("good");
    expect(after({ ...arrived, saved: 0 }).name).toBe("good");
  });

  it("all causes are listed, the worst first [UI-202]", () => {
    const troubled: Overview = {
      ...calm,
      reasons: ["backup"],
      unappliedPayments: 2,
      backOffice: { ...calm.backOffice, state: "unreachable" },
      forward: { ...calm.forward, setAside: 1, setAsideUntil: ago(-3_600_000) },
    };
    expect(situationsOf(troubled, live, now).map(({ name }) => name)).toEqual([
      "unappliedPayments",
      "backOfficeDown",
      "backupFails",
      "setAside",
    ]);
    expect(situationsOf(troubled, { state: "lost", since: now }, now).map(({ name }) => name)).toEqual(["lost"]);
  });

  it("an order that is set aside until later causes no sentence [UI-203]", () => {
    const until = ago(-3_600_000);
    const forward = { ...calm.forward, setAside: 2, setAsideUntil: until };
    expect(first({ ...calm, forward }, live, now)).toEqual({ name: "setAside", tone: "idle", count: 2, until });
  });

  it("unsent work is named with its money [UI-181]", () => {
    const unsent = { pending: 3, oldestAt: ago(120_000), terminals: 1, payments: 2 };
    const dark: Overview = { ...calm, terminals: { connected: 5, away: 1, unsent } };
    expect(first(dark, live, now)).toMatchObject({ name: "unsentMoney", tone: "bad", payments: 2 });
  });

  it("a missing backup is named only for a hub that has run for a day [UI-2]", () => {
    expect(first({ ...calm, lastBackupAt: null }, live, now).name).toBe("good");
    const old = { ...calm, lastBackupAt: null, hub: { ...calm.hub, startedAt: ago(30 * 3_600_000) } };
    expect(first(old, live, now).name).toBe("noBackup");
  });

  it("a second folder without backups for a day is named below everything that concerns service [UI-266]", () => {
    const failing = (since: string): Overview => {
      return { ...calm, backups: { verifying: false, second: { state: "failing", since } } };
    };
    expect(first(failing(ago(23 * 3_600_000)), live, now).name).toBe("good");
    const away = failing(ago(25 * 3_600_000));
    expect(first(away, live, now)).toMatchObject({ name: "secondFolderFails", tone: "warn" });
    expect(first({ ...away, reasons: ["dev_auth"] }, live, now).name).toBe("devAuth");
  });
});
