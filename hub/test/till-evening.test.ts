// @module-tag long
import type { ClosingReport, HubMessageOf, NoShift, ShiftReport } from "@comanda/protocol";
import { sum } from "@comanda/rules";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { TestTerminal } from "./connect-terminal.ts";
import { answered, CARD, CASH, count, startTillHub } from "./till-hub.ts";

/** What people do in an evening, more often the more often it is named. */
const actions = [
  "pay",
  "pay",
  "pay",
  "payLate",
  "tender",
  "tender",
  "void",
  "settleOpen",
  "move",
  "payTwice",
  "settleKept",
  "applyKept",
  "open",
  "count",
  "countWrong",
  "assign",
  "restart",
] as const;

interface Step {
  action: (typeof actions)[number];
  /** At which of two tills. */
  at: 0 | 1;
  amount: number;
  method: typeof CASH | typeof CARD;
  tip: number;
  /** Chooses among what there is. */
  pick: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  action: fc.constantFrom(...actions),
  at: fc.constantFrom(0, 1),
  amount: fc.integer({ min: 1, max: 500_00 }).map((cents) => cents / 100),
  method: fc.constantFrom(CASH, CARD),
  tip: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 99 })),
  pick: fc.nat(),
});

/** One hub for all evenings: it is one POS session. */
async function startEvenings() {
  const house = await startTillHub({ ownBackOffice: true });
  const { hub, operator, addTill } = house;
  await addTill({ terminals: ["front"] });
  await addTill({ id: "door", name: "Puerta", terminals: ["back"] });
  const connect = (deviceId: string, deviceKey?: string) => hub.terminal({ login: "cashier", deviceId, deviceKey });
  let terminals = [house.front, await connect("back")];
  let boss = await hub.terminal({ login: "manager", deviceId: "office" });
  const shifts: (string | null)[] = [null, null];
  const closed = new Map<string, ShiftReport>();
  const open: { ref: string; total: number; tenders: string[]; due: number }[] = [];
  let paid: string[] = [];
  const terminal = (at: number): TestTerminal => terminals[at] as TestTerminal;
  const tender = (posReference: string, amount: number, { method, tip }: Step) => ({
    type: "ORDER_TENDER",
    tenderId: crypto.randomUUID(),
    posReference,
    methodId: method,
    amount,
    ...(tip > 0 && { tip }),
  });

  async function countShift(at: number, off: number): Promise<void> {
    const shiftId = shifts[at];
    if (shiftId == null) return;
    const { byMethod } = await house.report(shiftId);
    const expected = Math.max(0, byMethod[0]?.expected ?? 0);
    const cash = sum([expected, off]);
    const answer = await answered(terminal(at), count(shiftId, cash));
    if (answer.type === "TILL_REJECTED") {
      expect(answer.errorCode).toBe("APPROVAL_NEEDED");
      // Money that comes meanwhile is not what was counted.
      await house.pay(7, CASH, {}, terminal(at)).then((ref) => paid.push(ref));
      await answered(boss, count(shiftId, cash));
    }
    closed.set(shiftId, await house.report(shiftId));
    shifts[at] = null;
  }

  const deeds: Record<Step["action"], (step: Step) => Promise<unknown>> = {
    pay: async ({ at, amount, method, tip }) => paid.push(await house.pay(amount, method, { tip }, terminal(at))),
    async payLate({ at, amount, method, pick }) {
      const posReference = await house.check(amount, terminal(at));
      const queuedAt = new Date(Date.now() - (pick % 3_000)).toISOString();
      const payments = [{ methodId: method, amount }];
      await terminal(at).change({ type: "ORDER_PAY", posReference, baseVersion: 1, queuedAt, payments });
    },
    async tender(one) {
      const { at, amount } = one;
      const ref = await house.check(sum([amount, 100]), terminal(at));
      const message = tender(ref, amount, one);
      await terminal(at).change(message);
      open.push({ ref, total: sum([amount, 100]), tenders: [message.tenderId], due: 100 });
    },
    async void({ at, pick }) {
      const found = open[pick % Math.max(1, open.length)];
      const tenderId = found?.tenders.pop();
      if (found === undefined || tenderId === undefined) return;
      await terminal(at).change({ type: "ORDER_TENDER_VOID", tenderId, reason: "error" });
      found.due = found.total;
    },
    async settleOpen(one) {
      const found = open.shift();
      if (found !== undefined) await terminal(one.at).change(tender(found.ref, found.due, one));
    },
    async move({ at, amount, pick }) {
      const kind = (["in", "out", "drop"] as const)[pick % 3];
      if (shifts[at] != null)
        await answered(terminal(at), { type: "TILL_MOVE", shiftId: shifts[at], kind, amount, reason: "x" });
    },
    async payTwice({ at, pick, method, amount }) {
      const ref = paid[pick % Math.max(1, paid.length)];
      if (ref === undefined) return;
      const again = { type: "ORDER_PAY", posReference: ref, baseVersion: 1, payments: [{ methodId: method, amount }] };
      await expect(terminal(at).change(again)).rejects.toThrow("ORDER_LOCKED");
    },
    settleKept: () => settleAll(),
    async applyKept({ at, amount, method }) {
      // A lease of somebody else keeps the money from its check.
      const posReference = await house.check(amount, terminal(at));
      const other = terminal(1 - at);
      const lease = (await other.ask({ type: "LEASE_ACQUIRE", posReference })) as HubMessageOf<"LEASE_GRANTED">;
      const payments = [{ methodId: method, amount: sum([amount, 5]) }];
      const pay = { type: "ORDER_PAY", posReference, baseVersion: 1, payments };
      await expect(terminal(at).change(pay)).rejects.toThrow("LEASE_HELD");
      await other.ask({ type: "LEASE_RELEASE", posReference, leaseId: lease.leaseId });
      const { payments: kept } = (await operator("payments", { query: { limit: 200 } })).body;
      const mine = kept.find((each: { posReference: string }) => each.posReference === posReference);
      expect(await operator("applyPayment", { params: { paymentId: mine.paymentId }, body: {} })).toMatchObject({
        status: 200,
      });
    },
    async open({ at, amount }) {
      shifts[at] ??= await house.openShift(amount, terminal(at), at === 0 ? "bar" : "door");
    },
    count: ({ at, pick }) => countShift(at, (pick % 100) / 100),
    countWrong: ({ at, amount }) => countShift(at, sum([amount, 101])),
    async assign({ pick, at }) {
      const { payments } = (await house.none()) as NoShift;
      const found = payments[pick % Math.max(1, payments.length)];
      const shiftId = shifts[at] ?? [...closed.keys()].at(-1);
      if (found === undefined || shiftId === undefined) return;
      await operator("assignPayment", { params: { paymentId: found.paymentId }, body: { shiftId } });
    },
    async restart() {
      await hub.restart();
      terminals = [
        await connect("front", terminal(0).hello.deviceKey),
        await connect("back", terminal(1).hello.deviceKey),
      ];
      boss = await hub.terminal({ login: "manager", deviceId: "office", deviceKey: boss.hello.deviceKey });
    },
  };

  async function settleAll(): Promise<void> {
    const { payments } = (await operator("payments", { query: { limit: 200 } })).body;
    for (const { paymentId } of payments) {
      await operator("settlePayment", { params: { paymentId }, body: { note: "devuelto" } });
    }
  }

  return {
    do: (one: Step) => deeds[one.action](one),
    /** Nothing is left half done. */
    async finish(): Promise<void> {
      while (open.length > 0)
        await deeds.settleOpen({ action: "settleOpen", at: 0, amount: 1, method: CASH, tip: 0, pick: 0 });
      await settleAll();
      paid = [];
    },
    async check(): Promise<void> {
      const { totals } = (await operator("closing")).body as ClosingReport;
      const listed = (await operator("shifts")).body.shifts as { id: string }[];
      const reports: ShiftReport[] = [];
      for (const { id } of listed) reports.push(await house.report(id));
      const none = (await house.none()) as NoShift;
      for (const method of ["1", "2"]) {
        const inShifts = reports.flatMap(({ byMethod }) => byMethod.filter(({ methodId }) => methodId === method));
        const late = reports.flatMap((each) => each.late.filter(({ methodId }) => methodId === method));
        const loose = none.byMethod.filter(({ methodId }) => methodId === method);
        const taken = totals.byMethod.find(({ methodId }) => methodId === method);
        const sales = [...inShifts, ...loose].map((each) => each.sales);
        const tips = [...inShifts, ...loose].map((each) => each.tips);
        expect(sum([...sales, ...late.map(({ amount }) => amount)])).toBe(taken?.amount ?? 0);
        expect(sum([...tips, ...late.map(({ tip }) => tip)])).toBe(taken?.tips ?? 0);
      }
      for (const [id, z] of closed) {
        const { late: _, ...now } = reports.find((each) => each.id === id) as ShiftReport;
        const { late: __, ...then } = z;
        expect(now).toEqual(then);
      }
    },
  };
}

it(
  "[TILL-15, TILL-31] whatever happens, shifts and money of no shift add up to the takings, and no closed report changes",
  { timeout: 300_000 },
  async () => {
    const evenings = await startEvenings();
    const runs = Number(process.env["TILL_EVENINGS"] ?? 12);
    const samples = fc.sample(fc.array(step, { minLength: 15, maxLength: 40 }), { numRuns: runs, seed: 29 });
    for (const steps of samples) {
      for (const one of steps) await evenings.do(one);
      await evenings.finish();
      await evenings.check();
    }
  },
);
