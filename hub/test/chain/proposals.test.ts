import { writeFileSync } from "node:fs";
import path from "node:path";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import {
  type AuditEntry,
  type ChainStatus,
  HOUR_MS,
  type ItemState,
  type Overview,
  type ProposalHere,
  type SettingList,
} from "@comanda/protocol";
import type { Proposal, ProposalOutcome, ProposalState } from "@comanda/protocol/proposals.ts";
import { restoreNow } from "../../db/restore/staged-restore.ts";
import { realWorld } from "../../platform/world.ts";
import { type ChainHeadquarters, startChainHeadquarters } from "./chain-headquarters.ts";
import { backUp } from "../data-file/restore-steps.ts";
import { operatorOf } from "../support/operator.ts";
import { settingsInMemory } from "../support/settings-in-memory.ts";
import { startTestHub, type TestHubOptions } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const inTime = (ms: number): string => new Date(Date.now() + ms).toISOString();
const out = { state: "out" } as const;
const available = { state: "available" } as const;

type ProposalFields = Partial<Omit<Proposal, "items">> & { items?: readonly unknown[] };

function proposal(fields: ProposalFields): Record<string, unknown> & { id: string } {
  return {
    id: crypto.randomUUID(),
    version: 1,
    kind: "stock",
    title: "Sin chivo",
    by: "Carmen",
    policy: "apply",
    at: inTime(-1_000),
    until: inTime(HOUR_MS),
    items: [],
    ...fields,
  };
}

const setting = (key: string, want: string | null, item: object = {}, fields: ProposalFields = {}) =>
  proposal({ kind: "settings", policy: "ask", title: key, items: [{ key, want, ...item }], ...fields });

/** Starts a hub enrolled in a chain, with helpers for its operator and headquarters. */
async function startInChain(options: TestHubOptions = {}) {
  const headquarters = await startChainHeadquarters();
  const hub = await startTestHub(options);
  const authorization = async () => ({ Authorization: `Bearer ${await hub.signIn("manager")}` });
  const operator = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const headers = await authorization();
    const answer = await hub.send(method, `/operator/v1${path}`, { headers, ...(body !== undefined && { body }) });
    return { ...answer.body, status: answer.status } as T;
  };
  const { enrolling } = headquarters;
  const joined = await operator<{ status: number }>("POST", "/chain", {
    address: enrolling.address,
    code: enrolling.showCode(),
  });
  expect(joined.status).toBe(200);
  await until(
    "it is connected",
    async () => (await operator<ChainStatus>("GET", "/chain")).state === "connected",
    20_000,
  );
  let rev = 0;
  const list = async () => (await operator<{ proposals: ProposalHere[] }>("GET", "/chain/proposals")).proposals;
  const stateOf = async (id: string): Promise<ProposalState | undefined> =>
    (await list()).find(({ proposal: { id: each } }) => each === id)?.state;
  return {
    hub,
    headquarters,
    operator,
    list,
    stateOf,
    propose: (proposals: readonly unknown[]) => headquarters.propose((rev += 1), proposals),
    becomes: (id: string, state: ProposalState) =>
      until(`it is ${state}`, async () => (await stateOf(id)) === state, 20_000),
    answer: (id: string, accept: boolean) =>
      operator<{ status: number }>("POST", "/chain/proposals", { id, version: 1, accept }),
    productIds: async (): Promise<string[]> => {
      const { products } = (await hub.external().get("/menu")).body as { products: { id: string }[] };
      return products.map(({ id }) => id);
    },
    itemStates: async () => (await operator<{ itemStates: ItemState[] }>("GET", "/item-states")).itemStates,
    audited: async () => (await operator<{ entries: AuditEntry[] }>("GET", "/audit?limit=50")).entries,
  };
}

/** Returns the outcomes of a proposal that headquarters received, in order. */
function outcomesOf({ received }: ChainHeadquarters, id: string): ProposalOutcome[] {
  const outcomes = [...received.facts.values()].filter(({ kind }) => kind === "proposal").map(({ body }) => body);
  return (outcomes as ProposalOutcome[]).filter((outcome) => outcome.id === id);
}

const isApplied = ({ state }: ProposalOutcome): boolean => state === "applied";

const untilOutcome = (headquarters: ChainHeadquarters, id: string, state: ProposalState): Promise<ProposalOutcome> =>
  until(
    `headquarters know that it is ${state}`,
    () => outcomesOf(headquarters, id).find((each) => each.state === state),
    20_000,
  );

