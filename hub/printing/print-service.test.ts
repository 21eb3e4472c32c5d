import { PrintRoutes } from "@comanda/protocol";
import { afterEach, expect, it } from "vitest";
import { startFakePrinter, type FakePrinter } from "../test/fake-printer/fake-printer.ts";
import { memoryFile, openSpool, type TestSpool } from "../test/kitchen/open-spool.ts";
import { presentJob } from "./present-job.ts";
import { until } from "../test/support/until.ts";

const ending: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).toReversed()) await end();
});

async function printer(): Promise<FakePrinter> {
  const fake = await startFakePrinter();
  ending.push(fake.stop);
  return fake;
}

async function spoolOn(
  printers: Record<string, { address: string; fallback?: string }>,
  settings: Parameters<typeof openSpool>[0] = {},
  file = memoryFile(),
): Promise<TestSpool> {
  const test = openSpool(settings, file);
  ending.push(test.service.stop);
  for (const [id, { address, fallback }] of Object.entries(printers)) {
    await test.addPrinter(id, address, fallback === undefined ? {} : { fallback });
  }
  await test.service.start();
  return test;
}

const textsOf = (fake: FakePrinter): string[] =>
  fake.papers().map(({ lines }) =>
    lines
      .map((line) => line.text.trim())
      .filter((text) => text !== "")
      .join("|"),
  );

const isIn = (test: TestSpool, cause: string, state: string) =>
  until(`${cause} ${state}`, () => test.states(cause).includes(state as never));

it("a cause is printed once on each of its printers, in the order of the causes [PRINT-1]", async () => {
  const [kitchen, bar] = [await printer(), await printer()];
  const test = await spoolOn({ kitchen, bar });
  expect(await test.add("ticket:1", "kitchen")).not.toBeNull();
  expect(await test.add("ticket:1", "bar")).not.toBeNull();
  expect(await test.add("ticket:1", "kitchen")).toBeNull();
  await test.add("ticket:2", "kitchen");
  await test.add("ticket:3", "kitchen");
  await isIn(test, "ticket:3", "printed");
  await until("the bar", () => bar.documents().length === 1);
  expect(textsOf(kitchen)).toEqual(["ticket:1", "ticket:2", "ticket:3"]);
  expect(textsOf(bar)).toEqual(["ticket:1"]);
});

it("jobs wait for an unreachable, empty or open printer, and show the reason [PRINT-2]", async () => {
  const kitchen = await printer();
  const test = await spoolOn({ kitchen });
  await kitchen.refuse();
  await test.add("ticket:1", "kitchen", { terminalId: "bar-1" });
  await isIn(test, "ticket:1", "waiting unreachable");
  kitchen.faults.paper = "out";
  await kitchen.listen();
  await isIn(test, "ticket:1", "waiting paper_out");
  expect(test.service.conditionOf("kitchen")?.state).toBe("paper_out");
  kitchen.mend();
  kitchen.faults.isCoverOpen = true;
  await isIn(test, "ticket:1", "waiting cover_open");
  kitchen.mend();
  await isIn(test, "ticket:1", "printed");
  expect(textsOf(kitchen)).toEqual(["ticket:1"]);
  expect(test.printChanges.map(({ job, terminalId }) => [job.state, job.error, job.printer, terminalId])).toEqual([
    ["waiting", "unreachable", "KITCHEN", "bar-1"],
    ["waiting", "paper_out", "KITCHEN", "bar-1"],
    ["waiting", "cover_open", "KITCHEN", "bar-1"],
    ["printed", undefined, "KITCHEN", "bar-1"],
  ]);
});

it("a printer without status prints, and a clean close of the connection counts as printed [PRINT-3]", async () => {
  const kitchen = await printer();
  kitchen.faults.isSilent = true;
  const test = await spoolOn({ kitchen });
  await test.add("ticket:1", "kitchen");
  await isIn(test, "ticket:1", "printed");
  expect(textsOf(kitchen)).toEqual(["ticket:1"]);
  expect(test.service.conditionOf("kitchen")?.state).toBe("unknown");
});

