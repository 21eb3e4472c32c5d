// @module-tag long
import {
  addDays,
  type NoShift,
  type OrderSummary,
  type Payment,
  type SalesReport,
  type ShiftReport,
  type TipsOfDay,
} from "@comanda/protocol";
import type { HqRestaurant, HqSales } from "@comanda/protocol/headquarters.ts";
import { sum } from "@comanda/rules";
import { expect, it, onTestFinished } from "vitest";
import { callChain, startRealHeadquarters, type RealHeadquarters } from "../chain/real-headquarters.ts";
import { until } from "../support/until.ts";
import { CASH, dayOf } from "./days-account.ts";
import { startService } from "./days-service.ts";

/** Run other days with `DAYS_SEED=40 DAYS_RUNS=20 npx vitest run hub/test/money/days.test.ts`. */
const SEED = Number(process.env["DAYS_SEED"] ?? 1);
const RUNS = Number(process.env["DAYS_RUNS"] ?? 3);
const STEPS = 200;

/** Time zones without DST, with DST starting, ending or changing at midnight, and with an offset of not whole hours. */
const places = [
  { timeZone: "America/Santo_Domingo", from: "2026-11-20T16:00:00-04:00" },
  { timeZone: "America/New_York", from: "2026-10-30T16:00:00-04:00" },
  { timeZone: "America/New_York", from: "2026-03-06T16:00:00-05:00" },
  { timeZone: "America/Santiago", from: "2026-09-04T16:00:00-04:00" },
  { timeZone: "Asia/Kathmandu", from: "2026-12-30T16:00:00+05:45" },
];

type Service = Awaited<ReturnType<typeof startService>>;
type Sales = ReturnType<Service["account"]["sales"]>;

const sorted = <T>(list: readonly T[]): T[] =>
  list.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
const cents = (amount: number): number => Math.round(amount * 100) / 100;

