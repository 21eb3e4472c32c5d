import Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { keepSealed } from "../../db/integrity/sealed-tables.ts";
import { startFakePrinter, type FakePrinter } from "../fake-printer/fake-printer.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const env = { HUB_PRINTER_POLL_MS: "200", HUB_PRINT_FALLBACK_MS: "400", HUB_PRINT_EXPIRE_MS: "900" };

async function startPrinter(): Promise<FakePrinter> {
  const fake = await startFakePrinter();
  onTestFinished(fake.stop);
  return fake;
}

async function addPrinter(hub: TestHub, fake: FakePrinter, more: object = {}): Promise<string> {
  const answer = await operatorOf(hub)("addPrinter", { body: { name: "Caja", address: fake.address, ...more } });
  expect(answer.status).toBe(201);
  return answer.body.id;
}

it("printers are added, listed, changed and removed without a restart [PRINT-15]", async () => {
  const hub = await startTestHub({ env });
  const call = operatorOf(hub);
  const [first, second] = [await startPrinter(), await startPrinter()];
  const id = await addPrinter(hub, first, { model: "epson-tm-t20iii", fallback: null });
  const bar = await addPrinter(hub, second, { name: "Bar", width: 58, fallback: id, model: null, codePage: null });
  const states = async () => (await call("printers")).body.printers as Record<string, unknown>[];
  await until("both are ready", async () => (await states()).every(({ state }) => state === "ready"));
  first.faults.paper = "low";
  await until("the paper is low", async () => (await states()).some(({ state }) => state === "paper_low"));
  await first.refuse();
  await until("it is gone", async () => (await states()).some(({ state }) => state === "unreachable"));
  const third = await startPrinter();
  const changed = await call("changePrinter", {
    params: { printerId: id },
    body: { address: third.address, model: null },
  });
  expect(changed.body).toEqual({ id, name: "Caja", address: third.address, width: 80, cutter: true, drawer: false });
  await until("it is back", async () => (await states()).every(({ state }) => state === "ready"));

  expect(await call("changePrinter", { params: { printerId: id }, body: { fallback: id } })).toMatchObject({
    status: 400,
    body: { reason: "fallback_is_itself" },
  });
  for (const address of ["usb:1", "tcp://caja:0", "tcp://caja:65536", "tcp://[::1]:99999"]) {
    expect(await call("addPrinter", { body: { name: "X", address } })).toMatchObject({ status: 400 });
  }
  await call("setPrintRoutes", { body: { stations: { kitchen: [id, bar] }, receipts: id } });
  expect(await call("removePrinter", { params: { printerId: id } })).toMatchObject({ status: 200 });
  expect((await call("printRoutes")).body).toEqual({ stations: { kitchen: [bar] }, terminals: {} });
  expect(await states()).toMatchObject([{ id: bar, name: "Bar", waiting: 0 }]);
  expect((await states())[0]).not.toHaveProperty("fallback");
});

it("print routes to known printers and stations are accepted, and unknown ones are named [PRINT-16]", async () => {
  const hub = await startTestHub({
    env: { ...env, HUB_STATIONS: '[{"id":"bar","name":"Bar","categoryIds":[3],"productIds":[]}]' },
  });
  const call = operatorOf(hub);
  const id = await addPrinter(hub, await startPrinter());
  const routes = {
    stations: { bar: [id] },
    terminals: { "till-1": { printer: id, receipt: "ask" }, "till-2": { receipt: "always" } },
    receipts: id,
    fallback: id,
    paperOnly: ["bar"],
  };
  expect((await call("setPrintRoutes", { body: routes })).body).toEqual(routes);
  expect((await call("printRoutes")).body).toEqual(routes);
  const refusals = [
    [{ receipts: "none" }, "route_unknown_printer"],
    [{ stations: { bar: ["none"] } }, "route_unknown_printer"],
    [{ terminals: { t: { printer: "none" } } }, "route_unknown_printer"],
    [{ stations: { grill: [id] } }, "route_unknown_station"],
    [{ paperOnly: ["grill"] }, "route_unknown_station"],
  ] as const;
  for (const [body, reason] of refusals) {
    expect(await call("setPrintRoutes", { body })).toMatchObject({ status: 400, body: { reason } });
  }
  expect((await call("printRoutes")).body).toEqual(routes);
});

it("a test page is printed and listed with its content [PRINT-17]", async () => {
  const hub = await startTestHub({ env });
  const call = operatorOf(hub);
  const fake = await startPrinter();
  const printerId = await addPrinter(hub, fake);
  const { job } = (await call("testPrinter", { params: { printerId } })).body;
  const listed = async () => (await call("printJobs", { query: { printer: printerId } })).body.jobs as object[];
  await until("it is printed", async () => (await listed()).some((each) => "printedAt" in each));
  expect(await listed()).toMatchObject([{ id: job.id, document: "test", state: "printed", printerId, copy: 0 }]);
  expect(fake.papers()[0]?.lines.map(({ text }) => text)).toContain("áéíóú ÁÉÍÓÚ ñÑ üÜ ¿¡ RD$ 1,234.50");
  expect(fake.papers()[0]).toMatchObject({ qrCodes: [fake.address], cuts: 1, pulses: 0, unknown: [] });
  const detail = (await call("printJob", { params: { jobId: job.id } })).body;
  expect(detail.blocks[0]).toMatchObject({ text: "Caja" });

  const again = await call("printAgain", { params: { jobId: job.id } });
  expect(again.body).toMatchObject({ job: { copy: 1, copyOf: job.id } });
  await until("the copy", () => fake.documents().length === 2);
  expect(fake.papers()[1]?.lines.map(({ text }) => text.trim())).toContain("COPIA 1");
  expect((await call("printAgain", { params: { jobId: "none" } })).status).toBe(404);
  const { entries } = (await call("audit")).body;
  expect(entries).toMatchObject([
    { action: "print_job.again", target: "Caja", note: null },
    { action: "printer.add", target: "Caja" },
  ]);
});

