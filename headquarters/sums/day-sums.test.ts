import { DAY_MS } from "@comanda/protocol";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTouched, refreshSums } from "../ingest/refresh-sums.ts";
import { fillChain } from "../test/fill-chain.ts";
import { signInAs, signInOwner, startTestApi, type TestApi } from "../test/start-test-api.ts";
import { createDaySums, type DaySums } from "./day-sums.ts";

describe("sums of past days", () => {
  let api: TestApi;
  let owner: Awaited<ReturnType<typeof signInOwner>>;
  let region: typeof owner;
  let regions: typeof owner;
  let sums: DaySums;
  beforeAll(async () => {
    api = await startTestApi();
    await fillChain(api.database, { restaurants: 20, days: 6, now: api.clock.now() });
    owner = await signInOwner(api);
    region = await signInAs(api, owner, { login: "sur", role: "region", groups: ["Sur"] });
    regions = await signInAs(api, owner, { login: "sures", role: "region", groups: ["Sur", "Este"] });
    sums = createDaySums({ database: api.database }, { now: api.clock.now, log: pino({ level: "silent" }) });
  });
  afterAll(() => api.stop());

  const dayBefore = (days: number): string => new Date(api.clock.now() - days * DAY_MS).toISOString().slice(0, 10);
  const range = () => `/sales?from=${dayBefore(5)}&to=${dayBefore(0)}`;
  const summedDays = async (): Promise<string[]> => {
    const rows = await api.database.query<{ day: string }>("SELECT day::text AS day FROM summed_days ORDER BY day");
    return rows.map(({ day }) => day);
  };
  /** Returns the answers to all requests by all roles. */
  async function answers(): Promise<unknown[]> {
    const requests = [
      owner.get(range()),
      owner.get(`${range()}&group=Este`),
      owner.get(`${range()}&restaurant=r0007`),
      owner.get(`/sales?from=${dayBefore(4)}&to=${dayBefore(3)}`),
      region.get(range()),
      regions.get(range()),
      regions.get(`${range()}&group=Sur`),
      regions.get(`${range()}&group=Norte`),
      owner.get("/products"),
      region.get("/products"),
    ];
    return (await Promise.all(requests)).map(({ body }) => ({ ...body, coverage: null }) as unknown);
  }
  /** Pays a check on a past day, like one that arrives late. */
  async function payLate(day: string, cents: number): Promise<void> {
    await api.database.transaction(async (queries) => {
      const hour = new Date(`${day}T17:00:00Z`);
      await queries.query(
        `INSERT INTO checks (restaurant_id, pos_reference, hub_id, seq, version, opened_at, updated_at, paid_at, day,
           hour, total_cents, paid_cents)
         VALUES ('r0007', 'late', 'h', 1, 1, $1, $1, $1, $2, $1, $3, $3)
         ON CONFLICT (restaurant_id, pos_reference) DO UPDATE SET paid_cents = excluded.paid_cents`,
        [hour, day, cents],
      );
      const touched = createTouched(
        () => 0,
        () => 13,
      );
      touched.addHour("r0007", hour);
      await refreshSums(queries, touched);
    });
  }

  it("stored day sums change no answer, whoever asks [HQ-173]", async () => {
    const before = await answers();
    await sums.sumDays();
    expect(await summedDays()).toEqual([6, 5, 4, 3, 2].map(dayBefore));
    expect(await answers()).toEqual(before);
  });

  it("the sums of a day are invalidated by any change to that day, and computed again [HQ-173]", async () => {
    const day = dayBefore(3);
    const paidOn = async (): Promise<number> =>
      (await owner.get(`/sales?from=${day}&to=${day}&group=Santo Domingo`)).body.totals.paid;
    await payLate(day, 100);
    expect(await summedDays()).not.toContain(day);
    const first = await paidOn();
    await payLate(day, 350);
    expect(await paidOn()).toBe(first + 2.5);
    const before = await answers();
    await sums.sumDays();
    expect(await summedDays()).toContain(day);
    expect(await answers()).toEqual(before);
  });

  it("day sums are invalidated when a restaurant joins another group [HQ-173]", async () => {
    const sur = async (): Promise<{ id: string }[]> => (await owner.get(`${range()}&group=Sur`)).body.restaurants;
    expect((await sur()).map(({ id }) => id)).not.toContain("r0001");
    const paid = async (): Promise<number> => (await owner.get(`${range()}&group=Sur`)).body.totals.paid;
    const [without, own] = [await paid(), (await owner.get(`${range()}&restaurant=r0001`)).body.totals.paid];
    await owner.patch("/restaurants/r0001", { groups: ["Sur"] });
    expect(await summedDays()).toEqual([]);
    expect(await paid()).toBeCloseTo(without + own, 2);
    const before = await answers();
    await sums.sumDays();
    expect(await answers()).toEqual(before);
  });
});