/** Signs in an owner at headquarters. */
async function ownerAt({ url, logged }: RealHeadquarters) {
  let cookie = "";
  const callHeadquarters = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${url}/hq/v1${path}`, {
      method,
      headers: { Cookie: cookie, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    cookie = response.headers.get("Set-Cookie")?.split(";")[0] ?? cookie;
    return (await response.json()) as T;
  };
  const code = await until("there is a code", () => /"setupCode":"([\w-]+)"/.exec(logged.join("\n"))?.[1]);
  await callHeadquarters("POST", "/setup", { code, login: "rosa", name: "Rosa", password: "una clave larga" });
  return { url, callHeadquarters };
}

function checkSales(report: SalesReport, account: Sales): void {
  const { totals, waiters, hours, dishes, refunds, parts } = report;
  expect(totals.paidOrders).toBe(account.checks);
  expect(totals.paidAmount).toBe(account.amount);
  expect(totals.tips ?? 0).toBe(account.tips);
  expect(totals.refunds ?? { notes: 0, amount: 0 }).toEqual({ notes: account.notes, amount: account.refunded });
  const methods = totals.byMethod.map(
    ({ methodId, amount, tips = 0, refunded = 0 }) => [methodId, { amount, tips, refunded }] as const,
  );
  expect(new Map(methods)).toEqual(account.methods);
  expect(new Map(waiters.map(({ name, ...of }) => [name, of]))).toEqual(account.byWaiter);
  for (const field of ["checks", "guests", "amount", "refunded", "tips"] as const) {
    const all = report.through === null ? hours : report.days;
    expect(sum(all.map((hour) => hour[field])), field).toBe(account[field]);
  }
  expect(sum(dishes.map(({ amount }) => amount))).toBe(account.amount);
  expect(sum(refunds.map(({ amount }) => amount))).toBe(account.refunded);
  expect(sum([parts.net, ...parts.taxes.map(({ amount }) => amount), parts.charges, parts.rounding])).toBe(
    account.amount,
  );
}

async function checkDays({ operator, account, now, hub }: Service, timeZone: string): Promise<void> {
  const days = account.days();
  for (const day of days) {
    const own = account.sales(day);
    checkSales((await operator("sales", { query: { day } })).body, own);
    const tips: TipsOfDay = (await operator("tips", { query: { day } })).body;
    const tipsByWaiter = [...own.tipsOf].filter(([, { legal, voluntary }]) => legal !== 0 || voluntary !== 0);
    expect(sorted(tips.waiters)).toEqual(sorted(tipsByWaiter.map(([userName, each]) => ({ userName, ...each }))));
    const { shifts } = (await operator("shifts", { query: { day } })).body;
    const opened = account.shifts.filter(({ openedAt }) => dayOf(openedAt, timeZone) === day);
    expect(shifts.map(({ id }: { id: string }) => id).toSorted()).toEqual(opened.map(({ id }) => id).toSorted());
  }
  const [first = "", last = ""] = [days[0], days.at(-1)];
  const all: SalesReport = (await operator("sales", { query: { day: first, through: last } })).body;
  checkSales(all, account.sales(null));
  expect(all.days).toEqual(
    days.map((day) => {
      const { checks, guests, amount, refunded, tips } = account.sales(day);
      return { day, checks, guests, amount, refunded, tips };
    }),
  );
  expect(all.today).toBe(dayOf(now(), timeZone));
  const { asOf: _, ...session }: SalesReport = (await operator("sales")).body;
  expect(session.totals).toEqual(all.totals);
  const { notYetInAccounting: _not, ...totals } = (await operator("closing")).body.totals;
  expect(totals).toEqual(all.totals);

  const { body } = await hub.external().get("/orders?status=all");
  const closed = (body.orders as OrderSummary[]).filter(({ status }) => status === "closed");
  const listed = closed.map(({ posReference, totals: { total } }) => ({ posReference, total }));
  expect(sorted(listed)).toEqual(sorted(account.sold.map(({ posReference, total }) => ({ posReference, total }))));
}

async function checkShifts({ operator, account, closed }: Service): Promise<void> {
  for (const shift of account.shifts) {
    const report: ShiftReport = (await operator("shift", { params: { shiftId: shift.id } })).body;
    const { methods, expectedCash } = account.expectedShift(shift);
    const found = report.byMethod.map(
      ({ methodId, sales, tips, refunded }) => [methodId, { sales, tips, refunded }] as const,
    );
    const isSome = ([, each]: (typeof found)[number]): boolean => Object.values(each).some((amount) => amount !== 0);
    expect(sorted(found.filter(isSome)), shift.id).toEqual(sorted([...methods].filter(isSome)));
    expect(report.byMethod.find(({ methodId }) => methodId === CASH)?.expected ?? shift.float).toBe(expectedCash);
    const all = [...methods.values()];
    expect(cents(sum(report.tips.map(({ amount }) => amount)))).toBe(cents(sum(all.map(({ tips }) => tips))));
    expect(report.refunds.amount).toBe(cents(sum(all.map(({ refunded }) => refunded))));
    expect(report.state).toBe(shift.countedAt === null ? "open" : "closed");
    expect([report.openedAt, report.countedAt].map((at) => at && Date.parse(at))).toEqual([
      shift.openedAt,
      shift.countedAt,
    ]);
    const late = account.late(shift.id).map(({ identity, amount, tip }) => ({ paymentId: identity, amount, tip }));
    expect(sorted(report.late.map(({ paymentId, amount, tip }) => ({ paymentId, amount, tip })))).toEqual(sorted(late));
    const z = closed.get(shift.id);
    if (z !== undefined) expect({ ...report, late: [] }).toEqual({ ...z, late: [] });
  }
  const none: NoShift = (await operator("noShift")).body;
  const unassigned = none.payments.map(({ posReference, kind, methodId, amount, tip }) => ({
    posReference,
    kind,
    methodId,
    amount,
    tip,
  }));
  expect(sorted(unassigned)).toEqual(
    sorted(
      account
        .unassigned()
        .map(({ posReference, kind, methodId, amount, tip }) => ({ posReference, kind, methodId, amount, tip })),
    ),
  );
}

async function checkBooks({ hub, account }: Service): Promise<void> {
  const { orders } = (await hub.backOffice.control("GET", "/orders")) as {
    orders: { posReference: string; total: number; order: { snapshot: { payments: Payment[] } } }[];
  };
  const booked = orders.map(({ posReference, total, order: { snapshot } }) => ({
    posReference,
    total,
    paid: cents(sum(snapshot.payments.map(({ amount }) => amount))),
    tips: cents(sum(snapshot.payments.map(({ tip = 0 }) => tip))),
  }));
  const own = account.sold.map(({ posReference, total, payments }) => ({
    posReference,
    total,
    paid: cents(sum(payments.map(({ amount }) => amount))),
    tips: cents(sum(payments.map(({ tip }) => tip))),
  }));
  expect(sorted(booked)).toEqual(sorted(own));
  const { notes } = (await hub.backOffice.control("GET", "/credit-notes")) as { notes: { total: number }[] };
  expect(sorted(notes.map(({ total }) => total))).toEqual(sorted(account.refunds.map(({ amount }) => amount)));
}

type Owner = Awaited<ReturnType<typeof ownerAt>>;

/** Enrols the hub as a restaurant of the chain. Returns the restaurant's id. */
async function enrol({ hub }: Service, { url, callHeadquarters }: Owner, name: string): Promise<string> {
  const { id } = await callHeadquarters<{ id: string }>("POST", "/restaurants", { name, groups: ["Sur"] });
  const { code } = await callHeadquarters<{ code: string }>("POST", `/restaurants/${id}/enrolment-code`, {});
  await callChain(hub, "POST", { address: url, code });
  return id;
}

async function checkHeadquarters(
  { hub, account, advanceUntil, now }: Service,
  { callHeadquarters }: Owner,
  { timeZone, id }: { timeZone: string; id: string },
): Promise<void> {
  await advanceUntil("headquarters have everything", async () => (await callChain(hub, "GET")).isCurrent);
  for (const day of account.days()) {
    const { checks, guests, amount, refunded, byHour } = account.sales(day);
    const { totals, hours } = await callHeadquarters<HqSales>("GET", `/sales?from=${day}&to=${day}&restaurant=${id}`);
    expect(totals).toMatchObject({ checks, guests, paid: amount, refunded });
    const sold = [...byHour].map(([hour, each]) => ({ hour, checks: each.checks, paid: each.amount }));
    const isSome = (hour: { checks: number }): boolean => hour.checks > 0;
    expect(sorted(hours.filter(isSome))).toEqual(sorted(sold.filter(isSome)));
  }
  const yesterday = addDays(dayOf(now(), timeZone), -1);
  await advanceUntil("all days that are over are the same there", async () => {
    const { digests } = await callHeadquarters<HqRestaurant>("GET", `/restaurants/${id}`);
    return digests.some(({ day }) => day === yesterday) && digests.every(({ isEqual }) => isEqual);
  });
}

/** Simulates three days in one of the zones. Returns how often each action was done. */
async function playDays(seed: number, owner: Owner): Promise<Service["actionCounts"]> {
  const place = places[seed % places.length] as (typeof places)[number];
  const service = await startService({ seed, ...place });
  const id = await enrol(service, owner, `Casa ${seed}`);
  for (let n = 0; n < STEPS; n += 1) await service.step();
  await service.finish();
  await checkDays(service, place.timeZone);
  await checkShifts(service);
  await checkBooks(service);
  await checkHeadquarters(service, owner, { timeZone: place.timeZone, id });
  await service.hub.stop();
  return service.actionCounts;
}

it(
  "shifts, tips, sales, books and headquarters equal an independent account of three days [TILL-10, TILL-15, OP-470, OP-471, HQ-33]",
  { timeout: 3_600_000 },
  async () => {
    const headquarters = await startRealHeadquarters();
    onTestFinished(() => headquarters.stop());
    const owner = await ownerAt(headquarters);
    const actionCounts = new Map<string, number>();
    for (let seed = SEED; seed < SEED + RUNS; seed += 1) {
      const done = await playDays(seed, owner).catch((error: unknown) => {
        throw new Error(`DAYS_SEED=${seed} DAYS_RUNS=1`, { cause: error });
      });
      for (const [action, count] of done) actionCounts.set(action, (actionCounts.get(action) ?? 0) + count);
    }
    // Fewer than three runs may not cover every action.
    const kinds = RUNS < 3 ? [] : ["late", "split", "merged", "given back", "refunded", "assigned", "counted"];
    for (const kind of kinds) expect(actionCounts.get(kind) ?? 0, kind).toBeGreaterThan(0);
  },
);