it("a printer without status that closes each connection itself counts as having printed [PRINT-3]", async () => {
  const till = await printer();
  Object.assign(till.faults, { isSilent: true, closesAfterMs: 20 });
  const test = await spoolOn({ till });
  for (const cause of ["receipt:1", "receipt:2"]) {
    await test.add(cause, "till");
    await until("it is over", () => !/waiting|printing/.test(test.states(cause)[0] ?? ""));
  }
  expect(["receipt:1", "receipt:2"].flatMap(test.states)).toEqual(["printed", "printed"]);
  expect(textsOf(till)).toEqual(["receipt:1", "receipt:2"]);
});

it("a printer with status that ends its connection instead of answering after a document has printed it [PRINT-3]", async () => {
  const till = await printer();
  const test = await spoolOn({ till });
  till.faults.after = { bytes: 8, fault: "end" };
  for (const cause of ["receipt:1", "receipt:2"]) {
    await test.add(cause, "till");
    await until("it is over", () => !/waiting|printing/.test(test.states(cause)[0] ?? ""));
  }
  expect(["receipt:1", "receipt:2"].flatMap(test.states)).toEqual(["printed", "printed"]);
  expect(textsOf(till)).toEqual(["receipt:1", "receipt:2"]);
});

it("a printer that stopped reading gets no data before it reads again [PRINT-329]", { tags: "long" }, async () => {
  const [kitchen, bar] = [await printer(), await printer()];
  const test = await spoolOn({ bar, kitchen: { address: kitchen.address, fallback: "bar" } });
  await test.add("ticket:1", "kitchen", { document: "station" });
  await isIn(test, "ticket:1", "printed");
  kitchen.faults.isStuck = true;
  await test.add("ticket:2", "kitchen", { document: "station" });
  await test.add("receipt:1", "kitchen");
  await until("the fallback", () => test.states("ticket:2")[0] === "printed");
  await until("it waits", () => test.states("receipt:1")[0] === "waiting unreachable");
  expect(test.service.conditionOf("kitchen")?.state).toBe("unreachable");
  kitchen.mend();
  await until("the receipt", () => test.states("receipt:1")[0] === "printed");
  expect(textsOf(kitchen)).toEqual(["ticket:1", "receipt:1"]);
  expect(textsOf(bar)).toEqual(["DE KITCHEN: SU IMPRESORA NO RESPONDE|ticket:2"]);
});

it("a silent printer that stops reading leaves only one document in doubt [PRINT-329]", { tags: "long" }, async () => {
  const till = await printer();
  till.faults.isSilent = true;
  const test = await spoolOn({ till });
  await test.add("receipt:1", "till");
  await isIn(test, "receipt:1", "printed");
  till.faults.isStuck = true;
  for (const cause of ["receipt:2", "receipt:3"]) await test.add(cause, "till");
  await isIn(test, "receipt:2", "unknown line_broken");
  await isIn(test, "receipt:3", "waiting unreachable");
  till.mend();
  till.faults.isSilent = true;
  await isIn(test, "receipt:3", "printed");
  expect(textsOf(till)).toEqual(["receipt:1", "receipt:2", "receipt:3"]);
});

it(
  "jobs sent to a silent printer that never closes become unknown, also after an unreadable job [PRINT-329]",
  { tags: "long" },
  async () => {
    const till = await printer();
    till.faults.isStuck = true;
    const test = await spoolOn({ till });
    await until("it is known", () => test.service.conditionOf("till")?.state === "unknown");
    await test.add("receipt:1", "till", { blocks: [null as never] });
    await isIn(test, "receipt:1", "failed unreadable");
    for (const cause of ["receipt:2", "receipt:3"]) {
      await test.add(cause, "till");
      await isIn(test, cause, "unknown line_broken");
    }
  },
);

