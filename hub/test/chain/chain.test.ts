import { readFileSync, rmSync } from "node:fs";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import type { AuditEntry, ChainStatus } from "@comanda/protocol";
import { ChainAnswer, ChainBeat, chainSubjects, type ChainQuestion } from "@comanda/protocol/chain.ts";
import { takeoutOrder } from "../support/builders.ts";
import { type ChainHeadquarters, startChainHeadquarters } from "./chain-headquarters.ts";
import { backUp } from "../data-file/restore-steps.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { requestTill, count } from "../money/till-hub.ts";
import { until } from "../support/until.ts";

async function call(hub: TestHub, method: string, body?: unknown) {
  const headers = { Authorization: `Bearer ${await hub.signIn("manager")}` };
  return hub.send(method, "/operator/v1/chain", { headers, ...(body !== undefined && { body }) });
}

const statusOf = async (hub: TestHub): Promise<ChainStatus> => (await call(hub, "GET")).body as ChainStatus;

async function enrol(hub: TestHub, { enrolling }: ChainHeadquarters): Promise<void> {
  const answer = await call(hub, "POST", { address: enrolling.address, code: enrolling.showCode() });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await until("it is connected", async () => (await statusOf(hub)).state === "connected", 20_000);
}

async function open(hub: TestHub, overrides: Record<string, unknown> = {}): Promise<string> {
  const answer = await hub.external().post("/orders", takeoutOrder(overrides));
  return String(answer.body["posReference"]);
}

async function audited(hub: TestHub): Promise<AuditEntry[]> {
  const headers = { Authorization: `Bearer ${await hub.signIn("manager")}` };
  return (await hub.send("GET", "/operator/v1/audit?limit=50", { headers })).body["entries"] as AuditEntry[];
}

it("a hub enrols with a code from headquarters, and leaves the chain [CHAIN-12]", async () => {
  const headquarters = await startChainHeadquarters();
  const { enrolling, received } = headquarters;
  const hub = await startTestHub();
  expect(await statusOf(hub)).toMatchObject({ state: "off", chainName: null, confirmedUntil: null });

  const refused = async (body: unknown) => (await call(hub, "POST", body)).body["errorCode"];
  enrolling.showCode();
  expect(await refused({ address: enrolling.address, code: "WXYZ2345" })).toBe("FORBIDDEN");
  expect(await refused({ address: enrolling.address, code: "0000" })).toBe("VALIDATION_ERROR");
  expect(await refused({ address: "http://hq.example.do", code: "ABCD2345" })).toBe("VALIDATION_ERROR");
  expect(await refused({ address: "https://127.0.0.1:9", code: "ABCD2345" })).toBe("UPSTREAM_UNAVAILABLE");
  expect(await statusOf(hub)).toMatchObject({ state: "off" });
  const answers = [
    [403, "ENROLMENT_CODE_WRONG", "chain_code_unknown"],
    [410, "ENROLMENT_CODE_EXPIRED", "chain_code_expired"],
    [409, "ENROLMENT_CODE_USED", "chain_code_used"],
    [409, "HUB_IN_USE", "chain_hub_in_use"],
    [429, "TOO_MANY_TRIES", "chain_too_many_codes"],
    [404, "NOT_FOUND", "chain_no_headquarters"],
  ] as const;
  for (const [status, errorCode, name] of answers) {
    enrolling.refuseAs(status, errorCode);
    const { body } = await call(hub, "POST", { address: enrolling.address, code: "WXYZ2345" });
    expect(body["reason"]).toBe(name);
  }

  const posReference = await open(hub, { customerName: "SECRETO" });
  await enrol(hub, headquarters);
  await until("headquarters have the check", () => received.versions().has(posReference), 20_000);
  await until("that is confirmed", async () => (await statusOf(hub)).isCurrent);
  expect(await statusOf(hub)).toMatchObject({
    chainName: "Cadena",
    restaurantName: "Santiago Centro",
    stoppedSince: null,
  });
  // The code was sent without its hyphen, and the seed was not sent.
  expect(enrolling.enrolments.at(-1)).toMatchObject({ code: "ABCD2345", hubId: received.cursor.hubId });
  expect(JSON.stringify(received.batches)).not.toContain("SECRETO");

  await hub.restart();
  await until("it is connected again", async () => (await statusOf(hub)).state === "connected", 20_000);
  const next = await open(hub);
  await until("headquarters have the next check", () => received.versions().has(next), 20_000);
  expect(received.counts).toMatchObject({ transfers: 1, gaps: 0, quarantined: 0 });

  expect(await call(hub, "DELETE")).toMatchObject({ status: 200, body: { state: "off", chainName: null } });
  const entries = (await audited(hub)).filter(({ action }) => action.startsWith("chain."));
  expect(entries.map(({ action, target }) => [action, target])).toEqual([
    ["chain.leave", "Cadena"],
    ["chain.enrol", "Cadena"],
  ]);
  const waiter = { Authorization: `Bearer ${await hub.signIn("waiter")}` };
  expect((await hub.send("GET", "/operator/v1/chain", { headers: waiter })).status).toBe(403);
});

