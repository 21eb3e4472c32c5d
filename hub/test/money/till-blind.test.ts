// @module-tag long
import { externalApi, type HttpRoute, operatorApi, terminalApi } from "@comanda/protocol";
import { expect, it } from "vitest";
import { requestTill, count, readJobs, startTillHub } from "./till-hub.ts";

/** Cash sales and expected cash in the drawer: sums that equal no single check. */
const SALES = 2 * 1_234.56;
const EXPECTED = SALES + 5_000 + 111.11;

it("nothing that a cashier can read reveals the drawer's expected cash or cash sales [TILL-23]", async () => {
  const { hub, front, addPrinter, addTill, openShift, pay, report } = await startTillHub();
  await addTill({ printer: await addPrinter() });
  const shiftId = await openShift(5_000);
  const posReference = await pay(1_234.56);
  await pay(1_234.56);
  await requestTill(front, { type: "TILL_MOVE", shiftId, kind: "in", amount: 111.11, reason: "menudo" });
  const shift = await report(shiftId);
  expect(shift).toMatchObject({ sales: SALES, byMethod: [{ expected: EXPECTED }] });

  const readable: string[] = [];
  const token = await hub.signIn("cashier");
  const ids: Record<string, string> = { shiftId, tillId: "bar", posReference, deviceKey: front.hello.deviceKey ?? "" };
  const routes = [operatorApi, terminalApi, externalApi].flatMap(({ routes: each }) => Object.values<HttpRoute>(each));
  for (const { method, path, stream } of [...routes, { method: "GET", path: "/health" } as HttpRoute]) {
    // The practice hub has its own money.
    if (stream === true || path.endsWith("/sign-out") || path.includes("/practice")) continue;
    const target = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(ids[name] ?? posReference));
    const search = method === "GET" ? `?deviceKey=${ids["deviceKey"]}` : "";
    for (const query of new Set(["", search])) {
      const answer = await hub.send(method, target + query, {
        headers: { Authorization: `Bearer ${token}` },
        ...(method !== "GET" && method !== "DELETE" && { body: {} }),
      });
      readable.push(`${method} ${path} ${answer.status} ${JSON.stringify(answer.body)}`);
    }
  }
  expect(readable.filter((each) => / 200 /.test(each)).length).toBeGreaterThan(5);

  const again = await hub.terminal({ login: "cashier", deviceId: "front", deviceKey: front.hello.deviceKey });
  again.send({ type: "HEARTBEAT", requestId: "beat" });
  await again.next("HEARTBEAT_ACK");
  await requestTill(again, { type: "TILL_COUNT", shiftId, counted: [] });
  await requestTill(again, { type: "TILL_MOVE", shiftId, kind: "drop", amount: 1_000_000, reason: "x" });
  await requestTill(again, { type: "TILL_MOVE", shiftId, kind: "in", amount: 1_000_000, reason: "x" });
  await requestTill(again, { type: "TILL_DRAWER", tillId: "bar", reason: "x" });
  await requestTill(again, count(shiftId, 1));
  await requestTill(again, count(shiftId, EXPECTED));
  // Prints the X report.
  const headers = { Authorization: `Bearer ${token}` };
  const body = { document: "till", shiftId, deviceKey: again.hello.deviceKey ?? front.hello.deviceKey };
  expect((await hub.send("POST", "/terminal/v1/print", { headers, body })).status).toBe(202);
  const papers = readJobs(hub.dbPath).map(({ blocks }) => blocks);
  expect(papers.join(" ")).toContain("TURNO DE CAJA (X)");
  readable.push(...papers);
  for (const message of [...front.received, ...again.received]) readable.push(JSON.stringify(message));

  const secrets = [SALES, EXPECTED, EXPECTED - 5_000, SALES + 5_000].map((amount) => amount.toFixed(2));
  const plain = readable.map((each) => [each, each.replaceAll(/(\d),(\d)/g, "$1$2")] as const);
  for (const secret of secrets) {
    const digits = String(Number(secret));
    expect(
      plain.filter(([, text]) => new RegExp(`(?<![\\d.])${digits.replace(".", "\\.")}0?(?!\\d)`).test(text)),
    ).toEqual([]);
  }
});

it("a cashier cannot reprint a manager's X report, and a waiter cannot reprint any [TILL-23]", async () => {
  const { hub, front, addPrinter, addTill, openShift, pay } = await startTillHub();
  await addTill({ printer: await addPrinter() });
  const shiftId = await openShift(5_000);
  await pay(1_234.56);
  const { deviceKey } = front.hello;
  const post = async (login: string, path: string, body: Record<string, unknown> = {}) =>
    hub.send("POST", `/terminal/v1/${path}`, {
      headers: { Authorization: `Bearer ${await hub.signIn(login)}` },
      body: { deviceKey, ...body },
    });
  const printReport = async (login: string): Promise<string> => {
    const { id } = (await post(login, "print", { document: "till", shiftId })).body.job;
    await post(login, `print-jobs/${id}/dismiss`);
    return id;
  };
  const [full, blind] = [await printReport("manager"), await printReport("cashier")];
  expect(await post("cashier", `print-jobs/${full}/again`)).toMatchObject({ status: 403 });
  expect(await post("cashier", `print-jobs/${blind}/again`)).toMatchObject({ status: 200 });
  expect(await post("waiter", `print-jobs/${blind}/again`)).toMatchObject({ status: 403 });
  expect(await post("manager", `print-jobs/${full}/again`)).toMatchObject({ status: 200 });
});