it.each(["reset", "close", "die"] as const)(
  "a job interrupted by a %s becomes unknown and is never repeated [PRINT-4]",
  async (fault) => {
    const kitchen = await printer();
    const test = await spoolOn({ kitchen });
    kitchen.faults.after = { bytes: 8, fault };
    await test.add("ticket:1", "kitchen", { terminalId: "bar-1" });
    await until("unknown", () => test.states("ticket:1")[0]?.startsWith("unknown"));
    expect(test.jobs.listOpenByTerminal("bar-1")).toHaveLength(1);
    await kitchen.listen();
    await test.add("ticket:2", "kitchen");
    await isIn(test, "ticket:2", "printed");
    expect(textsOf(kitchen).at(-1)).toBe("ticket:2");
    expect(textsOf(kitchen).filter((text) => text.includes("ticket:1"))).toHaveLength(0);
    expect(
      test.printChanges.map(({ job }) => [job.id === test.jobs.listByCause("ticket:1")[0]?.jobId, job.state]),
    ).toContainEqual([true, "unknown"]);
  },
);

it.each(["reset", "end_and_reset"] as const)(
  "a job during which a printer without status %ss becomes unknown [PRINT-4]",
  async (fault) => {
    const till = await printer();
    Object.assign(till.faults, { isSilent: true, after: { bytes: 8, fault } });
    const test = await spoolOn({ till });
    await test.add("receipt:1", "till");
    await until("it is over", () => !/waiting|printing/.test(test.states("receipt:1")[0] ?? ""));
    expect(test.states("receipt:1")).toEqual(["unknown line_broken"]);
  },
);

it("a job during which the paper ran out becomes unknown [PRINT-4]", { tags: "long" }, async () => {
  const kitchen = await printer();
  const test = await spoolOn({ kitchen });
  kitchen.faults.after = { bytes: 8, fault: "paper_out" };
  await test.add("ticket:1", "kitchen");
  await isIn(test, "ticket:1", "unknown paper_out");
});

it("a job whose printer is opened at the end is printed if it is closed within a moment [PRINT-5]", async () => {
  const kitchen = await printer();
  const test = await spoolOn({ kitchen });
  kitchen.faults.after = { bytes: 8, fault: "cover_open" };
  await test.add("ticket:1", "kitchen");
  await until("it holds the rest", () => (kitchen.documents()[0]?.unprinted ?? 0) > 0);
  kitchen.mend();
  await isIn(test, "ticket:1", "printed");
  expect(textsOf(kitchen)).toEqual(["ticket:1"]);
});

it("a job without a printer for too long fails without a byte sent, and is not printed later [PRINT-6]", async () => {
  const kitchen = await printer();
  await kitchen.refuse();
  const test = await spoolOn({ kitchen }, { expireMs: 800 });
  await test.add("ticket:1", "kitchen");
  await isIn(test, "ticket:1", "failed expired");
  await kitchen.listen();
  await test.add("ticket:2", "kitchen");
  await isIn(test, "ticket:2", "printed");
  expect(textsOf(kitchen)).toEqual(["ticket:2"]);
  expect(test.jobs.listByCause("ticket:1")).toMatchObject([{ isOpen: 1 }]);
});

it("a slip moved to the fallback says so there, and its first printer never prints it [PRINT-7]", async () => {
  const [kitchen, bar] = [await printer(), await printer()];
  await kitchen.refuse();
  const test = await spoolOn({ bar, kitchen: { address: kitchen.address, fallback: "bar" } });
  await test.add("ticket:1", "kitchen", { document: "station" });
  await test.add("receipt:1", "kitchen");
  await isIn(test, "ticket:1", "printed");
  await kitchen.listen();
  await isIn(test, "receipt:1", "printed");
  expect(textsOf(bar)).toEqual(["DE KITCHEN: SU IMPRESORA NO RESPONDE|ticket:1"]);
  expect(textsOf(kitchen)).toEqual(["receipt:1"]);
});