it("an enrolment whose answer was lost is repeated with the same code and key [CHAIN-41]", async () => {
  const headquarters = await startChainHeadquarters();
  const { enrolling } = headquarters;
  const hub = await startTestHub();
  const body = { address: enrolling.address, code: enrolling.showCode() };
  enrolling.loseAnswer();
  expect((await call(hub, "POST", body)).body["errorCode"]).toBe("UPSTREAM_UNAVAILABLE");
  expect(await call(hub, "POST", body)).toMatchObject({ status: 200 });
  const [first, again] = enrolling.enrolments;
  expect(again).toEqual(first);
});

it("simultaneous enrolments leave one link, and leaving removes it [CHAIN-12]", async () => {
  const both = await Promise.all([startChainHeadquarters(), startChainHeadquarters()]);
  const hub = await startTestHub();
  const answers = await Promise.all(
    both.map(({ enrolling }) => call(hub, "POST", { address: enrolling.address, code: enrolling.showCode() })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  await until("it is connected", async () => (await statusOf(hub)).state === "connected", 20_000);
  expect(await call(hub, "DELETE")).toMatchObject({ status: 200, body: { state: "off" } });
  for (const headquarters of both) {
    const subject = chainSubjects.question(headquarters.restaurantId, "overview");
    // The server may not have noticed yet that the connection is gone.
    const ask = () => headquarters.admin().request(subject, JSON.stringify({ by: "Carmen" }));
    await until("nobody answers", () =>
      ask().then(
        () => false,
        (error: Error) => error.message.includes("no responders"),
      ),
    );
  }
});

it("the seed of the chain key is encrypted, and the link is locked without the key file [CHAIN-13]", async () => {
  const headquarters = await startChainHeadquarters();
  const hub = await startTestHub();
  await enrol(hub, headquarters);
  const seedOf = (): string => {
    const db = new Database(hub.dbPath, { readonly: true });
    const seed = db.prepare<[], string>("SELECT seed FROM chain_link").pluck().get() ?? "";
    db.close();
    return seed;
  };
  let seed = "";
  await hub.restart(() => {
    seed = seedOf();
    expect(readFileSync(hub.dbPath).includes(Buffer.from("SUA"))).toBe(false);
    rmSync(`${hub.dbPath}.key`);
  });
  expect(seed).toMatch(/^v1\./);
  expect(await statusOf(hub)).toMatchObject({ state: "locked", chainName: "Cadena" });
  await enrol(hub, headquarters);
});

it("a hub sends a beat when it connects and when something changes [CHAIN-14]", async () => {
  const headquarters = await startChainHeadquarters();
  const beats: ChainBeat[] = [];
  const sizes: number[] = [];
  headquarters.admin().subscribe(chainSubjects.allBeats, {
    callback(_, message) {
      sizes.push(message.data.byteLength);
      beats.push(ChainBeat.parse(message.json()));
    },
  });
  const hub = await startTestHub();
  await enrol(hub, headquarters);
  await until("the first beat", () => beats.length > 0);
  expect(beats[0]).toMatchObject({ status: "ok", openChecks: 0, sessionOpen: true });
  await open(hub);
  const beat = await until("the news", () => beats.find(({ openChecks }) => openChecks === 1));
  expect(beat).toMatchObject({ openTotal: 118 });
  await until("headquarters are as far as the beat says", () => headquarters.received.cursor.seq >= beat.seq);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(2_048);
});

it("questions from headquarters are answered without guests' names, and audited with who asked [CHAIN-15]", async () => {
  const headquarters = await startChainHeadquarters();
  const { restaurantId: r } = headquarters;
  const ask = async (question: ChainQuestion, body: unknown): Promise<ChainAnswer> => {
    const answer = await headquarters
      .admin()
      .request(chainSubjects.question(r, question), JSON.stringify(body), { timeout: 30_000 });
    return ChainAnswer.parse(answer.json());
  };
  const hub = await startTestHub();
  await enrol(hub, headquarters);
  const posReference = await open(hub, { customerName: "SECRETO" });
  const by = "Carmen";
  expect(await ask("overview", { by })).toMatchObject({
    ok: true,
    body: { orders: { active: 1 }, detail: { openTotal: 118 } },
  });
  expect(await ask("doctor", { by })).toMatchObject({ ok: true, body: { dataFile: {}, settings: {}, backups: {} } });
  expect(await ask("logs", { by })).toMatchObject({ ok: true });
  const check = await ask("check", { by, posReference });
  expect(check).toMatchObject({ ok: true, body: { posReference, snapshot: { totals: { total: 118 } } } });
  const history = await ask("history", { by, posReference });
  expect(history).toMatchObject({ ok: true, body: [{ version: 1, order: { posReference } }] });
  expect(JSON.stringify([check, history])).not.toContain("SECRETO");

  for (const body of [{}, { by: "" }, "no", { by, posReference: "x".repeat(1_000) }]) {
    expect(await ask("overview", body)).toMatchObject({ ok: false, code: "VALIDATION_ERROR" });
  }
  expect(await ask("check", { by })).toMatchObject({ ok: false, code: "VALIDATION_ERROR" });
  expect(await ask("check", { by, posReference: "nope" })).toMatchObject({ ok: false, code: "NOT_FOUND" });
  const questions = (await audited(hub)).filter(({ action }) => action === "chain.question");
  expect(
    questions
      .map(({ userName, target }) => [userName, target])
      .toReversed()
      .slice(0, 4),
  ).toEqual([
    ["Carmen (Cadena)", "overview"],
    ["Carmen (Cadena)", "doctor"],
    ["Carmen (Cadena)", "logs"],
    ["Carmen (Cadena)", `check ${posReference}`],
  ]);
});

it("only the overview is answered where the restaurant disables diagnosis [CHAIN-16]", async () => {
  const headquarters = await startChainHeadquarters();
  const { restaurantId: r } = headquarters;
  const hub = await startTestHub({ env: { HUB_CHAIN_DIAGNOSIS: "false" } });
  await enrol(hub, headquarters);
  const overview = chainSubjects.question(r, "overview");
  // The server registers subscriptions shortly after the connection.
  await until("it listens", () =>
    headquarters
      .admin()
      .request(overview, JSON.stringify({ by: "Carmen" }))
      .then(Boolean, () => false),
  );
  const outcomes = await Promise.all(
    (["overview", "doctor", "logs", "check", "history"] as const).map(async (question) => {
      const body = JSON.stringify({ by: "Carmen", posReference: "Orden 1" });
      const answer = await headquarters.admin().request(chainSubjects.question(r, question), body);
      const parsed = ChainAnswer.parse(answer.json());
      return parsed.ok ? "answered" : parsed.code;
    }),
  );
  expect(outcomes).toEqual(["answered", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN"]);
});

it("a refused hub reconnects by itself once its key is admitted again [CHAIN-17]", async () => {
  const headquarters = await startChainHeadquarters();
  const { enrolling, received } = headquarters;
  const hub = await startTestHub();
  await enrol(hub, headquarters);
  const { publicKey } = enrolling.enrolments.at(-1) ?? { publicKey: "" };
  headquarters.revoke(publicKey);
  await until("it is refused", async () => (await statusOf(hub)).state === "refused", 20_000);
  const posReference = await open(hub);
  headquarters.admit(publicKey);
  await until("headquarters have the check", () => received.versions().has(posReference), 25_000);
});

it("a hub serves while headquarters are unreachable, and sends its changes later [CHAIN-30]", async () => {
  const headquarters = await startChainHeadquarters();
  const hub = await startTestHub();
  await enrol(hub, headquarters);
  await headquarters.stopServer();
  await until("they are away", async () => (await statusOf(hub)).state === "connecting", 20_000);
  const references: string[] = [];
  for (let n = 0; n < 20; n += 1) references.push(await open(hub));
  expect(new Set(references).size).toBe(20);
  expect((await statusOf(hub)).state).toBe("connecting");
  await headquarters.start();
  await until(
    "headquarters have all",
    () => references.every((reference) => headquarters.received.versions().has(reference)),
    40_000,
  );
  await hub.stop();
});

it("shifts, starts and stops are reported to headquarters only while the hub is in a chain [CHAIN-18]", async () => {
  const headquarters = await startChainHeadquarters();
  const { received } = headquarters;
  const hub = await startTestHub();
  const headers = { Authorization: `Bearer ${await hub.signIn("manager")}` };
  const till = { id: "CAJA-1", name: "Caja 1", terminals: ["cashier"] };
  expect((await hub.send("POST", "/operator/v1/tills", { headers, body: till })).status).toBe(201);
  const cashier = await hub.terminal({ login: "cashier", deviceId: "cashier" });
  const kindsOf = (): string[] => [...received.facts.values()].map(({ kind }) => kind);
  const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
  await requestTill(cashier, { type: "TILL_OPEN", tillId: till.id, shiftId: first, float: 1_000 });
  await enrol(hub, headquarters);
  await until("the start is known", () => kindsOf().includes("hub.started"), 20_000);
  await requestTill(cashier, count(first, 1_000));
  await until("the end of the shift is known", () => kindsOf().includes("shift.closed"), 20_000);
  await requestTill(cashier, { type: "TILL_OPEN", tillId: till.id, shiftId: second, float: 500 });
  await hub.restart();
  await until("the next start is known", () => kindsOf().filter((kind) => kind === "hub.started").length === 2, 25_000);
  // On a slow machine the first backup, some seconds after the start, may fall within this test.
  const facts = [...received.facts.values()].filter(({ kind }) => kind !== "backup.made");
  expect(facts.map(({ kind }) => kind)).toEqual([
    "hub.started",
    "shift.closed",
    "shift.opened",
    "hub.stopped",
    "hub.started",
  ]);
  const [, closed, opened] = facts;
  expect(closed?.body).toMatchObject({ shiftId: first, checks: { count: 0 } });
  expect(opened?.body).toMatchObject({ shiftId: second, tillName: "Caja 1" });
});

it("a restored hub stays in its chain and sends its new history in full [CHAIN-5, CHAIN-13]", async () => {
  const headquarters = await startChainHeadquarters();
  const { received } = headquarters;
  const hub = await startTestHub();
  const backedUp = await open(hub);
  const restore = await backUp(hub);
  await enrol(hub, headquarters);
  const lost = await open(hub);
  await until("headquarters have both", () => received.versions().size === 2, 20_000);
  await restore();
  await until("it is connected again", async () => (await statusOf(hub)).state === "connected", 20_000);
  await until("headquarters have what is restored", () => received.cursor.generation === 1, 20_000);
  expect([...received.versions().keys()]).toEqual([backedUp]);
  expect(received.orders.get(lost)).toMatchObject({ isGone: true });
  expect(received.counts).toMatchObject({ transfers: 2, quarantined: 0 });
  const fork = await until(
    "the restore is known",
    () => [...received.facts.values()].find(({ kind }) => kind === "history.forked"),
    20_000,
  );
  expect(fork.body).toMatchObject({ cause: "restore" });
  const next = await open(hub);
  await until("headquarters have the next check", () => received.versions().has(next), 20_000);
});