describe("proposals of headquarters ", () => {
  it("an 86 from headquarters applies once, names its author, and is reported back [CHAIN-20, CHAIN-21, CHAIN-22]", async () => {
    const { hub, headquarters, propose, becomes, productIds, itemStates, audited, list } = await startInChain();
    const [first = "", second = ""] = await productIds();
    const terminal = await hub.terminal();
    const outOfStock = proposal({
      items: [first, second].map((key) => ({ key, want: { ...out, until: inTime(HOUR_MS) } })),
    });
    await propose([outOfStock]);
    await becomes(outOfStock.id, "applied");
    expect((await itemStates()).map(({ productId, state }) => [String(productId), state])).toEqual([
      [first, "out"],
      [second, "out"],
    ]);
    await until(
      "terminals hear of it",
      () => terminal.received.filter(({ type }) => type === "ITEM_STATE_CHANGED").length === 2,
    );
    const outcome = await untilOutcome(headquarters, outOfStock.id, "applied");
    expect(outcome.items).toMatchObject([
      { key: first, now: available, want: out },
      { key: second, now: available },
    ]);
    const notes = (await audited()).filter(({ action }) => action === "item.state");
    expect(notes.map(({ userName }) => userName)).toEqual(["Carmen (Cadena)", "Carmen (Cadena)"]);

    // A manager makes it available again. Reading the same document once more must not undo that.
    const headers = { Authorization: `Bearer ${await hub.signIn("manager")}` };
    await hub.send("POST", "/operator/v1/item-states", { headers, body: { productId: Number(first), ...available } });
    await propose([outOfStock]);
    await hub.restart();
    const other = proposal({ items: [{ key: second, want: available }] });
    await propose([outOfStock, other]);
    await becomes(other.id, "applied");
    expect(await itemStates()).toEqual([]);
    expect(outcomesOf(headquarters, outOfStock.id).map(({ state }) => state)).toEqual(["waiting", "applied"]);
    // A store that lost the newest document serves an older one, which changes nothing.
    await headquarters.propose(1, [proposal({ items: [{ key: first, want: out }] })]);
    const last = proposal({ items: [{ key: second, want: out }] });
    await propose([outOfStock, other, last]);
    await becomes(last.id, "applied");
    expect((await list()).map(({ proposal: { id } }) => id)).toEqual([last.id, other.id, outOfStock.id]);
  });

  it("a proposal that asks waits for a manager's answer and is counted in the overview [CHAIN-22, CHAIN-26]", async () => {
    const chain = await startInChain();
    const { headquarters, propose, becomes, productIds, itemStates, operator, answer, list, audited } = chain;
    const [product = ""] = await productIds();
    const items = [{ key: product, want: out }];
    const [accepted, declined] = [
      proposal({ policy: "ask", items }),
      proposal({ policy: "ask", items, title: "Otra" }),
    ];
    await propose([accepted, declined]);
    await becomes(declined.id, "waiting");
    expect((await operator<Overview>("GET", "/overview")).proposals).toBe(2);
    expect(await itemStates()).toEqual([]);
    expect((await list())[0]).toMatchObject({
      isAsked: true,
      proposal: { title: "Sin chivo", by: "Carmen" },
      items: [{ key: product, name: expect.stringMatching(/./) as string, now: available, want: out, differs: false }],
    });
    expect((await answer(declined.id, false)).status).toBe(200);
    expect(await itemStates()).toEqual([]);
    expect((await answer(accepted.id, true)).status).toBe(200);
    expect((await itemStates()).map(({ state }) => state)).toEqual(["out"]);
    expect((await answer(accepted.id, false)).status).toBe(409);
    expect((await answer("nope", true)).status).toBe(404);
    expect((await operator<Overview>("GET", "/overview")).proposals).toBe(0);
    const by = expect.stringMatching(/./) as string;
    expect(await untilOutcome(headquarters, accepted.id, "applied")).toMatchObject({ by });
    expect(await untilOutcome(headquarters, declined.id, "declined")).toMatchObject({ by });
    const actions = (await audited())
      .map(({ action }) => action)
      .filter((action) => /^chain\.(accept|decline)/.test(action));
    expect(actions.toSorted()).toEqual(["chain.accept", "chain.decline"]);
    const waiter = { Authorization: `Bearer ${await chain.hub.signIn("waiter")}` };
    expect((await chain.hub.send("GET", "/operator/v1/chain/proposals", { headers: waiter })).status).toBe(403);
  });

  it("a proposal that expects a state since changed is a conflict for a manager [CHAIN-23]", async () => {
    const { headquarters, propose, becomes, productIds, itemStates, answer, list } = await startInChain();
    const [first = "", second = "", third = ""] = await productIds();
    // All three are `available` here. No question arises where the proposal wants that or expects it.
    const same = proposal({ items: [{ key: first, was: out, want: available }] });
    const accepted = proposal({
      items: [
        { key: second, was: out, want: { state: "limited", left: 3 } },
        { key: third, want: out },
      ],
    });
    const declined = proposal({ items: [{ key: second, was: out, want: { state: "limited", left: 4 } }] });
    await propose([same, accepted, declined]);
    await becomes(same.id, "applied");
    await becomes(accepted.id, "conflict");
    await becomes(declined.id, "conflict");
    expect(await itemStates()).toEqual([]);
    const here = (await list()).find(({ proposal: { id } }) => id === accepted.id);
    expect(here).toMatchObject({ isAsked: true, items: [{ now: available, differs: true }, { differs: false }] });
    expect((await untilOutcome(headquarters, accepted.id, "conflict")).items).toMatchObject([
      { was: out, now: available },
      {},
    ]);
    await answer(declined.id, false);
    await answer(accepted.id, true);
    const states = new Map(
      (await itemStates()).map(({ productId, state, left }) => [String(productId), `${state} ${left}`]),
    );
    expect(states).toEqual(
      new Map([
        [second, "limited 3"],
        [third, "out 0"],
      ]),
    );
  });

  it("a settings proposal applies once a manager accepts, and protected or invalid ones are refused [CHAIN-22, CHAIN-24]", async () => {
    const { file, settingsHost } = settingsInMemory();
    const { propose, becomes, answer, operator, headquarters } = await startInChain({
      env: { HUB_NAME: "Santiago" },
      settingsHost,
    });
    const late = setting("HUB_TILL_TOLERANCE", "200");
    const contingency = setting("HUB_FISCAL_CONTINGENCY", "true");
    const refused = [
      setting("HUB_NO_SUCH", "1"),
      setting("ERP_PASSWORD", "x"),
      setting("HUB_NAME", "Otro"),
      setting("HUB_HISTORY_DAYS", "no"),
      setting("HUB_CHAIN_DIAGNOSIS", "true"),
      setting("HUB_BACKUP_DIR", "/elsewhere"),
    ];
    await propose([late, contingency, ...refused]);
    for (const { id } of refused) await becomes(id, "refused");
    const errors = await Promise.all(
      refused.map(async ({ id }) => (await untilOutcome(headquarters, id, "refused")).error),
    );
    expect(errors.every((text) => text !== undefined && text.length > 10)).toBe(true);
    expect(file).toEqual({});
    await becomes(late.id, "waiting");
    expect((await answer(late.id, true)).status).toBe(200);
    expect((await answer(contingency.id, true)).status).toBe(200);
    expect(file).toEqual({ HUB_TILL_TOLERANCE: "200", HUB_FISCAL_CONTINGENCY: "true" });
    const { settings, restartNeeded } = await operator<SettingList>("GET", "/settings");
    expect(settings.find(({ name }) => name === "HUB_TILL_TOLERANCE")?.value).toBe("200");
    expect(restartNeeded).toBe(true);
    expect((await untilOutcome(headquarters, late.id, "applied")).items).toMatchObject([{ now: null, want: "200" }]);
  });

  it("a proposal with unknown products or unsupported content is refused, and others still apply [CHAIN-24]", async () => {
    const { headquarters, propose, becomes, productIds, itemStates } = await startInChain();
    const [product = ""] = await productIds();
    const lacking = proposal({
      items: [
        { key: product, want: out },
        { key: "99999", want: out },
      ],
    });
    const unsupported = { ...proposal({ items: [{ key: product, want: out }] }), kind: "menu" };
    const twice = proposal({
      items: [
        { key: product, want: out },
        { key: product, want: available },
      ],
    });
    const settings = { ...setting("HUB_NAME", "x"), policy: "apply" };
    const good = proposal({ items: [{ key: product, want: out }] });
    await propose([null, 7, { id: "no version" }, lacking, unsupported, twice, settings, good]);
    await becomes(good.id, "applied");
    const refusal = await untilOutcome(headquarters, lacking.id, "refused");
    expect(refusal.error).toContain("99999");
    expect(refusal.said).toEqual({ reason: "proposal_unknown_products", values: { products: ["99999"] } });
    for (const { id } of [unsupported, twice, settings]) {
      expect(await untilOutcome(headquarters, id, "refused")).toMatchObject({ code: "VALIDATION_ERROR" });
    }
    expect(await itemStates()).toHaveLength(1);
    // Reading the proposal again does not report it a second time.
    await propose([unsupported, good]);
    const next = proposal({ items: [{ key: product, want: available }] });
    await propose([unsupported, good, next]);
    await untilOutcome(headquarters, next.id, "applied");
    expect(outcomesOf(headquarters, unsupported.id)).toHaveLength(1);
  });

  it("a proposal applies at its time even offline, and expired or withdrawn ones never apply [CHAIN-21, CHAIN-25]", async () => {
    const { headquarters, propose, becomes, productIds, itemStates, operator, list } = await startInChain();
    const [first = "", second = "", third = ""] = await productIds();
    const later = proposal({ at: inTime(2_000), items: [{ key: first, want: out }] });
    const expiring = proposal({ policy: "ask", until: inTime(2_500), items: [{ key: second, want: out }] });
    const late = proposal({ at: inTime(-HOUR_MS), until: inTime(-1), items: [{ key: third, want: out }] });
    const withdrawn = proposal({ at: inTime(HOUR_MS / 2), items: [{ key: third, want: out }] });
    await propose([later, expiring, late, withdrawn]);
    await becomes(late.id, "expired");
    await headquarters.stopServer();
    await becomes(later.id, "applied");
    await becomes(expiring.id, "expired");
    expect((await itemStates()).map(({ productId }) => String(productId))).toEqual([first]);
    await headquarters.start();
    await propose([later, expiring, late]);
    await becomes(withdrawn.id, "withdrawn");
    await untilOutcome(headquarters, withdrawn.id, "withdrawn");
    expect(outcomesOf(headquarters, later.id).map(({ state }) => state)).toEqual(["waiting", "applied"]);

    const open = proposal({ policy: "ask", items: [{ key: third, want: out }] });
    await propose([open]);
    await becomes(open.id, "waiting");
    await operator("DELETE", "/chain");
    expect((await list()).map(({ proposal: { id } }) => id)).not.toContain(open.id);
    expect((await operator<Overview>("GET", "/overview")).proposals).toBe(0);
  });

  it("outcomes of proposals survive a restore and are reported again [CHAIN-21]", async () => {
    const { hub, headquarters, propose, stateOf, becomes, answer, productIds, itemStates } = await startInChain();
    const [first = "", second = ""] = await productIds();
    const pending = proposal({ policy: "ask", items: [{ key: first, want: out }] });
    const automatic = proposal({ items: [{ key: second, want: out }] });
    await propose([pending, automatic]);
    await becomes(pending.id, "waiting");
    await untilOutcome(headquarters, automatic.id, "applied");
    const restore = await backUp(hub);
    const later = proposal({ items: [{ key: second, want: available }] });
    await propose([pending, automatic, later]);
    await untilOutcome(headquarters, later.id, "applied");
    expect((await answer(pending.id, true)).status).toBe(200);
    await untilOutcome(headquarters, pending.id, "applied");
    await restore();
    await until("headquarters hear of it", () => outcomesOf(headquarters, pending.id).length === 3, 20_000);
    const [, applied, again] = outcomesOf(headquarters, pending.id);
    expect([applied?.state, again]).toEqual(["applied", applied]);
    await until("and of the other", () => outcomesOf(headquarters, later.id).filter(isApplied).length === 2, 20_000);
    expect(await Promise.all([pending, automatic, later].map(({ id }) => stateOf(id)))).toEqual(
      Array(3).fill("applied"),
    );
    expect((await itemStates()).filter(({ state }) => state === "out").map(({ productId }) => productId)).toEqual([
      Number(first),
    ]);
  });

  it("a proposal that a restore reopened is reported as waiting again [CHAIN-21]", async () => {
    const { hub, headquarters, propose, becomes, answer, productIds } = await startInChain();
    const [product = ""] = await productIds();
    const pending = proposal({ policy: "ask", items: [{ key: product, want: out }] });
    await propose([pending]);
    await becomes(pending.id, "waiting");
    const { backup } = (await operatorOf(hub)("makeBackup")).body;
    expect((await answer(pending.id, true)).status).toBe(200);
    await untilOutcome(headquarters, pending.id, "applied");
    await hub.restart(() => {
      writeFileSync(hub.dbPath, "what cannot be read");
      const backupDir = path.join(path.dirname(hub.dbPath), "backups");
      const world = realWorld(pino({ level: "silent" }));
      restoreNow({ dbPath: hub.dbPath, backupDir }, path.join(backupDir, backup.name), "test", world);
    });
    await becomes(pending.id, "waiting");
    await until(
      "headquarters hear of it",
      () => outcomesOf(headquarters, pending.id).at(-1)?.state === "waiting",
      20_000,
    );
    expect(outcomesOf(headquarters, pending.id).map(({ state }) => state)).toEqual(["waiting", "applied", "waiting"]);
  });
});
