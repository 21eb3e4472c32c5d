import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { givePrinters, printJobs } from "../test/kitchen/printed.ts";
import { terminalSnapshot } from "../test/support/builders.ts";
import { operatorOf } from "../test/support/operator.ts";
import { startTestHub, type TestHub } from "../test/support/start-test-hub.ts";

const stations = [
  { id: "hot", name: "Caliente", categoryIds: [], productIds: [101] },
  { id: "bar", name: "Barra", categoryIds: [], productIds: [102] },
];
const env = { HUB_STATIONS: JSON.stringify(stations) };

const mofongo = { id: "Mofongo", name: "Mofongo", productId: 101, quantity: 1 };
const chivo = { id: "Chivo", name: "Chivo", productId: 101, quantity: 1 };
const ron = { id: "Ron", name: "Ron", productId: 102, quantity: 1 };

interface Content {
  lines: Record<string, unknown>[];
  notes?: string | null;
  tableId?: number;
}

/** Starts a hub with two printers at the hot station and one at the bar, and a terminal that writes checks. */
async function startRestaurant() {
  const hub = await startTestHub({ env });
  await givePrinters(hub, ["cocina", "cocina 2", "barra"], {
    stations: { hot: ["cocina", "cocina 2"], bar: ["barra"] },
  });
  const connect = () => hub.terminal({ login: "cashier", deviceId: "tablet" });
  let terminal = await connect();
  const versions = new Map<string, number>();
  const writeOf = (posReference: string, { lines, tableId = 5, ...content }: Content) => ({
    posReference,
    baseVersion: versions.get(posReference) ?? 0,
    snapshot: terminalSnapshot({ orderType: "dine_in", tableId, lines, ...content }),
  });
  const change = async (message: Record<string, unknown>) => {
    const answer = await terminal.change(message);
    for (const { posReference, version } of answer.orders ?? []) versions.set(posReference, version);
    if (answer.posReference !== undefined) versions.set(answer.posReference, answer.version ?? 0);
    return answer;
  };
  return {
    hub,
    versions,
    change,
    upsert: (posReference: string, content: Content) => ({ type: "ORDER_UPSERT", ...writeOf(posReference, content) }),
    batch: (contents: Record<string, Content>) => ({
      type: "ORDER_BATCH",
      orders: Object.entries(contents).map(([posReference, content]) => writeOf(posReference, content)),
    }),
    send: (posReference: string) => change({ type: "ORDER_SEND", posReference }),
    async restart(meanwhile?: () => void): Promise<void> {
      await hub.restart(meanwhile);
      terminal = await connect();
    },
  };
}

/** Returns the slips of notes: the printer, and what they say below the time. */
const notesOn = (hub: TestHub) =>
  printJobs(hub)
    .filter(({ cause }) => cause.startsWith("note:"))
    .map(
      ({ printerId, text }) =>
        `${printerId}: ${/NOTA (.*?) Cuenta/.exec(text)?.[1]}: ${/m\. (.*?)(?: \w{6})+ *$/.exec(text)?.[1]}`,
    );

it("a changed note is printed once at each printer of a station, for all tickets of the check there [PRINT-545, PRINT-546]", async () => {
  const { hub, upsert, change, send } = await startRestaurant();
  await change(upsert("A", { lines: [mofongo, ron] }));
  await send("A");
  await change(upsert("A", { lines: [mofongo, ron, chivo] }));
  await send("A");
  await change(upsert("A", { lines: [mofongo, ron, chivo], notes: "Alergia a mariscos" }));
  expect(notesOn(hub)).toEqual([
    "cocina: Patio 5: Alergia a mariscos",
    "cocina 2: Patio 5: Alergia a mariscos",
    "barra: Patio 5: Alergia a mariscos",
  ]);
});

it("each change of a note is printed, whoever makes it, and a repeated one is not [PRINT-545, PRINT-546]", async () => {
  const { hub, versions, upsert, change, send, restart } = await startRestaurant();
  await change(upsert("A", { lines: [ron], notes: "uno" }));
  await send("A");
  const toTwo = { ...upsert("A", { lines: [ron], notes: "dos" }), mutationId: crypto.randomUUID() };
  await change(toTwo);
  await restart();
  expect(await change(toTwo)).toMatchObject({ duplicate: true });
  const baseVersion = versions.get("A") ?? 0;
  expect(await hub.external().patch("/orders/A", { baseVersion, notes: "uno" })).toMatchObject({ status: 200 });
  const call = operatorOf(hub);
  const revert = { params: { posReference: "A" }, body: { version: baseVersion, baseVersion: baseVersion + 1 } };
  expect(await call("revertOrder", revert)).toMatchObject({ status: 200 });
  versions.set("A", baseVersion + 2);
  expect((await call("kitchen")).body).toMatchObject({ tickets: [{ notes: "dos" }] });
  await change(upsert("A", { lines: [ron], notes: null }));
  expect(notesOn(hub)).toEqual([
    "barra: Patio 5: dos",
    "barra: Patio 5: uno",
    "barra: Patio 5: dos",
    "barra: Patio 5: Nota retirada",
  ]);
});

it("a merge prints the joined note at the stations that did not have all of it [ORDER-175, PRINT-545]", async () => {
  const { hub, batch, change, send } = await startRestaurant();
  await change(batch({ A: { lines: [mofongo], notes: "Cumpleaños" } }));
  await change(batch({ B: { lines: [ron], tableId: 6, notes: "Alergia" } }));
  await send("A");
  await send("B");
  await change(
    batch({ A: { lines: [mofongo, ron], notes: "Cumpleaños" }, B: { lines: [], tableId: 6, notes: "Alergia" } }),
  );
  expect(await hub.external().get("/orders/A")).toMatchObject({
    body: { snapshot: { notes: "Cumpleaños / Alergia" } },
  });
  expect(notesOn(hub).toSorted()).toEqual([
    "barra: Patio 5: Cumpleaños / Alergia",
    "cocina 2: Patio 5: Cumpleaños / Alergia",
    "cocina: Patio 5: Cumpleaños / Alergia",
  ]);
});

it("a ticket of a data file without notes gets its check's note with the next change of its address [KIT-540]", async () => {
  const { hub, upsert, change, send, restart } = await startRestaurant();
  await change(upsert("A", { lines: [ron], notes: "Alergia" }));
  await send("A");
  await restart(() => {
    const db = new Database(hub.dbPath);
    db.prepare("UPDATE tickets SET body = json_remove(body, '$.notes')").run();
    db.close();
  });
  const ticket = async () => (await operatorOf(hub)("kitchen")).body.tickets[0];
  expect(await ticket()).not.toHaveProperty("notes");
  await change(upsert("A", { lines: [ron], notes: "Alergia", tableId: 6 }));
  expect(await ticket()).toMatchObject({ tableId: 6, notes: "Alergia" });
});
