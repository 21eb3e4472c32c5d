import { createUser } from "@nats-io/nkeys";
import type { HqProposal } from "@comanda/protocol/headquarters.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { missingNats } from "../test/nats-server.ts";
import { dishOut, startTestProposals } from "../test/start-test-proposals.ts";

describe.skipIf(missingNats !== null)("outcomes of proposals", () => {
  let chain: Awaited<ReturnType<typeof startTestProposals>>;
  beforeAll(async () => {
    chain = await startTestProposals(14);
  });
  afterAll(async () => chain?.headquarters.stop());

  /** Counts the restaurants in use. `two` returns the hubs of two that no other test uses. */
  let used = 0;
  async function two() {
    used += 2;
    const [one, other] = chain.restaurants.slice(used - 2, used);
    return Promise.all([chain.hub(one ?? ""), chain.hub(other ?? "")]);
  }
  const read = async (id: string): Promise<HqProposal> => (await chain.owner.get(`/proposals/${id}`)).body;
  const statesOf = async (id: string) => (await read(id)).restaurants.map(({ state }) => state);
  const applied = (id: string, ...items: object[]) => ({ id, version: 1, state: "applied", items });

  it("a restaurant's last outcome counts, however often it arrives, and ended proposals leave the document [HQ-153]", async () => {
    const [one, other] = await two();
    const id = await chain.propose([one.id, other.id]);
    await one.proposed(id);
    await one.say({ id, version: 1, state: "waiting" });
    expect(await statesOf(id)).toEqual(["waiting", "unreachable"]);
    const next = await chain.propose([one.id]);
    await one.proposed(id, next);

    // Two outcomes in one batch.
    await one.say({ id, version: 1, state: "conflict" }, { ...applied(id), by: "Ana" });
    const [reported] = (await read(id)).restaurants;
    expect(reported).toMatchObject({
      state: "applied",
      outcome: { id, version: 1, state: "applied", by: "Ana", items: [] },
    });
    expect(reported?.at).toBe(one.simulated.history.facts.at(-1)?.at);

    // All facts are sent again, with one that is new.
    const { query } = chain.headquarters.database;
    const written = () =>
      query<{ at: Date }>("SELECT written_at AS at FROM proposal_states WHERE proposal_id = $1 ORDER BY 1", [id]);
    const before = await written();
    await query("UPDATE cursors SET fact_id = 0 WHERE restaurant_id = $1", [one.id]);
    await one.say({ id: next, version: 1, state: "declined" });
    expect((await read(id)).restaurants[0]).toEqual(reported);
    expect(await written()).toEqual(before);

    const last = await chain.propose([one.id, other.id]);
    // Applied proposals stay in the document, for a hub restored from a backup.
    await one.proposed(id, last);
    await other.proposed(id, last);
  });

  it("a message that is no outcome, or of a proposal not made to the restaurant, changes nothing [HQ-153]", async () => {
    const [one, other] = await two();
    const id = await chain.propose([one.id]);
    await one.say({ id, version: 1, state: "waiting" });
    const before = await read(id);
    const many = Array.from({ length: 201 }, (_, n) => ({ key: `k${n}`, want: 1, now: 2 }));
    await one.say(
      {},
      { id, version: 1, state: "eaten" },
      { id: 7, version: 1, state: "applied" },
      { id, version: 2, state: "applied" },
      { id, version: 2 ** 52, state: "applied" },
      { id, version: 1, state: "applied", items: "all" },
      applied(id, ...many),
      { id: "x'; DROP TABLE proposals", version: 1, state: "applied" },
    );
    await other.say(applied(id));
    expect(await read(id)).toEqual(before);
    await one.proposed(id);
  });

  it("withdrawing removes a proposal from all documents, once, and applied outcomes stay [HQ-155]", async () => {
    const [one, other] = await two();
    const id = await chain.propose([one.id, other.id]);
    const { rev } = await other.proposed(id);
    await one.say(applied(id));
    expect(await chain.owner.post(`/proposals/${id}/withdraw`, {})).toMatchObject({
      status: 200,
      body: { done: true },
    });
    expect((await other.proposed()).rev).toBeGreaterThan(rev);
    await other.poked(2);
    expect(await statesOf(id)).toEqual(["applied", "withdrawn"]);
    expect(await chain.owner.post(`/proposals/${id}/withdraw`, {})).toMatchObject({
      status: 409,
      body: { errorCode: "CONFLICT" },
    });
  });

  it("undoing proposes the former values to each restaurant, once, and withdraws the original [HQ-156]", async () => {
    const [one, other] = await two();
    const [third, fourth] = await two();
    const all = [one, other, third, fourth];
    const items = [
      { key: "7", want: { state: "out" } },
      { key: "8", want: { state: "out" } },
    ];
    const id = await chain.propose(
      all.map((hub) => hub.id),
      dishOut({ title: "Sin pollo ni res", items }),
    );
    const out = { state: "out", left: null, until: null };
    const item = (key: string, now: unknown) => ({ key, want: out, now });
    expect(await chain.owner.post(`/proposals/${id}/undo`, {})).toMatchObject({ status: 409 });
    await one.say(applied(id, item("7", { state: "available" }), item("8", out)));
    await other.say(
      applied(
        id,
        item("7", { state: "limited", left: 4 }),
        item("8", { state: "no state" }),
        item("9", { state: "available" }),
      ),
    );
    await third.say(applied(id, item("7", out), item("8", out)));
    await fourth.say({ id, version: 1, state: "waiting" });

    const undone = await chain.owner.post(`/proposals/${id}/undo`, {});
    expect(undone.status).toBe(201);
    const undo: string = undone.body.id;
    const want = (state: string, left: number | null = null) => ({ state, left, until: null });
    const was = { state: "out" };
    expect((await one.proposed(undo)).proposals).toMatchObject([
      {
        kind: "stock",
        title: "Sin pollo ni res",
        policy: "apply",
        items: [{ key: "7", was, want: want("available") }],
      },
    ]);
    expect((await other.proposed(undo)).proposals[0]?.items).toEqual([{ key: "7", was, want: want("limited", 4) }]);
    await third.proposed();
    await fourth.proposed();
    expect(await read(undo)).toMatchObject({
      undoes: id,
      undoneBy: null,
      restaurants: [{ id: one.id }, { id: other.id }],
    });
    expect(await read(id)).toMatchObject({ undoneBy: undo, withdrawnAt: expect.any(String) });
    const { terms } = await read(undo);
    expect(Date.parse(terms.until) - Date.parse(terms.at)).toBe(3 * 86_400_000);
    expect(await chain.owner.post(`/proposals/${id}/undo`, {})).toMatchObject({ status: 409 });

    // An undo is a proposal too, and can itself be undone.
    await other.say(applied(undo, { key: "7", want: want("limited", 4), now: out }));
    const again = await chain.owner.post(`/proposals/${undo}/undo`, {});
    const redone = await other.proposed(again.body.id);
    expect(redone.proposals[0]?.items).toEqual([{ key: "7", was: want("limited", 4), want: out }]);
    await one.proposed();
  });

  it("of two people who undo a proposal at the same time only one succeeds [HQ-156]", async () => {
    const [one] = await two();
    const id = await chain.propose([one.id]);
    await one.say(applied(id, { key: "7", want: { state: "out" }, now: { state: "available" } }));
    const answers = await Promise.all([1, 2, 3].map(() => chain.owner.post(`/proposals/${id}/undo`, {})));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
  });

  it("an outcome that a hub only waited with does not count for its replacement [HQ-154]", async () => {
    const [one, other] = await two();
    const ids = [one.id, other.id];
    const id = await chain.propose(ids);
    for (const hub of [one, other]) await hub.say({ id, version: 1, state: "waiting" });
    const enrol = async (restaurant: string, hubId: string) => {
      const { code } = await chain.headquarters.enrolment.createCode(restaurant, "Eva");
      const request = { code, publicKey: createUser().getPublicKey(), hubId, hubName: "Caja", version: "0.1.0" };
      await chain.headquarters.enrolment.enrol(request, `address of ${restaurant}`);
    };
    await enrol(one.id, `hub-${one.id}`);
    await enrol(other.id, "new");
    await chain.owner.post(`/proposals/${id}/withdraw`, {});
    expect(await statesOf(id)).toEqual(["waiting", "withdrawn"]);
  });
});