it("jobs waiting for a removed printer fail [PRINT-18]", async () => {
  const hub = await startTestHub({ env: { ...env, HUB_PRINT_EXPIRE_MS: "600000" } });
  const call = operatorOf(hub);
  const fake = await startPrinter();
  await fake.refuse();
  const printerId = await addPrinter(hub, fake);
  const { job } = (await call("testPrinter", { params: { printerId } })).body;
  await call("removePrinter", { params: { printerId } });
  const open = await call("printJobs", { query: { open: "true" } });
  expect(open.body).toMatchObject({ jobs: [{ id: job.id, state: "failed", error: "printer_removed", isOpen: true }] });
  await call("dismissPrintJob", { params: { jobId: job.id } });
  expect((await call("printJobs", { query: { open: "true" } })).body).toMatchObject({ jobs: [] });
  expect((await call("printJobs", { query: { state: "dropped" } })).body).toMatchObject({ jobs: [{ id: job.id }] });
});

it("several jobs are dismissed in one step, all or none [PRINT-487]", async () => {
  const hub = await startTestHub({ env });
  const call = operatorOf(hub);
  const fake = await startPrinter();
  await fake.refuse();
  const printerId = await addPrinter(hub, fake);
  for (let n = 0; n < 3; n += 1) await call("testPrinter", { params: { printerId } });
  const openIds = async () => {
    const { jobs } = (await call("printJobs", { query: { open: "true" } })).body;
    return jobs.map(({ id }: { id: string }) => id);
  };
  await until("they have expired", async () => (await openIds()).length === 3);
  const jobIds = await openIds();
  expect(await call("dismissPrintJobs", { body: { jobIds: [...jobIds, "none"] } })).toMatchObject({ status: 404 });
  expect(await openIds()).toEqual(jobIds);
  expect((await call("dismissPrintJobs", { body: { jobIds } })).body).toEqual({ dismissed: 3 });
  expect(await openIds()).toEqual([]);
  const { entries } = (await call("audit")).body;
  expect(entries.map(({ action }: { action: string }) => action).slice(0, 4)).toEqual([
    ...jobIds.map(() => "print_job.dismiss"),
    "printer.add",
  ]);
});

it("a terminal gets its jobs that may not have been printed, and repeats or dismisses them [PRINT-19]", async () => {
  const hub = await startTestHub({ env });
  const fake = await startPrinter();
  const printerId = await addPrinter(hub, fake);
  const first = await hub.terminal({ deviceId: "bar-1" });
  const { deviceKey } = first.hello;
  expect(first.sync.printJobs).toEqual([]);
  const other = await hub.terminal({ login: "cashier", deviceId: "till-1" });
  await hub.restart(() => {
    const db = new Database(hub.dbPath);
    keepSealed(db);
    const add = db.prepare(`
      INSERT INTO print_jobs (job_id, cause, printer_id, sent_to, document, state, blocks, pos_reference, terminal_id,
        created_at, has_begun)
      VALUES (@id, @id, @printerId, @printerId, @document, 'printing', @blocks, 'A', 'bar-1', 1, 1)`);
    const blocks = JSON.stringify([{ kind: "text", text: "Mofongo" }]);
    for (const document of ["station", "receipt"]) add.run({ id: document, document, printerId, blocks });
    db.close();
  });
  const terminal = await hub.terminal({ deviceId: "bar-1", deviceKey });
  const jobFields = { document: "station", posReference: "A", printer: "Caja", error: "hub_ended" };
  const station = { id: "station", state: "unknown", ...jobFields };
  expect(terminal.sync.printJobs).toEqual([station, { ...station, id: "receipt", document: "receipt" }]);

  const step = async (path: string, login = "waiter", key: string | undefined = deviceKey) =>
    hub.send("POST", `/terminal/v1/print-jobs/${path}`, {
      headers: { Authorization: `Bearer ${await hub.signIn(login)}` },
      body: { deviceKey: key },
    });
  expect(await step("station/again", "cashier", other.hello.deviceKey)).toMatchObject({ status: 404 });
  expect(await step("receipt/again")).toMatchObject({ status: 403, body: { errorCode: "FORBIDDEN" } });
  expect(await step("station/again")).toMatchObject({
    status: 200,
    body: { job: { document: "station", copyOf: "station" } },
  });
  await terminal.next("PRINT_CHANGED", ({ job }) => job.state === "printed");
  expect(fake.papers()[0]?.lines.map(({ text }) => text.trim())).toEqual(
    expect.arrayContaining(["COPIA 1", "Mofongo"]),
  );
  expect(await step("receipt/dismiss")).toMatchObject({ status: 200, body: { job: { state: "dropped" } } });
  expect((await hub.terminal({ deviceId: "bar-1", deviceKey })).sync.printJobs).toEqual([]);
  expect((await step("station/again", "waiter", "nobody")).status).toBe(401);
});
