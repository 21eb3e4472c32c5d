import type { Terminal } from "@comanda/terminal";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { lineOf, newOrder } from "../support/orders.ts";
import { startBackOfficeInProcess } from "../support/back-office-in-process.ts";
import { online, openRestaurant, type Restaurant } from "../support/restaurant.ts";

let restaurant: Restaurant;
let terminal: Terminal;
let apiKey = "";
beforeAll(async () => {
  restaurant = await openRestaurant({ HUB_ENABLED_PLUGINS: "reservations" }, startBackOfficeInProcess);
  terminal = await restaurant.terminal("t1");
  await online(terminal);
  const authorization = `Bearer ${await restaurant.token("manager")}`;
  const key = { label: "bookings", scopes: ["plugins:write"] };
  apiKey = (await post<{ token: string }>("/external-keys", key, { authorization })).token;
});
afterAll(() => restaurant?.close());

async function post<T>(path: string, body: object, headers: Record<string, string>): Promise<T> {
  const answer = await fetch(new URL(path, restaurant.hubUrl), {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as T;
}

const book = (key: string, payload: object) =>
  post("/external/v1/plugins/reservations/events", { key, payload }, { "x-api-key": apiKey });

const inMs = (ms: number) => new Date(terminal.now() + ms).toISOString();
const booking = (key: string) => terminal.reservations().bookings.find((each) => each.key === key);

describe("bookings on a terminal", () => {
  it("a booking reaches the terminal when it is posted, and its phase advances by itself [CLIENT-53]", async () => {
    const received: (string | undefined)[] = [];
    const off = terminal.on("reservations", ({ bookings }) => {
      received.push(bookings.find(({ key }) => key === "one")?.phase);
    });
    await book("one", { tableId: 4, at: inMs(1_500), guestName: "Ana", leadMinutes: 0, graceMinutes: 0 });
    await eventually(() => booking("one")?.phase).toBe("invisible");
    await eventually(() => received.at(-1)).toBe("late");
    expect(received.slice(received.indexOf("late")).every((phase) => phase === "late")).toBe(true);
    expect(booking("one")).toMatchObject({ phase: "late", reservation: { guestName: "Ana" } });
    off();
  });

  it("a booking that breaks the rules is listed as dropped, with the reason [CLIENT-53]", async () => {
    await book("no-offset", { tableId: 4, at: "2026-11-21T20:00:00", guestName: "Ana" });
    await eventually(() => terminal.reservations().dropped).toMatchObject([
      { key: "no-offset", reason: expect.stringContaining(": at: ") },
    ]);
    await book("no-offset", { tableId: 4, at: inMs(0), guestName: "Ana" });
    await eventually(() => terminal.reservations().dropped).toEqual([]);
  });

  it("a booking of seated guests names their order [CLIENT-54]", async () => {
    const at = inMs(0);
    await book("two", { tableId: 5, at, guestName: "Luis" });
    await eventually(() => booking("two")?.phase).toBe("due");
    expect(terminal.tables().find(({ tableId }) => tableId === 5)?.status ?? "available").toBe("available");
    const order = newOrder("POS/A", [lineOf("soup")], 5);
    terminal.openOrder({ ...order, pluginData: { reservations: { key: "two" } } });
    await book("two", { tableId: 5, at, guestName: "Luis", status: "seated" });
    await eventually(() => booking("two")).toMatchObject({ phase: "ended", order: "POS/A" });
  });
});
