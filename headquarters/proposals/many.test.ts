import { chainSubjects } from "@comanda/protocol/chain.ts";
import { DesiredState } from "@comanda/protocol/proposals.ts";
import { expect, it, onTestFinished, vi } from "vitest";
import { openDesired } from "../nats/prepare-streams.ts";
import { missingNats } from "../test/nats-server.ts";
import { startTestProposals } from "../test/start-test-proposals.ts";

const COUNT = 500;

const title = "a proposal to five hundred restaurants at once is in the document of each [HQ-152]";
it.skipIf(missingNats !== null)(title, { tags: "long", timeout: 120_000 }, async () => {
  const chain = await startTestProposals(COUNT);
  onTestFinished(() => chain.headquarters.stop());
  const { connection } = chain.headquarters.nats;
  const pokes = new Map<string, number>();
  connection.subscribe("dn.*.poke", {
    callback: (_, { subject }) => void pokes.set(subject, (pokes.get(subject) ?? 0) + 1),
  });
  await connection.flush();
  const id = await chain.propose(chain.restaurants);
  await vi.waitUntil(() => pokes.size === COUNT, { timeout: 60_000, interval: 10 });

  const bucket = await openDesired(connection, { timeoutMs: 5_000 });
  const documents = await Promise.all(chain.restaurants.map(async (restaurant) => bucket.get(restaurant)));
  const proposed = documents.map((entry) => DesiredState.parse(entry?.json()).proposals);
  expect(proposed.filter((all) => all.length === 1 && JSON.stringify(all).includes(id))).toHaveLength(COUNT);
  // Each restaurant was notified once, after its document was written.
  expect([...new Set(pokes.values())]).toEqual([1]);
  expect([...pokes.keys()].toSorted()).toEqual(chain.restaurants.map((each) => chainSubjects.poke(each)).toSorted());
});
