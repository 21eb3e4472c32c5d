/**
 * `node bench/chain/proposals.ts [restaurants]`: measures how long a proposal to all restaurants takes to reach each one's
 * document.
 */
import { setTimeout as pause } from "node:timers/promises";
import { prepareRestaurants } from "../../headquarters/test/prepare-restaurants.ts";
import { createBrowser, signInOwner } from "../../headquarters/test/start-test-api.ts";
import { startTestHeadquarters } from "../../headquarters/test/start-test-headquarters.ts";
import { testFolder } from "../../headquarters/test/test-folder.ts";

const ROUNDS = 5;
const count = Number(process.argv[2] ?? 500);
const dataDir = await testFolder();
const restaurants = (await prepareRestaurants({ url: null, dataDir }, count)).map(({ id }) => id);
const headquarters = await startTestHeadquarters({ HQ_DATA_DIR: dataDir });
const setupCode = headquarters.logged.map((line) => /"setupCode":"([^"]+)"/.exec(line)?.[1]).find(Boolean) ?? "";
const owner = await signInOwner({ setupCode, browser: () => createBrowser(headquarters.url) });
const { connection } = headquarters.nats;
const notified = new Set<string>();
connection.subscribe("dn.*.poke", { callback: (_, { subject }) => void notified.add(subject) });
await connection.flush();
for (let round = 0; round < ROUNDS; round += 1) {
  notified.clear();
  const from = performance.now();
  const { status } = await owner.post("/proposals", {
    restaurants,
    proposal: {
      kind: "stock",
      title: "Sin pollo",
      at: new Date().toISOString(),
      until: new Date(Date.now() + 86_400_000).toISOString(),
      policy: "apply",
      items: [{ key: String(round + 1), want: { state: "out" } }],
    },
  });
  if (status !== 201) throw new Error(`headquarters answered ${status}`);
  const answered = performance.now() - from;
  while (notified.size < count) await pause(2);
  const all = performance.now() - from;
  console.log(`${count} restaurants: answered after ${Math.round(answered)} ms, all told after ${Math.round(all)} ms`);
}
await headquarters.stop();