it("an unknown slip, and a slip of a fallback, are not moved [PRINT-8]", async () => {
  const [kitchen, bar, grill] = [await printer(), await printer(), await printer()];
  const test = await spoolOn({
    grill,
    bar: { address: bar.address, fallback: "grill" },
    kitchen: { address: kitchen.address, fallback: "bar" },
  });
  kitchen.faults.after = { bytes: 8, fault: "die" };
  await test.add("ticket:1", "kitchen", { document: "station" });
  await until("unknown", () => test.states("ticket:1")[0]?.startsWith("unknown"));
  await bar.refuse();
  await test.add("ticket:2", "kitchen", { document: "station" });
  await until("the fallback", () => test.jobs.listByCause("ticket:2")[0]?.sentTo === "bar");
  await isIn(test, "ticket:2", "waiting unreachable");
  const { createdAt = 0 } = test.jobs.listByCause("ticket:2")[0] ?? {};
  await until("twice the time", () => Date.now() > createdAt + 1_200);
  expect(test.jobs.listByCause("ticket:2")[0]?.sentTo).toBe("bar");
  expect(grill.documents()).toEqual([]);
  expect(test.jobs.listByCause("ticket:1")).toMatchObject([{ state: "unknown", sentTo: "kitchen" }]);
});

it("a possibly printed job is repeated as a marked copy, an unsent one as the original [PRINT-9]", async () => {
  const kitchen = await printer();
  const test = await spoolOn({ kitchen });
  kitchen.faults.after = { bytes: 8, fault: "reset" };
  const first = await test.add("receipt:1", "kitchen", { terminalId: "till-1" });
  await until("unknown", () => test.states("receipt:1")[0]?.startsWith("unknown"));
  const copy = await test.again(first?.id ?? "");
  await until("the copy", () => test.jobs.get(copy.jobId)?.state === "printed");
  const second = await test.again(first?.id ?? "");
  await until("the second copy", () => test.jobs.get(second.jobId)?.state === "printed");
  expect(textsOf(kitchen).slice(1)).toEqual(["COPIA 1|receipt:1", "COPIA 2|receipt:1"]);
  expect(test.jobs.listOpenByTerminal("till-1")).toEqual([]);
  expect(test.jobs.get(first?.id ?? "")).toMatchObject({ state: "unknown" });

  await kitchen.refuse();
  const waiting = await test.add("receipt:2", "kitchen");
  await test.dismiss(waiting?.id ?? "");
  expect(test.states("receipt:2")[0]).toMatch("dropped");
  const original = await test.again(waiting?.id ?? "");
  // A second job beside it would also be printed as the original.
  await expect(test.again(waiting?.id ?? "")).rejects.toMatchObject({ code: "PRINTING" });
  await kitchen.listen();
  await until("the original", () => test.jobs.get(original.jobId)?.state === "printed");
  expect(textsOf(kitchen).at(-1)).toBe("receipt:2");
  expect((await test.again(waiting?.id ?? "")).copy).toBe(1);
});

it("a receipt counts as printed on any printer, a station slip only on its own [PRINT-9]", async () => {
  const [till, bar] = [await printer(), await printer()];
  const test = await spoolOn({ till, bar });
  await till.refuse();
  const lost = (await test.add("receipt:1", "till"))?.id ?? "";
  await test.dismiss(lost);
  const again = (id: string, elsewhere?: string) =>
    test.changes.write((tx) => test.spool.again(tx, id, undefined, elsewhere === undefined ? {} : { elsewhere }));
  const original = await again(lost, "bar");
  await until("the original", () => test.jobs.get(original.jobId)?.state === "printed");
  await till.listen();
  expect((await again(lost)).copy).toBe(1);
  await until("the copy", () => test.states("receipt:1").every((state) => state === "dropped" || state === "printed"));
  expect((await again(original.jobId)).copy).toBe(2);
  await until("all", () => textsOf(bar).length === 2);
  expect([...textsOf(bar), ...textsOf(till)]).toEqual(["receipt:1", "COPIA 2|receipt:1", "COPIA 1|receipt:1"]);

  for (const printerId of ["till", "bar"]) await test.add("ticket:1", printerId, { document: "station" });
  await until("both slips", () => test.states("ticket:1").every((state) => state === "printed"));
  await test.changes.write((tx) => {
    test.printers.saveRoutes(tx, PrintRoutes.parse({ receipts: "bar" }));
    const blocks = [{ kind: "text" as const, text: "ticket:2" }];
    test.spool.addUnprintable(tx, { cause: "ticket:2", document: "station", blocks });
  });
  const unprintable = test.jobs.listByCause("ticket:2")[0]?.jobId ?? "";
  expect((await test.again(unprintable)).copy).toBe(0);
  await until("the slip", () => test.states("ticket:2")[1] === "printed");
  expect((await test.again(unprintable)).copy).toBe(1);
  const copies = await Promise.all(test.jobs.listByCause("ticket:1").map(({ jobId }) => test.again(jobId)));
  expect(copies.map(({ printerId, copy }) => [printerId, copy])).toEqual([
    ["till", 1],
    ["bar", 1],
  ]);
});

