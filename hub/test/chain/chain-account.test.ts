import { setTimeout as pause } from "node:timers/promises";
import { type Overview, HOUR_MS, type ItemState, type ProposalsHere } from "@comanda/protocol";
import type { HqNow, HqProducts, HqProposal } from "@comanda/protocol/headquarters.ts";
import { expect, it, onTestFinished } from "vitest";
import { moveHub } from "../data-file/move-hub.ts";
import { backUp } from "../data-file/restore-steps.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { callChain, current, type RealHeadquarters, startRealHeadquarters } from "./real-headquarters.ts";

const SEED = 11;
const STEPS = 36;
/** As often the accounts are compared. */
const COMPARE_EVERY = 6;

/** Somebody's browser at headquarters. */
function browserAt(url: string) {
  let cookie = "";
  return async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${url}/hq/v1${path}`, {
      method,
      headers: { Cookie: cookie, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    cookie = response.headers.get("Set-Cookie")?.split(";")[0] ?? cookie;
    const answer = (await response.json()) as T & { errorCode?: string };
    if (!response.ok && answer.errorCode !== "CONFLICT")
      throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
}

interface Place {
  id: string;
  group: string;
  hub: TestHub;
}

async function startChain() {
  const headquarters = (await startRealHeadquarters()) as RealHeadquarters & { logged: string[] };
  onTestFinished(headquarters.stop);
  const { url, logged } = headquarters;
  const ask = browserAt(url);
  const code = /"setupCode":"([\w-]+)"/.exec(logged.join("\n"))?.[1];
  await ask("POST", "/setup", { code, login: "rosa", name: "Rosa", password: "una clave larga" });
  const region = { login: "sur", name: "Sur", role: "region", groups: ["Sur"], password: "una clave larga" };
  await ask("POST", "/people", region);
  const askRegion = browserAt(url);
  await askRegion("POST", "/session", { login: "sur", password: "una clave larga" });
  const enrol = async (id: string, hub: TestHub): Promise<void> => {
    const { code } = await ask<{ code: string }>("POST", `/restaurants/${id}/enrolment-code`, {});
    await callChain(hub, "POST", { address: url, code });
  };
  const places: Place[] = [];
  for (const group of ["Norte", "Sur", "Sur"]) {
    const { id } = await ask<{ id: string }>("POST", "/restaurants", {
      name: `${group} ${places.length}`,
      groups: [group],
    });
    const hub = await startTestHub();
    await enrol(id, hub);
    places.push({ id, group, hub });
  }
  return { ask, askRegion, enrol, places };
}

/** 0 to 1, the same ones for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

it(
  "[CHAIN-21, CHAIN-25, HQ-125, HQ-154, HQ-157] headquarters say of each hub what it says itself, whatever was answered, withdrawn, undone, restored and replaced",
  { tags: "long", timeout: 900_000 },
  async () => {
    const { ask, askRegion, enrol, places } = await startChain();
    const random = randomFrom(SEED);
    const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
    const [first] = places;
    if (first === undefined) throw new Error("no restaurant");
    const { products } = (await first.hub.external().get("/menu")).body as { products: { id: string }[] };
    const keys = products.slice(0, 4).map(({ id }) => id);
    const made: string[] = [];
    const log: string[] = [];
    const hereOf = async ({ hub }: Place) => (await operatorOf(hub)("chainProposals")).body as ProposalsHere;

    async function answer(place: Place): Promise<void> {
      const asked = pick((await hereOf(place)).proposals.filter(({ isAsked }) => isAsked));
      if (asked === undefined) return;
      const { id, version } = asked.proposal;
      await operatorOf(place.hub)("decideProposal", { body: { id, version, accept: random() < 0.6 } });
    }

    const steps: Record<string, (place: Place) => Promise<void>> = {
      async propose() {
        const to = places.filter(() => random() < 0.7).map(({ id }) => id);
        if (to.length === 0) return;
        const at = Date.now() - 1_000;
        const items = keys
          .filter(() => random() < 0.4)
          .map((key) => ({
            key,
            want: { state: random() < 0.6 ? "out" : "available" },
            ...(random() < 0.3 && { was: { state: random() < 0.5 ? "out" : "available" } }),
          }));
        if (items.length === 0) return;
        const proposal = {
          kind: "stock",
          title: `Propuesta ${made.length}`,
          policy: random() < 0.7 ? "ask" : "apply",
          at: new Date(at).toISOString(),
          until: new Date(at + HOUR_MS).toISOString(),
          items,
        };
        made.push((await ask<{ id: string }>("POST", "/proposals", { proposal, restaurants: to })).id);
      },
      answer,
      async withdraw() {
        const id = pick(made);
        if (id !== undefined) await ask("POST", `/proposals/${id}/withdraw`, {});
      },
      async undo() {
        const id = pick(made);
        if (id === undefined) return;
        const undo = await ask<{ id?: string }>("POST", `/proposals/${id}/undo`, {});
        if (undo.id !== undefined) made.push(undo.id);
      },
      async sell({ hub }) {
        const key = pick(keys);
        await operatorOf(hub)("setItemState", {
          body: { productId: Number(key), state: random() < 0.5 ? "out" : "available" },
        });
      },
      async forget(place) {
        const restore = await backUp(place.hub);
        for (let n = 0; n < 3; n += 1) await answer(place);
        await restore();
      },
      async restart({ hub }) {
        await hub.restart();
      },
      async replace(place) {
        await moveHub(place.hub, null);
        await enrol(place.id, place.hub);
      },
      async cut(place) {
        await ask("DELETE", `/restaurants/${place.id}/hub`);
        await enrol(place.id, place.hub);
      },
    };
    const weights = { propose: 5, answer: 3, forget: 3, sell: 1, withdraw: 1, undo: 1, restart: 1, replace: 1, cut: 1 };
    const all = Object.entries(weights).flatMap(([name, weight]) => Array<string>(weight).fill(name));

    /** What headquarters say that differs from what the hubs do; none is what everything comes to. */
    async function differences(): Promise<string[]> {
      const found: string[] = [];
      const now = await ask<HqNow>("GET", "/now");
      const outAt = new Map<string, number>();
      let lossesOpen = 0;
      for (const place of places) {
        const { id, hub } = place;
        const row = now.restaurants.find((each) => each.id === id);
        const { losses } = (await operatorOf(hub)("overview")).body as Overview;
        lossesOpen += losses;
        if (row?.presence !== "online") found.push(`${id} is ${row?.presence}`);
        if (row?.beat?.lossesOpen !== losses) found.push(`${id} has ${losses} losses, not ${row?.beat?.lossesOpen}`);
        const { itemStates } = (await operatorOf(hub)("itemStates")).body as { itemStates: ItemState[] };
        for (const { productId, state } of itemStates) {
          if (state === "out") outAt.set(String(productId), (outAt.get(String(productId)) ?? 0) + 1);
        }
        const here = new Map((await hereOf(place)).proposals.map((each) => [each.proposal.id, each.state]));
        for (const proposal of made) {
          const { restaurants, withdrawnAt } = await ask<HqProposal>("GET", `/proposals/${proposal}`);
          const said = restaurants.find((each) => each.id === id);
          const own = here.get(proposal);
          if (said === undefined && own === undefined) continue;
          const isSame =
            own === undefined
              ? withdrawnAt !== null || ["declined", "refused", "expired", "withdrawn"].includes(said?.state ?? "")
              : said?.state === own;
          if (!isSame) found.push(`${id} ${proposal.slice(0, 8)}: ${own} and ${said?.state} of it`);
        }
      }
      const { products: listed } = await ask<HqProducts>("GET", "/products");
      for (const key of keys) {
        const said = listed.find(({ productId }) => productId === key)?.outAt ?? 0;
        if (said !== (outAt.get(key) ?? 0)) found.push(`${key} is out at ${outAt.get(key) ?? 0}, not ${said}`);
      }
      const { restaurants: seen } = await askRegion<HqNow>("GET", "/now");
      const own = places.filter(({ group }) => group === "Sur").map(({ id }) => id);
      if (seen.some(({ id }) => !own.includes(id)) || seen.length !== own.length) found.push("a region sees others");
      const { proposals } = await askRegion<{ proposals: HqProposal[] }>("GET", "/proposals");
      for (const { id } of proposals) {
        const { restaurants } = await askRegion<HqProposal>("GET", `/proposals/${id}`);
        if (restaurants.some((each) => !own.includes(each.id))) found.push(`a region sees others in ${id}`);
      }
      return found;
    }

    async function compare(): Promise<void> {
      for (const { hub } of places) await current(hub);
      let found: string[] = [];
      for (const tooLate = performance.now() + 60_000; performance.now() < tooLate; await pause(200)) {
        found = await differences();
        if (found.length === 0) return;
      }
      expect(found, `seed ${SEED}: ${log.join(", ")}`).toEqual([]);
    }

    for (let n = 1; n <= STEPS; n += 1) {
      const name = pick(all) ?? "";
      const index = Math.floor(random() * places.length);
      log.push(`${name} ${index}`);
      const place = places[index];
      if (place !== undefined) await steps[name]?.(place);
      if (n % COMPARE_EVERY === 0) await compare();
    }
    await compare();
  },
);
