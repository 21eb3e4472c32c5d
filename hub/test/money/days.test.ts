// @module-tag long
import { addDays } from "@comanda/protocol";
import type { HqRestaurant, HqSales } from "@comanda/protocol/headquarters.ts";
import { expect, it, onTestFinished } from "vitest";
import { callChain, startRealHeadquarters, type RealHeadquarters } from "../chain/real-headquarters.ts";
import { until } from "../support/until.ts";
import { dayOf } from "./days-account.ts";
import { checkBooks, checkDays, checkShifts, sorted } from "./days-checks.ts";
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