/** Removes a printer as a manager does. */
const remove = (test: TestSpool, printerId: string, routes: object) =>
  test.changes.write((tx) => {
    test.printers.remove(tx, printerId);
    test.spool.removePrinter(tx, printerId);
    test.printers.saveRoutes(tx, PrintRoutes.parse(routes));
  });

it("a job of a removed printer is printed again where such documents are printed now [PRINT-333]", async () => {
  const [kitchen, grill, till] = [await printer(), await printer(), await printer()];
  await kitchen.refuse();
  const test = await spoolOn({ kitchen, grill, till });
  const jobs = [
    await test.add("ticket:1", "kitchen", { document: "station", stationId: "hot", terminalId: "bar-1" }),
    await test.add("receipt:1", "kitchen", { terminalId: "bar-1" }),
  ];
  await remove(test, "kitchen", {});
  expect(test.printChanges.map(({ job }) => [job.state, job.error, job.printer]).slice(-2)).toEqual([
    ["failed", "printer_removed", ""],
    ["failed", "printer_removed", ""],
  ]);
  for (const job of jobs) await expect(test.again(job?.id ?? "")).rejects.toMatchObject({ code: "NOT_FOUND" });
  const routes = { stations: { hot: ["grill"] }, terminals: { "bar-1": { printer: "till" } }, receipts: "grill" };
  await test.changes.write((tx) => test.printers.saveRoutes(tx, PrintRoutes.parse(routes)));
  for (const job of jobs) await test.again(job?.id ?? "");
  await until("both", () => textsOf(grill).length + textsOf(till).length === 2);
  expect([textsOf(grill), textsOf(till)]).toEqual([["ticket:1"], ["receipt:1"]]);
  expect(test.jobs.listOpenByTerminal("bar-1")).toEqual([]);
});

it("a fallback's slips do not name a removed printer [PRINT-333]", async () => {
  const [kitchen, bar] = [await printer(), await printer()];
  await kitchen.refuse();
  await bar.refuse();
  const test = await spoolOn({ bar, kitchen: { address: kitchen.address, fallback: "bar" } });
  await test.add("ticket:1", "kitchen", { document: "station" });
  await until("the fallback", () => test.jobs.listByCause("ticket:1")[0]?.sentTo === "bar");
  await remove(test, "kitchen", {});
  await bar.listen();
  await isIn(test, "ticket:1", "printed");
  expect(textsOf(bar)).toEqual(["SU IMPRESORA NO RESPONDE|ticket:1"]);
});

it("repeating and dropping a job are refused while it is printed, and to other terminals [PRINT-10]", async () => {
  const kitchen = await printer();
  kitchen.faults.slowMs = 100;
  const test = await spoolOn({ kitchen });
  const job = await test.add("receipt:1", "kitchen", { terminalId: "till-1" });
  await isIn(test, "receipt:1", "printing");
  await expect(test.again(job?.id ?? "")).rejects.toMatchObject({ code: "PRINTING" });
  await expect(test.dismiss(job?.id ?? "")).rejects.toMatchObject({ code: "PRINTING" });
  await expect(test.dismiss(job?.id ?? "", "till-2")).rejects.toMatchObject({ code: "NOT_FOUND" });
  await isIn(test, "receipt:1", "printed");
});

