import { DAY_MS } from "@comanda/protocol";
import { setTimeout as pause } from "node:timers/promises";
import { chainSubjects } from "@comanda/protocol/chain.ts";
import { DesiredState, Proposal } from "@comanda/protocol/proposals.ts";
import { onTestFinished, vi } from "vitest";
import { chainUsers } from "../db/chain-users.ts";
import { writeRestaurants } from "./prepare-restaurants.ts";
import { SimulatedHub } from "./simulated-hub.ts";
import { SimulatedRestaurant } from "./simulated-restaurant.ts";
import { createBrowser, signInOwner } from "./start-test-api.ts";
import { connectAs, startTestHeadquarters } from "./start-test-headquarters.ts";

/** Builds a proposal that marks a dish out for a day. `more` overrides its fields. */
export function dishOut(more: object = {}, now = Date.now()) {
  return {
    kind: "stock",
    title: "Sin pollo",
    at: new Date(now).toISOString(),
    until: new Date(now + DAY_MS).toISOString(),
    policy: "apply",
    items: [{ key: "7", want: { state: "out" } }],
    ...more,
  };
}

/** Starts headquarters with the restaurants r0001, r0002, …, whose hubs may connect, and a signed-in owner. */
export async function startTestProposals(count: number) {
  const headquarters = await startTestHeadquarters();
  const { database, nats } = headquarters;
  const prepared = await writeRestaurants(database, count);
  await nats.admit(() => chainUsers(database));
  const setupCode = headquarters.logged.map((line) => /"setupCode":"([^"]+)"/.exec(line)?.[1]).find(Boolean) ?? "";
  const api = { setupCode, browser: () => createBrowser(headquarters.url) };
  const owner = await signInOwner(api);
  const seedOf = (id: string): Uint8Array => prepared.find((each) => each.id === id)?.seed ?? new Uint8Array();
  return {
    headquarters,
    api,
    owner,
    restaurants: prepared.map(({ id }) => id),
    /** Makes a proposal and returns its id. */
    async propose(to: readonly string[], proposal: object = dishOut()): Promise<string> {
      const { status, body } = await owner.post("/proposals", { proposal, restaurants: to });
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body.id;
    },
    seedOf,
    /** Starts the hub of a restaurant until the test ends. */
    hub: (id: string) => startHub(headquarters.nats.publicUrl, id, seedOf(id)),
  };
}

async function startHub(url: string, id: string, seed: Uint8Array) {
  const connection = await connectAs(url, id, seed);
  const simulated = new SimulatedRestaurant(id, `hub-${id}`, 7, Date.now());
  const hub = new SimulatedHub(simulated, connection, { faults: { twice: 0.5 } }).start();
  let pokes = 0;
  connection.subscribe(chainSubjects.poke(id), { callback: () => void (pokes += 1) });
  await connection.flush();
  onTestFinished(async () => {
    await hub.stop();
    await connection.close();
  });

  /** Reads the proposal document as hubs do; null if there is none. */
  async function document(): Promise<{ rev: number; proposals: Proposal[] } | null> {
    const answer = await connection.request(chainSubjects.desired(id), "", { timeout: 1_000 }).catch(() => null);
    if (answer === null || answer.data.byteLength === 0) return null;
    const { rev, proposals } = DesiredState.parse(answer.json());
    return { rev, proposals: proposals.map((each) => Proposal.parse(each)) };
  }

  return {
    id,
    simulated,
    document,
    /** Resolves when the hub was notified of news this many times. Throws if it was more. */
    async poked(times: number): Promise<void> {
      await vi.waitUntil(() => pokes >= times, { timeout: 20_000, interval: 10 });
      if (pokes > times) throw new Error(`${id} was told ${pokes} times`);
    },
    /** Resolves with the document once it holds exactly these proposals. */
    async proposed(...ids: readonly string[]) {
      for (const tooLate = performance.now() + 20_000; ; await pause(10)) {
        const found = await document();
        const here = found?.proposals.map((each) => each.id).toSorted();
        if (found !== null && JSON.stringify(here) === JSON.stringify(ids.toSorted())) return found;
        if (performance.now() > tooLate) throw new Error(`${id} has ${JSON.stringify(here)}`);
      }
    },
    /** Reports outcomes of proposals. Resolves when headquarters have them. */
    async say(...outcomes: readonly Record<string, unknown>[]): Promise<void> {
      for (const body of outcomes) simulated.note("proposal", body);
      await vi.waitUntil(() => hub.isDone(), { timeout: 20_000, interval: 10 });
    },
  };
}
