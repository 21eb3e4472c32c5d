import { cpSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { chainSubjects } from "@comanda/protocol/chain.ts";
import { ProposalTerms } from "@comanda/protocol/proposals.ts";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { openDatabase } from "../db/open.ts";
import { connectNats } from "../nats/connect.ts";
import { readOwnKey } from "../nats/own-key.ts";
import { openDesired } from "../nats/prepare-streams.ts";
import { startCuttableLine } from "../test/cuttable-line.ts";
import { missingNats } from "../test/nats-server.ts";
import { startTestHeadquarters } from "../test/start-test-headquarters.ts";
import { dishOut, startTestProposals } from "../test/start-test-proposals.ts";
import { testFolder } from "../test/test-folder.ts";
import { createDocuments } from "./documents.ts";
import { makeProposal } from "./proposal-store.ts";

type Chain = Awaited<ReturnType<typeof startTestProposals>>;

/** Kills the NATS server of headquarters, which then start a new one. */
async function killNats({ headquarters }: Chain, { losesStore }: { losesStore: boolean }): Promise<void> {
  const pidFile = path.join(headquarters.folder, "nats/nats.pid");
  const pid = readFileSync(pidFile, "utf8");
  process.kill(Number(pid), "SIGKILL");
  if (losesStore) rmSync(path.join(headquarters.folder, "nats/store"), { recursive: true, force: true });
  onTestFinished(async () => {
    await vi.waitUntil(() => readFileSync(pidFile, "utf8") !== pid, { timeout: 20_000 });
  });
}

describe.skipIf(missingNats !== null)("documents of restaurants", () => {
  let chain: Chain;
  beforeAll(async () => {
    // Those after the first fifty belong to one test each.
    chain = await startTestProposals(57);
  });
  afterAll(async () => chain?.headquarters.stop());

  it("a restaurant's document holds its proposals, and each change raises its revision [HQ-151]", async () => {
    const hub = await chain.hub("r0051");
    const terms = dishOut();
    const first = await chain.propose(["r0051", "r0052"], terms);
    const one = await hub.proposed(first);
    expect(one.proposals).toEqual([{ id: first, version: 1, by: "Rosa Peña", ...terms }]);
    await hub.poked(1);
    const settings = { ...dishOut(), kind: "settings", policy: "ask", items: [{ key: "HUB_LANGUAGE", want: null }] };
    const second = await chain.propose(["r0051"], settings);
    const both = await hub.proposed(first, second);
    expect(both.rev).toBeGreaterThan(one.rev);
    await hub.poked(2);
    const beside = await chain.hub("r0052");
    await beside.proposed(first);
  });

  it("a proposal that would make a document too large is refused with the restaurant's name [HQ-151]", async () => {
    const items = Array.from({ length: 200 }, (_, n) => ({ key: `K${n}`, want: "x".repeat(1_000) }));
    const large = { ...dishOut(), kind: "settings", policy: "ask", items };
    for (let n = 0; n < 4; n += 1) await chain.propose(["r0053"], large);
    const refused = await chain.owner.post("/proposals", { proposal: large, restaurants: ["r0053", "r0054"] });
    expect(refused).toMatchObject({ status: 400, body: { errorCode: "VALIDATION_ERROR" } });
    expect(refused.body.error).toMatch(/: Restaurante 53$/);
    const hub = await chain.hub("r0053");
    await vi.waitUntil(async () => (await hub.document())?.proposals.length === 4, { timeout: 20_000 });
    const beside = await chain.hub("r0054");
    expect(await beside.document()).toBeNull();
  });

  it("proposals are in the document in the order in which they were made, also when the clock was set back [HQ-151]", async () => {
    const { clock } = chain.headquarters;
    onTestFinished(() => void (clock.ahead = 0));
    const made: string[] = [];
    for (const ahead of [0, -60_000, -30_000, -30_000]) {
      clock.ahead = ahead;
      made.push(await chain.propose(["r0055"]));
    }
    const hub = await chain.hub("r0055");
    const { proposals } = await hub.proposed(...made);
    expect(proposals.map(({ id }) => id)).toEqual(made);
    const listed = (await chain.owner.get("/proposals")).body.proposals.map(({ id }: { id: string }) => id);
    expect(listed.slice(0, 4)).toEqual(made.toReversed());
  });

  it("fifty restaurants get their documents at once, with one notification each [HQ-152]", async () => {
    const fifty = chain.restaurants.slice(0, 50);
    const hubs: Awaited<ReturnType<typeof chain.hub>>[] = [];
    for (const restaurant of fifty) hubs.push(await chain.hub(restaurant));
    const id = await chain.propose(fifty);
    await Promise.all(hubs.map((hub) => hub.proposed(id)));
    for (const hub of hubs) await hub.poked(1);
  });

  it("a proposal is answered while NATS is unavailable, and the document follows later [HQ-152]", async () => {
    const hub = await chain.hub("r0056");
    await killNats(chain, { losesStore: false });
    const id = await chain.propose(["r0056"]);
    await hub.proposed(id);
    await hub.poked(1);
  });

  it("documents are written again after NATS has lost its store [HQ-152]", async () => {
    const hub = await chain.hub("r0057");
    const id = await chain.propose(["r0057"]);
    const before = await hub.proposed(id);
    await killNats(chain, { losesStore: true });
    expect(await hub.proposed(id)).toEqual(before);
  });

  it("a restaurant is notified of a document for which the answer of NATS was lost [HQ-152]", async () => {
    const { folder, nats } = chain.headquarters;
    const id = "answerless";
    const line = await startCuttableLine(nats.publicUrl);
    const world = { now: () => Date.now(), log: pino({ level: "silent" }) };
    const seed = await readOwnKey(path.join(folder, "nats/headquarters.nk"));
    const connection = await connectNats({ url: line.url, seed, caFile: null }, world);
    const database = await openDatabase({ url: null, dataDir: await testFolder() });
    const documents = createDocuments({ database, connection }, world);
    onTestFinished(async () => {
      await documents.stop();
      await connection.close();
      await line.cut();
      await database.close();
    });
    await database.query("INSERT INTO restaurants (id, name, created_at) VALUES ($1, $1, now())", [id]);
    let pokes = 0;
    nats.connection.subscribe(chainSubjects.poke(id), { callback: () => void (pokes += 1) });
    await nats.connection.flush();
    const bucket = await openDesired(nats.connection, { timeoutMs: 5_000 });
    const propose = async (): Promise<void> => {
      const proposal = { terms: ProposalTerms.parse(dishOut()), to: [{ id, items: null }], by: "Eva", undoes: null };
      await database.transaction((queries) => makeProposal(queries, proposal, Date.now()));
      documents.write();
    };
    documents.start();
    await propose();
    await vi.waitUntil(() => pokes === 1, { timeout: 20_000, interval: 10 });
    const first = await bucket.get(id);
    line.loseAnswersFrom(`HPUB $KV.desired.${id} `);
    await propose();
    await vi.waitUntil(async () => (await bucket.get(id))?.revision !== first?.revision, { timeout: 20_000 });
    await line.cut();
    await line.mend();
    await vi.waitUntil(() => pokes === 2, { timeout: 20_000, interval: 10 });
  });
});

describe.skipIf(missingNats !== null)("documents of restaurants after a restart", () => {
  it("documents are written after headquarters were killed between the commit and NATS [HQ-152]", async () => {
    const chain = await startTestProposals(2);
    const { folder } = chain.headquarters;
    await chain.headquarters.stop();
    const database = await openDatabase({ url: null, dataDir: folder });
    const proposal = { terms: ProposalTerms.parse(dishOut()), to: [{ id: "r0001", items: null }], by: "Eva" };
    const made = await database.transaction((queries) =>
      makeProposal(queries, { ...proposal, undoes: null }, Date.now()),
    );
    await database.close();
    const headquarters = await startTestHeadquarters({ HQ_DATA_DIR: folder });
    onTestFinished(() => headquarters.stop());
    await (await chain.hub("r0001")).proposed(made);
  });

  it("documents are newer than those that restaurants have after a restore of the database [HQ-151]", async () => {
    const chain = await startTestProposals(2);
    const { folder, clock } = chain.headquarters;
    const database = path.join(folder, "database");
    const retained = await chain.propose(["r0001"]);
    await (await chain.hub("r0001")).proposed(retained);
    await chain.headquarters.stop();
    cpSync(database, `${database}.backup`, { recursive: true });

    let headquarters = await startTestHeadquarters({ HQ_DATA_DIR: folder });
    headquarters.clock.ahead = clock.ahead + 3_600_000;
    const lost = await headquarters.database.transaction((queries) =>
      makeProposal(
        queries,
        {
          terms: ProposalTerms.parse(dishOut()),
          to: [
            { id: "r0001", items: null },
            { id: "r0002", items: null },
          ],
          by: "Eva",
          undoes: null,
        },
        Date.now() + 3_600_000,
      ),
    );
    const before = [
      await (await chain.hub("r0001")).proposed(retained, lost),
      await (await chain.hub("r0002")).proposed(lost),
    ];
    await headquarters.stop();
    rmSync(database, { recursive: true });
    cpSync(`${database}.backup`, database, { recursive: true });

    headquarters = await startTestHeadquarters({ HQ_DATA_DIR: folder });
    onTestFinished(() => headquarters.stop());
    const now = [await (await chain.hub("r0001")).proposed(retained), await (await chain.hub("r0002")).proposed()];
    expect(now.map(({ rev }, n) => rev > (before[n]?.rev ?? 0))).toEqual([true, true]);
  });
});