it("a held job is printed once with its completed content, or unchanged when its time ends [PRINT-11]", async () => {
  const till = await printer();
  const test = await spoolOn({ till });
  const complete = (cause: string, text: string) =>
    test.changes.write((tx) => test.spool.complete(tx, cause, [{ kind: "text", text }]));
  await test.add("receipt:1", "till", { heldUntil: Date.now() + 60_000 });
  await test.add("receipt:2", "till", { heldUntil: Date.now() + 300 });
  await complete("receipt:1", "with its number");
  await complete("receipt:1", "with another number");
  await isIn(test, "receipt:2", "printed");
  await complete("receipt:2", "too late");
  await isIn(test, "receipt:1", "printed");
  expect(textsOf(till)).toEqual(["with its number", "receipt:2"]);
});

it("a drawer opens once, with its document or alone, and not for a copy [PRINT-12]", async () => {
  const till = await printer();
  const test = await spoolOn({ till });
  const receipt = await test.add("receipt:1", "till", { opensDrawer: true });
  await test.add("drawer:1", "till", { document: "drawer", blocks: [], opensDrawer: true });
  await isIn(test, "drawer:1", "printed");
  const copy = await test.again(receipt?.id ?? "");
  await until("the copy", () => test.jobs.get(copy.jobId)?.state === "printed");
  expect(till.papers().map(({ pulses, cuts }) => [pulses, cuts])).toEqual([
    [1, 1],
    [1, 0],
    [0, 1],
  ]);
  expect(test.jobs.listByCause("receipt:1").map(({ pulse }) => pulse)).toEqual(["sent", null]);
});

/** Creates a clock whose elapsed and wall time a test can move. */
function movableClock() {
  const moved = { passedMs: 0, setMs: 0 };
  const clock = {
    now: () => Date.now() + moved.passedMs + moved.setMs,
    monotonic: () => performance.now() + moved.passedMs,
    uptime: () => 0,
    bootId: () => null,
  };
  return { clock, moved };
}

it("a drawer does not open later than 10 s after its request [PRINT-12]", async () => {
  const till = await printer();
  await till.refuse();
  const { clock, moved } = movableClock();
  const test = openSpool({}, undefined, { clock });
  ending.push(test.service.stop);
  await test.addPrinter("till", till.address);
  await test.service.start();
  await test.add("receipt:1", "till", { opensDrawer: true });
  await test.add("drawer:1", "till", { document: "drawer", blocks: [], opensDrawer: true, terminalId: "caja-1" });
  await until("the trouble", () => test.states("receipt:1")[0] === "waiting unreachable");
  moved.passedMs = 11_000;
  await till.listen();
  await isIn(test, "receipt:1", "printed");
  // Timers do not notice the moved clock, so adding the next job triggers the check.
  await test.add("receipt:2", "till");
  await isIn(test, "drawer:1", "failed pulse_late");
  await isIn(test, "receipt:2", "printed");
  expect(till.papers().map(({ pulses }) => pulses)).toEqual([0, 0]);
  expect(test.jobs.listByCause("receipt:1")[0]?.pulse).toBe("late");
  const notified = test.printChanges.map(({ job }) => job).filter(({ error }) => error === "pulse_late");
  expect(notified).toMatchObject([{ state: "failed", document: "drawer", isPulseOnly: true }]);
  expect(test.jobs.listByCause("drawer:1").map(presentJob)).toMatchObject([{ isPulseOnly: true }]);
});

it("an expired job is not printed, even if its printer returns before the next check [PRINT-6]", async () => {
  const kitchen = await printer();
  await kitchen.refuse();
  const { clock, moved } = movableClock();
  const test = openSpool({ expireMs: 60_000 }, undefined, { clock });
  ending.push(test.service.stop);
  await test.addPrinter("kitchen", kitchen.address);
  await test.service.start();
  await test.add("ticket:1", "kitchen");
  await until("the trouble", () => test.states("ticket:1")[0] === "waiting unreachable");
  moved.passedMs = 61_000;
  await kitchen.listen();
  await isIn(test, "ticket:1", "failed expired");
  expect(kitchen.documents()).toEqual([]);
});

it("setting the wall clock neither fails nor delays waiting jobs [CLOCK-43]", async () => {
  const [kitchen, bar] = [await printer(), await printer()];
  await kitchen.refuse();
  const { clock, moved } = movableClock();
  const test = openSpool({}, undefined, { clock });
  ending.push(test.service.stop);
  await test.addPrinter("bar", bar.address);
  await test.addPrinter("kitchen", kitchen.address, { fallback: "bar" });
  await test.service.start();
  await test.add("receipt:1", "kitchen");
  await test.add("ticket:1", "kitchen", { document: "station" });
  await test.add("receipt:2", "bar", { heldUntil: clock.now() + 300 });
  moved.setMs = -3 * 3_600_000;
  await isIn(test, "receipt:2", "printed");
  await isIn(test, "ticket:1", "printed");
  moved.setMs = 3 * 3_600_000;
  await kitchen.listen();
  await isIn(test, "receipt:1", "printed");
});

it("after a restart an interrupted job is unknown, and waiting jobs are printed [PRINT-13]", async () => {
  const kitchen = await printer();
  const file = memoryFile();
  const test = await spoolOn({ kitchen }, {}, file);
  await kitchen.refuse();
  await test.add("ticket:1", "kitchen", { terminalId: "bar-1" });
  await test.add("ticket:2", "kitchen");
  await test.service.stop();
  file.prepare("UPDATE print_jobs SET state = 'printing', has_begun = 1 WHERE cause = 'ticket:1'").run();
  await kitchen.listen();
  const next = openSpool({}, file);
  ending.push(next.service.stop);
  await next.service.start();
  await isIn(next, "ticket:2", "printed");
  expect(next.states("ticket:1")).toEqual(["unknown hub_ended"]);
  expect(next.printChanges[0]).toMatchObject({ terminalId: "bar-1", job: { state: "unknown" } });
  expect(textsOf(kitchen)).toEqual(["ticket:2"]);
});

it("a job that a silent printer still reads when the hub stops becomes unknown [PRINT-13]", async () => {
  const kitchen = await printer();
  kitchen.faults.isSilent = true;
  const test = await spoolOn({ kitchen });
  await until("it is known", () => test.service.conditionOf("kitchen")?.state === "unknown");
  kitchen.faults.slowMs = 6_000;
  await test.add("ticket:1", "kitchen");
  await isIn(test, "ticket:1", "printing");
  await test.service.stop();
  expect(test.states("ticket:1")).toEqual(["unknown line_broken"]);
});

it("no printer waits for another [PRINT-14]", async () => {
  const [kitchen, bar] = [await printer(), await printer()];
  kitchen.faults.slowMs = 300;
  const test = await spoolOn({ kitchen, bar });
  await test.add("ticket:1", "kitchen");
  await isIn(test, "ticket:1", "printing");
  await test.add("ticket:2", "bar");
  await isIn(test, "ticket:2", "printed");
  expect(test.states("ticket:1")).toEqual(["printing"]);
});

it("many jobs waiting for another printer cause no more clock reads per job [PRINT-14]", async () => {
  const [kitchen, bar] = [await printer(), await printer()];
  await kitchen.refuse();
  const { clock } = movableClock();
  let reads = 0;
  const counted = { ...clock, uptime: () => (reads += 1) && 0 };
  const test = openSpool({ pollMs: 60_000, fallbackMs: 60_000 }, undefined, { clock: counted });
  ending.push(test.service.stop);
  await test.addPrinter("kitchen", kitchen.address);
  await test.addPrinter("bar", bar.address);
  await test.service.start();
  const waiting = Array.from({ length: 300 }, (_, n) => `ticket:${n}`);
  await Promise.all(waiting.map((cause) => test.add(cause, "kitchen")));
  await isIn(test, waiting.at(-1) ?? "", "waiting unreachable");
  reads = 0;
  await test.add("receipt:1", "bar");
  await isIn(test, "receipt:1", "printed");
  expect(reads).toBeLessThan(waiting.length);
});
