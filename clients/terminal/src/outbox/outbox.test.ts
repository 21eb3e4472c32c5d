import {
  createTokenBucket,
  messageBudgets,
  sessionBudgets,
  type HubMessageOf,
  type StoredOrder,
} from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { content, entry, line, storedOrder } from "../../test/builders.ts";
import { manualWorld } from "../../test/manual-world.ts";
import { addLine } from "../orders/edit-content.ts";
import type { OrderContent } from "../orders/order-content.ts";
import { createOutbox } from "./outbox.ts";
import type { Intent, MutationMessage, OutboxEntry } from "./entries/outbox-entry.ts";
import { memoryStorage, type OutboxStorage } from "./queue/outbox-storage.ts";
import { protocolSchemas } from "../schemas.ts";

const soup = line("soup", { total: 5 });
const beer = line("beer", { total: 3 });
const before = content([soup]);
const withBeer = addLine(before, beer);

/** An outbox whose hub the test controls. */
async function startOutbox(
  options: { storage?: OutboxStorage; online?: boolean; tickets?: Record<string, string[]> } = {},
) {
  const { storage = memoryStorage(), online = true, tickets = {} } = options;
  const world = manualWorld();
  const orders = new Map<string, StoredOrder>();
  const sent: MutationMessage[] = [];
  const conflicts: string[] = [];
  const storageStates: string[] = [];
  let seq = 0;
  const outbox = createOutbox({
    schemas: protocolSchemas,
    storage,
    loaded: await storage.load(),
    world,
    hub: {
      order: (posReference) => orders.get(posReference),
      orders: () => orders.values(),
      wasRemoved: () => false,
      holdersOf: (id) => tickets[id] ?? [],
      seq: () => seq,
    },
    now: () => new Date(world.clock.now()).toISOString(),
    send: (message) => sent.push(structuredClone(message)) > 0,
    events: {
      changed: () => {},
      acknowledged: () => {},
      conflict: (conflict) => conflicts.push(conflict.id),
      pendingPins: () => {},
      storage: (failure) => storageStates.push(failure === null ? "works" : failure.message),
    },
  });
  if (online) outbox.resume();
  return {
    outbox,
    world,
    sent,
    conflicts,
    storage,
    storageStates,
    /** Changes the hub's state. */
    hubHas: (posReference: string, version: number, order: OrderContent, origin = "other") => {
      orders.set(posReference, { ...storedOrder(posReference, version, order), terminalId: origin });
      seq += 1;
      outbox.hubChanged(null);
    },
    acknowledge: (message: MutationMessage | undefined, version: number, ackSeq = seq) => {
      const posReference = message !== undefined && "posReference" in message ? message.posReference : undefined;
      const mutationId = message?.mutationId ?? "";
      outbox.acknowledge({ type: "ORDER_ACK", mutationId, posReference, version, seq: ackSeq });
    },
    reject: (message: MutationMessage | undefined, fields: Partial<HubMessageOf<"ORDER_REJECTED">>) => {
      const mutationId = message?.mutationId ?? "";
      outbox.reject({ mutationId, errorCode: "CONFLICT", error: "", retryable: false, ...fields });
    },
  };
}

const edit = (posReference: string, base: OrderContent | null, next: OrderContent) =>
  ({ type: "ORDER_UPSERT", posReference, base, next }) as const;

describe("createOutbox", () => {
  it("a mutation is shown at once and sent when it is stored [CLIENT-31]", async () => {
    const { outbox, sent } = await startOutbox();
    const mutation = outbox.add(edit("A", null, before));
    expect([outbox.entriesOf("A").length, sent.length]).toEqual([1, 0]);
    await mutation.stored;
    expect(sent).toMatchObject([{ type: "ORDER_UPSERT", mutationId: mutation.id, baseVersion: 0, snapshot: before }]);
  });

  it("a mutation that cannot be stored is sent from memory, reported, and stored once that works again [CLIENT-110]", async () => {
    const storage = memoryStorage();
    let isFull = true;
    const put: OutboxStorage["put"] = async (entry) => {
      if (isFull) throw new Error("disk full");
      await storage.put(entry);
    };
    const { outbox, sent, storageStates, world } = await startOutbox({ storage: { ...storage, put } });
    const mutation = outbox.add(edit("A", null, before));
    await expect(mutation.stored).rejects.toThrow("disk full");
    expect(sent).toMatchObject([{ mutationId: mutation.id, snapshot: before }]);
    expect([outbox.entriesOf("A").length, outbox.report().unsaved]).toEqual([1, 1]);
    expect(storageStates).toEqual([expect.stringMatching(/cannot store its changes/)]);
    world.advance(10_000);
    await expect.poll(() => storageStates.length).toBe(2);
    isFull = false;
    world.advance(10_000);
    await expect.poll(() => storageStates.at(-1)).toBe("works");
    expect([outbox.report().unsaved, (await storage.load()).length]).toEqual([0, 1]);
  });

  it("a mutation that comes due while the outbox looks at it is sent [CLIENT-149]", async () => {
    const { outbox, sent, world, reject, hubHas } = await startOutbox();
    await outbox.add(edit("A", null, before)).stored;
    reject(sent[0], { errorCode: "NO_ACTIVE_SESSION", retryable: true });
    world.advance(499);
    world.slowDown(0.6);
    hubHas("B", 1, before);
    world.slowDown(0);
    world.advance(10_000);
    expect(sent.map(({ mutationId }) => mutationId)).toEqual([sent[0]?.mutationId, sent[0]?.mutationId]);
  });

  it("a mutation answered before a reload counts as unsent again if the hub refuses it after all [CLIENT-151]", async () => {
    const storage = memoryStorage();
    await storage.put({ ...entry(edit("A", null, before)), isAnswered: true });
    const { outbox, sent, reject } = await startOutbox({ storage });
    expect([outbox.report().pending, outbox.entriesOf("A").length]).toEqual([0, 1]);
    await expect.poll(() => sent).toHaveLength(1);
    reject(sent[0], { errorCode: "NO_ACTIVE_SESSION" });
    expect([outbox.report().pending, outbox.conflicts().length]).toEqual([1, 1]);
  });

  it("a count that the hub keeps for a manager does not count as unsent [CLIENT-373]", async () => {
    const { outbox, sent, reject } = await startOutbox();
    await outbox.add({ type: "TILL_COUNT", shiftId: crypto.randomUUID(), counted: [{ methodId: 1, amount: 5 }] })
      .stored;
    await outbox.add(edit("A", null, before)).stored;
    expect(outbox.report()).toMatchObject({ pending: 2, toSend: 2 });
    reject(sent[0], { errorCode: "APPROVAL_NEEDED" });
    expect(outbox.report()).toMatchObject({ pending: 1, toSend: 1 });
    reject(sent[1], { errorCode: "FORBIDDEN" });
    expect([outbox.conflicts().length, outbox.report()]).toMatchObject([2, { pending: 1, toSend: 0 }]);
  });

  it("a mutation whose write never ends is sent [CLIENT-110]", async () => {
    const hanging: OutboxStorage = { ...memoryStorage(), put: () => new Promise(() => {}) };
    const { outbox, sent, world } = await startOutbox({ storage: hanging });
    const mutation = outbox.add(edit("A", null, before));
    world.advance(4_999);
    expect(sent).toEqual([]);
    world.advance(1);
    await expect(mutation.stored).rejects.toThrow("the storage does not answer");
    expect(sent).toMatchObject([{ mutationId: mutation.id }]);
  });

  it("the next mutation of an order is sent once the first one's effect has arrived, others meanwhile [CLIENT-33]", async () => {
    const { outbox, sent, acknowledge, hubHas } = await startOutbox();
    const mutations = [edit("A", null, before), edit("A", before, withBeer), edit("B", null, before)].map((each) =>
      outbox.add(each),
    );
    await Promise.all(mutations.map((each) => each.stored));
    expect(sent.map((each) => each.mutationId)).toEqual([mutations[0]?.id, mutations[2]?.id]);
    acknowledge(sent[0], 1, 1);
    expect(sent.length).toBe(2);
    hubHas("A", 1, before, "me");
    await expect
      .poll(() => sent[2])
      .toMatchObject({ mutationId: mutations[1]?.id, baseVersion: 1, snapshot: { lines: [soup, beer] } });
  });

  it("a line that never arrived is not carried on after its creation was given up [CLIENT-150]", async () => {
    const { outbox, sent, hubHas, conflicts } = await startOutbox({ online: false });
    const rice = line("rice", { total: 7 });
    const move = (
      from: string,
      had: OrderContent,
      stays: OrderContent,
      into: string,
      has: OrderContent,
      gets: OrderContent,
    ) =>
      outbox.add({
        type: "ORDER_BATCH",
        orders: [
          { posReference: from, base: had, next: stays },
          { posReference: into, base: has, next: gets },
        ],
      });
    const split = (into: string, moving: OrderContent) =>
      outbox.add({
        type: "ORDER_BATCH",
        orders: [
          { posReference: "B", base: content([beer, soup, rice]), next: content([beer]) },
          { posReference: into, base: null, next: moving },
        ],
      });
    const moved = move("A", content([soup]), content([]), "B", content([beer, rice]), content([beer, soup, rice]));
    const mutations = [split("C", content([soup, rice])), split("D", content([soup]))];
    await Promise.all([moved, ...mutations].map(({ stored }) => stored));
    // Another check has a line with the same id, for another dish.
    hubHas("E", 1, content([rice]));
    hubHas("B", 2, content([beer, rice]));
    outbox.resume();
    await expect.poll(() => conflicts).toEqual([moved.id]);
    hubHas("A", 3, content([soup]));
    await outbox.discard(moved.id);
    await expect.poll(() => sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      orders: [
        { posReference: "B", baseVersion: 2, snapshot: { lines: [beer] } },
        { posReference: "C", baseVersion: 0, snapshot: { lines: [rice], totals: { total: 7 } } },
      ],
    });
    outbox.acknowledge({ type: "ORDER_ACK", mutationId: sent[0]?.mutationId ?? "", seq: 3 });
    await expect.poll(() => conflicts).toEqual([moved.id, mutations[1]?.id]);
    expect(outbox.conflicts()[0]?.refusal.errorCode).toBe("NOT_FOUND");
  });

  it("an addition that the hub may have from before a fork is ordered only once [CLIENT-320]", async () => {
    const { outbox, sent, hubHas, reject } = await startOutbox();
    const two = content([{ ...soup, quantity: 2, total: 10 }]);
    hubHas("A", 1, before);
    await outbox.add(edit("A", before, two)).stored;
    outbox.hubChanged("earlier_state");
    hubHas("A", 3, addLine(two, beer));
    reject(sent[0], { posReference: "A", hubVersion: 3 });
    await expect.poll(() => sent).toHaveLength(2);
    expect(sent[1]).toMatchObject({ baseVersion: 3, snapshot: { lines: [{ quantity: 2 }, beer] } });
  });

  it("a mutation leaves the storage with its answer, and the view when the hub's state has caught up [CLIENT-34]", async () => {
    const { outbox, sent, storage, acknowledge, hubHas } = await startOutbox();
    const mutation = outbox.add(edit("A", null, before));
    await mutation.stored;
    acknowledge(sent[0], 1, 1);
    expect([(await storage.load()).length, outbox.entriesOf("A").length, outbox.report().pending]).toEqual([0, 1, 0]);
    hubHas("A", 1, before, "me");
    expect(outbox.entriesOf("A")).toEqual([]);
    expect(await mutation.outcome).toMatchObject({ state: "acknowledged", answer: { version: 1 } });
    await outbox.idle();
  });

  it("a mutation whose answer was lost is sent again unchanged, whatever has changed since [CLIENT-32]", async () => {
    const { outbox, sent, hubHas } = await startOutbox();
    hubHas("A", 1, before);
    await outbox.add(edit("A", before, withBeer)).stored;
    outbox.pause();
    hubHas("A", 2, addLine(before, line("wine")));
    outbox.resume();
    expect(sent.length).toBe(2);
    expect(sent[1]).toEqual(sent[0]);
  });

  it("a mutation is sent again unchanged after the process died [CLIENT-44]", async () => {
    const first = await startOutbox();
    await first.outbox.add(edit("A", null, before)).stored;
    const second = await startOutbox({ storage: first.storage, online: false });
    second.hubHas("A", 1, before, "me");
    second.outbox.resume();
    expect(second.sent).toEqual(first.sent);
  });

  it("an old change is carried over onto the hub's state before it is sent [CLIENT-35]", async () => {
    const { outbox, sent, hubHas } = await startOutbox({ online: false });
    hubHas("A", 1, before);
    await outbox.add(edit("A", before, withBeer)).stored;
    hubHas("A", 2, addLine(before, line("wine", { total: 8 })));
    outbox.resume();
    await expect.poll(() => sent).toMatchObject([{ baseVersion: 2, snapshot: { totals: { total: 16 } } }]);
  });

  it("refused content is rebased under a new mutationId once the hub's new state has arrived [CLIENT-37]", async () => {
    const { outbox, sent, reject, hubHas } = await startOutbox();
    hubHas("A", 1, before);
    const mutation = outbox.add(edit("A", before, withBeer));
    await mutation.stored;
    reject(sent[0], { posReference: "A", hubVersion: 2 });
    await Promise.resolve();
    expect(sent.length).toBe(1);
    hubHas("A", 2, addLine(before, line("wine", { total: 8 })));
    await expect.poll(() => sent[1]).toMatchObject({ baseVersion: 2, snapshot: { totals: { total: 16 } } });
    expect(sent[1]?.mutationId).not.toBe(mutation.id);
  });

  it("a collision is kept as a conflict with both states, and later mutations of its order wait [CLIENT-40]", async () => {
    const { outbox, sent, conflicts, reject, hubHas } = await startOutbox();
    hubHas("A", 1, before);
    const mine = { ...before, notes: "window" };
    const mutation = outbox.add(edit("A", before, mine));
    await mutation.stored;
    const behind = outbox.add({ type: "ORDER_SEND", posReference: "A" });
    await behind.stored;
    reject(sent[0], { posReference: "A", hubVersion: 2 });
    hubHas("A", 2, { ...before, notes: "terrace" });
    expect(await mutation.outcome).toMatchObject({ state: "refused" });
    expect([conflicts, sent.length]).toEqual([[mutation.id], 1]);
    expect(outbox.conflicts()).toMatchObject([
      {
        id: mutation.id,
        refusal: { errorCode: "CONFLICT", collisions: [{ kind: "field", field: "notes" }] },
        orders: [{ posReference: "A", mine, base: before, hub: { version: 2, snapshot: { notes: "terrace" } } }],
      },
    ]);
    await outbox.discard(mutation.id);
    await expect.poll(() => sent[1]).toMatchObject({ type: "ORDER_SEND", mutationId: behind.id });
  });

  it("a conflict is retried on the hub's state, with this device's change or the application's resolution [CLIENT-40]", async () => {
    for (const resolved of [undefined, new Map([["A", { ...before, notes: "bar" }]])]) {
      const { outbox, sent, reject, hubHas } = await startOutbox();
      hubHas("A", 1, before);
      const mutation = outbox.add(edit("A", before, { ...before, notes: "window" }));
      await mutation.stored;
      reject(sent[0], { posReference: "A", hubVersion: 2 });
      hubHas("A", 2, { ...addLine(before, beer), notes: "terrace" });
      await outbox.retry(mutation.id, resolved).stored;
      await expect.poll(() => sent.length).toBe(2);
      const lines = resolved === undefined ? [soup, beer] : [soup];
      expect(sent[1]).toMatchObject({ baseVersion: 2, snapshot: { notes: resolved ? "bar" : "window", lines } });
      expect(sent[1]?.mutationId).not.toBe(sent[0]?.mutationId);
    }
  });

  it("conflicts are kept over a restart [CLIENT-40]", async () => {
    const first = await startOutbox();
    await first.outbox.add({ type: "ORDER_SEND", posReference: "A" }).stored;
    first.reject(first.sent[0], { errorCode: "NOT_FOUND" });
    await first.outbox.stop();
    const second = await startOutbox({ storage: first.storage });
    expect(second.outbox.conflicts()).toMatchObject([{ refusal: { errorCode: "NOT_FOUND" } }]);
    expect(second.sent).toEqual([]);
  });

  it("a retryable refusal is sent again, unchanged, after a wait [CLIENT-41]", async () => {
    const { outbox, world, sent, reject } = await startOutbox();
    await outbox.add(edit("A", null, before)).stored;
    reject(sent[0], { errorCode: "LEASE_HELD", retryable: true });
    world.advance(499);
    expect(sent.length).toBe(1);
    world.advance(2);
    await expect.poll(() => sent).toHaveLength(2);
    // Decided again: another mutation, with the same content as long as the check is unchanged.
    const { mutationId = "", ...content } = sent[1] ?? {};
    expect({ ...content, requestId: "" }).toEqual({ ...sent[0], mutationId: undefined, requestId: "" });
    expect(mutationId).not.toBe(sent[0]?.mutationId);
  });

  it("a payment is based on the version that the user saw, plus own changes [CLIENT-36]", async () => {
    const { outbox, sent, acknowledge, hubHas } = await startOutbox({ online: false });
    hubHas("A", 1, before);
    await outbox.add(edit("A", before, withBeer)).stored;
    const pay = { type: "ORDER_PAY", posReference: "A", seen: withBeer, seenVersion: 1, payments: [] } as const;
    await outbox.add({ ...pay, payments: [] }).stored;
    outbox.resume();
    await expect.poll(() => sent.length).toBe(1);
    acknowledge(sent[0], 2, 2);
    hubHas("A", 2, withBeer, "me");
    await expect.poll(() => sent[1]).toMatchObject({ type: "ORDER_PAY", baseVersion: 2 });
  });

  it("the hub refuses a payment if another device's change got into the order [CLIENT-36]", async () => {
    const { outbox, sent, acknowledge, hubHas } = await startOutbox({ online: false });
    hubHas("A", 1, before);
    await outbox.add(edit("A", before, withBeer)).stored;
    await outbox.add({ type: "ORDER_PAY", posReference: "A", seen: withBeer, seenVersion: 1, payments: [] }).stored;
    const wine = line("wine", { total: 8 });
    hubHas("A", 2, addLine(before, wine));
    outbox.resume();
    await expect.poll(() => sent.length).toBe(1);
    acknowledge(sent[0], 3, 3);
    hubHas("A", 3, addLine(addLine(before, wine), beer), "me");
    await expect.poll(() => sent[1]).toMatchObject({ type: "ORDER_PAY", baseVersion: 1_000_003 });
  });

  it("a payment is not sent for a check that was never created [CLIENT-47]", async () => {
    const { outbox, sent, reject, hubHas } = await startOutbox();
    hubHas("A", 1, before);
    const edited = outbox.add(edit("A", before, withBeer));
    await edited.stored;
    await outbox.add({ type: "ORDER_PAY", posReference: "A", seen: withBeer, seenVersion: 1, payments: [] }).stored;
    reject(sent[0], { errorCode: "FORBIDDEN" });
    await outbox.idle();
    await outbox.discard(edited.id);
    await expect.poll(() => sent[1]).toMatchObject({ type: "ORDER_PAY", baseVersion: 1_000_001 });
  });

  it("the hub's own forms do not count as another's change behind an own one [CLIENT-38]", async () => {
    const { outbox, sent, conflicts, acknowledge, hubHas } = await startOutbox();
    await outbox.add(edit("A", null, { lines: [soup] })).stored;
    const noted = { lines: [soup], guestCount: 2, staffName: "Ana" };
    await outbox.add(edit("A", { lines: [soup] }, noted)).stored;
    acknowledge(sent[0], 1, 1);
    hubHas("A", 1, { lines: [{ ...soup, name: "Soup" }], guestCount: 1, staffName: "Luis" }, "me");
    await expect.poll(() => sent[1]).toMatchObject({ snapshot: { guestCount: 2, staffName: "Ana" } });
    expect(conflicts).toEqual([]);
  });

  it("a mutation is sent under the person who acted when it was queued, no matter who acts later [CLIENT-111]", async () => {
    const first = await startOutbox({ online: false });
    const ana = { token: "ana's", user: { id: 1, name: "Ana" } };
    const luis = { token: "luis's", user: { id: 2, name: "Luis" } };
    await first.outbox.add(edit("A", null, before), { actor: ana }).stored;
    await first.outbox.add(edit("B", null, before), { actor: luis, approval: "boss's" }).stored;
    const second = await startOutbox({ storage: first.storage });
    await expect.poll(() => second.sent.length).toBe(2);
    expect(second.sent).toMatchObject([{ actor: "ana's" }, { actor: "luis's", approval: "boss's" }]);
  });

  it("a retry is signed by the original person, or by the acting one if that person was refused [CLIENT-112]", async () => {
    const ana = { token: "ana's", user: { id: 1, name: "Ana" } };
    const boss = { token: "boss's", user: { id: 2, name: "Boss" } };
    for (const [errorCode, approval, actor] of [
      ["NOT_FOUND", undefined, "ana's"],
      ["FORBIDDEN", "approved", "ana's"],
      ["FORBIDDEN", undefined, "boss's"],
      ["ACTOR_REFUSED", undefined, "boss's"],
      // A person who may not void sent lines gets a refusal for the line.
      ["SENT_LINES_IMMUTABLE", undefined, "boss's"],
    ] as const) {
      const { outbox, sent, reject } = await startOutbox();
      const mutation = outbox.add({ type: "ORDER_SEND", posReference: "A" }, { actor: ana });
      await mutation.stored;
      reject(sent[0], { errorCode });
      // Until it is certain that the token has expired, a PIN may still resolve it.
      const authors = errorCode === "ACTOR_REFUSED" ? [] : [ana.user];
      await expect.poll(() => outbox.conflicts().map(({ author }) => author)).toEqual(authors);
      await outbox.retry(mutation.id, undefined, { actor: boss, approval }).stored;
      await expect.poll(() => sent[1]).toMatchObject({ actor, ...(approval === undefined ? {} : { approval }) });
    }
  });

  it("mutations with an expired token wait in order until their person has entered the PIN again [CLIENT-144]", async () => {
    const ana = (token: string) => ({ token, user: { id: 1, name: "Ana" } });
    const luis = { token: "luis's", user: { id: 2, name: "Luis" } };
    const { outbox, sent, reject, acknowledge, conflicts, hubHas, storage } = await startOutbox();
    const opened = outbox.add(edit("A", null, before), { actor: ana("old") });
    outbox.add(edit("A", before, withBeer), { actor: luis });
    const other = outbox.add(edit("B", null, before), { actor: ana("old") });
    await Promise.all([opened.stored, other.stored]);
    const [first, second] = sent;
    for (const message of [first, second]) reject(message, { errorCode: "ACTOR_REFUSED" });
    expect(conflicts).toEqual([]);
    expect(outbox.pendingPins()).toMatchObject([{ user: { name: "Ana" }, count: 2, orders: ["A", "B"] }]);
    expect(outbox.report().pending).toBe(3);
    // `idle` does not wait for mutations that need a person.
    await outbox.idle();
    outbox.renewActor(luis);
    expect(sent.length).toBe(2);

    outbox.renewActor(ana("new"));
    await expect.poll(() => sent.length).toBe(4);
    expect(sent.slice(2)).toEqual([first, second].map((message) => ({ ...message, actor: "new" })));
    expect(outbox.pendingPins()).toEqual([]);
    expect((await storage.load())[0]?.actor?.token).toBe("new");
    hubHas("A", 1, before);
    acknowledge(first, 1);
    await expect.poll(() => sent.length).toBe(5);
    expect(sent[4]).toMatchObject({ posReference: "A", actor: "luis's" });

    // Refused with the new token too, a PIN cannot help.
    reject(second, { errorCode: "ACTOR_REFUSED" });
    expect(conflicts).toEqual([other.id]);
  });

  it("pending PINs count the mutations that the hub has kept, and a manager's decision needs no PIN [CLIENT-200]", async () => {
    const ana = { token: "old", user: { id: 1, name: "Ana" } };
    const { outbox, sent, reject, acknowledge, conflicts, hubHas } = await startOutbox();
    const first = outbox.add(edit("A", null, before), { actor: ana });
    outbox.add(edit("A", before, withBeer), { actor: ana });
    const other = outbox.add(edit("B", null, before), { actor: ana });
    const notStored = outbox.add(edit("C", null, before), { actor: ana });
    await Promise.all([first.stored, other.stored, notStored.stored]);
    const [a, b, c] = sent;
    for (const message of [a, b]) reject(message, { errorCode: "ACTOR_REFUSED", kept: true });
    reject(c, { errorCode: "ACTOR_REFUSED" });
    expect(outbox.pendingPins()).toMatchObject([{ user: { name: "Ana" }, count: 4, kept: 2 }]);
    expect(outbox.report().pending).toBe(4);

    hubHas("A", 1, before, "hub");
    acknowledge(a, 1);
    await expect(first.outcome).resolves.toMatchObject({ state: "acknowledged" });
    await expect.poll(() => sent.length).toBe(4);
    expect(sent[3]).toMatchObject({ posReference: "A", baseVersion: 1, snapshot: withBeer });
    reject(b, { errorCode: "DISMISSED" });
    expect(conflicts).toEqual([other.id]);
    expect(outbox.pendingPins()).toMatchObject([{ count: 2, kept: 0, orders: ["A", "C"] }]);
  });

  it("pending PINs name the token that was refused, and why [CLIENT-201]", async () => {
    const ana = { token: "old", user: { id: 1, name: "Ana" } };
    const { outbox, sent, reject } = await startOutbox();
    const [first, later] = ["A", "B"].map((each) => outbox.add(edit(each, null, before), { actor: ana }));
    await Promise.all([first?.stored, later?.stored]);
    reject(sent[0], { errorCode: "ACTOR_REFUSED" });
    expect(outbox.pendingPins()).toMatchObject([{ refusedToken: null }]);
    outbox.giveUpPin(1);
    const refusedToken = { of: "actor", why: "pin_revoked" } as const;
    reject(sent[1], { errorCode: "ACTOR_REFUSED", kept: true, refusedToken });
    expect(outbox.pendingPins()).toMatchObject([{ kept: 1, refusedToken }]);
    outbox.giveUpPin(1);
    expect(outbox.conflicts().map(({ refusal }) => refusal.refusedToken)).toEqual([undefined, refusedToken]);
  });

  it("a refused approval is a conflict, which another approval settles [CLIENT-201]", async () => {
    const ana = { token: "ana's", user: { id: 1, name: "Ana" } };
    const { outbox, sent, reject, conflicts } = await startOutbox();
    const mutation = outbox.add(edit("A", null, before), { actor: ana, approval: "old" });
    await mutation.stored;
    const refusedToken = { of: "approval", why: "expired" } as const;
    reject(sent[0], { errorCode: "ACTOR_REFUSED", refusedToken });
    expect([conflicts, outbox.pendingPins()]).toEqual([[mutation.id], []]);
    // Without another approval, it is not sent again under the refused one.
    outbox.retry(mutation.id);
    await expect.poll(() => sent[1]).toMatchObject({ actor: "ana's" });
    expect(sent[1]).not.toHaveProperty("approval");
    reject(sent[1], { errorCode: "FORBIDDEN" });
    outbox.retry(mutation.id, new Map(), { approval: "new" });
    await expect.poll(() => sent[2]).toMatchObject({ actor: "ana's", approval: "new" });
    // A mutation kept by the hub waits for a manager there, or for a new approval here.
    reject(sent[2], { errorCode: "ACTOR_REFUSED", kept: true, refusedToken });
    expect(outbox.pendingPins()).toMatchObject([{ kept: 1, refusedToken }]);
    outbox.giveUpPin(1);
    expect(outbox.conflicts()).toMatchObject([{ refusal: { errorCode: "ACTOR_REFUSED", refusedToken } }]);
  });

  it("a kept mutation is sent again after a reconnect to learn the decision [CLIENT-200]", async () => {
    const ana = { token: "old", user: { id: 1, name: "Ana" } };
    const { outbox, sent, reject } = await startOutbox();
    const [stored, notStored] = [edit("A", null, before), edit("B", null, before)].map((each) =>
      outbox.add(each, { actor: ana }),
    );
    await Promise.all([stored?.stored, notStored?.stored]);
    reject(sent[0], { errorCode: "ACTOR_REFUSED", kept: true });
    reject(sent[1], { errorCode: "ACTOR_REFUSED" });
    outbox.pause();
    outbox.resume();
    await expect.poll(() => sent.length).toBe(3);
    expect(sent[2]).toEqual(sent[0]);
    reject(sent[2], { errorCode: "ACTOR_REFUSED", kept: true });
    expect(outbox.pendingPins()).toMatchObject([{ count: 2, kept: 1 }]);
  });

  it("a newer token of the same person is used without asking [CLIENT-144]", async () => {
    const ana = (token: string) => ({ token, user: { id: 1, name: "Ana" } });
    const { outbox, sent, reject } = await startOutbox();
    const early = outbox.add(edit("A", null, before), { actor: ana("old") });
    await early.stored;
    outbox.renewActor(ana("new"));
    reject(sent[0], { errorCode: "ACTOR_REFUSED" });
    await expect.poll(() => sent.length).toBe(2);
    expect(sent[1]).toEqual({ ...sent[0], actor: "new" });
    // The new token expires too.
    reject(sent[1], { errorCode: "ACTOR_REFUSED" });
    expect(outbox.pendingPins()).toMatchObject([{ user: { name: "Ana" }, count: 1 }]);
  });

  it("mutations under a newer token are dated to when they got it [CLIENT-180]", async () => {
    const ana = (token: string) => ({ token, user: { id: 1, name: "Ana" } });
    const { outbox, sent, reject, storage, world } = await startOutbox();
    await outbox.add(edit("A", null, before), { actor: ana("old") }).stored;
    reject(sent[0], { errorCode: "ACTOR_REFUSED" });
    world.advance(60_000);
    outbox.renewActor(ana("new"));
    await expect.poll(() => sent.length).toBe(2);
    const queuedAt = new Date(world.clock.now()).toISOString();
    expect(sent[0]?.queuedAt).not.toBe(queuedAt);
    expect(sent[1]).toEqual({ ...sent[0], queuedAt, actor: "new" });
    expect((await storage.load())[0]).toMatchObject({ queuedAt, mutationId: sent[0]?.mutationId });
  });

  it("another person can answer for an absent one for everything until then, or decide one by one [CLIENT-145]", async () => {
    const ana = { token: "old", user: { id: 1, name: "Ana" } };
    const boss = { token: "boss's", user: { id: 2, name: "Boss" } };
    const { outbox, sent, reject, conflicts } = await startOutbox();
    for (const posReference of ["A", "B"]) outbox.add(edit(posReference, null, before), { actor: ana });
    await expect.poll(() => sent.length).toBe(2);
    reject(sent[0], { errorCode: "ACTOR_REFUSED" });
    outbox.answerFor(1, boss);
    await expect.poll(() => sent.length).toBe(3);
    // Was in transit in the meantime.
    reject(sent[1], { errorCode: "ACTOR_REFUSED" });
    await expect.poll(() => sent.length).toBe(4);
    expect(sent.slice(2)).toMatchObject([
      { posReference: "A", actor: "boss's" },
      { posReference: "B", actor: "boss's" },
    ]);

    // Later mutations of Ana stay hers.
    const later = outbox.add(edit("C", null, before), { actor: ana });
    await later.stored;
    reject(sent[4], { errorCode: "ACTOR_REFUSED" });
    expect(outbox.pendingPins()).toMatchObject([{ user: { name: "Ana" }, orders: ["C"] }]);
    outbox.giveUpPin("1");
    expect([outbox.pendingPins(), conflicts]).toEqual([[], [later.id]]);
    expect(await later.outcome).toMatchObject({
      state: "refused",
      conflict: { refusal: { errorCode: "ACTOR_REFUSED" } },
    });
  });

  it("a payment is sent ahead of a check that waits for a PIN, once [CLIENT-144]", async () => {
    const ana = (token: string) => ({ token, user: { id: 1, name: "Ana" } });
    const { outbox, sent, reject, acknowledge, hubHas } = await startOutbox();
    outbox.add(edit("A", null, before), { actor: ana("old") });
    await expect.poll(() => sent.length).toBe(1);
    const paymentId = "00000000-0000-4000-8000-00000000aaaa";
    const payments = [{ methodId: 1, amount: 5 }];
    outbox.add(
      { type: "ORDER_PAY", posReference: "A", seen: before, seenVersion: 0, paymentId, payments },
      { actor: ana("old") },
    );
    reject(sent[0], { errorCode: "ACTOR_REFUSED" });
    await expect.poll(() => sent.length).toBe(2);
    expect(sent[1]).toMatchObject({ type: "ORDER_PAY", paymentId, snapshot: before });
    reject(sent[1], { errorCode: "ACTOR_REFUSED", kept: true });
    expect(outbox.report()).toMatchObject({ pending: 2, payments: 0 });
    outbox.renewActor(ana("new"));
    await expect.poll(() => sent.length).toBe(3);
    expect(sent[2]).toMatchObject({ type: "ORDER_UPSERT", actor: "new" });
    hubHas("A", 1, before);
    acknowledge(sent[2], 1);
    await expect.poll(() => sent.length).toBe(4);
    expect(sent[3]).toMatchObject({ type: "ORDER_PAY", paymentId, actor: "new", baseVersion: 1 });
    expect(sent[3]).not.toHaveProperty("snapshot");
    expect(sent[3]?.mutationId).not.toBe(sent[1]?.mutationId);
  });

  it("a conflict lists what waits behind it, even by way of another order [CLIENT-148]", async () => {
    const { outbox, sent, reject } = await startOutbox();
    const opened = outbox.add(edit("A", null, before));
    await opened.stored;
    const changes = [
      { posReference: "A", base: before, next: before },
      { posReference: "B", base: null, next: before },
    ];
    outbox.add({ type: "ORDER_SEND", posReference: "A" });
    outbox.add({ type: "ORDER_SEND", posReference: "C" });
    outbox.add({ type: "ORDER_BATCH", orders: changes });
    outbox.add({ type: "ORDER_SEND", posReference: "B" });
    reject(sent[0], { errorCode: "VALIDATION_ERROR" });
    expect(outbox.conflicts()[0]?.behind).toMatchObject([
      { type: "ORDER_SEND", posReference: "A" },
      { type: "ORDER_BATCH" },
      { type: "ORDER_SEND", posReference: "B" },
    ]);
  });

  it("a payment keeps its identity through every retry, under another mutationId [CLIENT-113]", async () => {
    const { outbox, sent, reject, hubHas } = await startOutbox();
    hubHas("A", 1, before);
    const paymentId = "00000000-0000-4000-8000-00000000aaaa";
    const payments = [{ methodId: 1, amount: 5 }];
    const pay = { type: "ORDER_PAY", posReference: "A", seen: before, seenVersion: 1, paymentId, payments } as const;
    const mutation = outbox.add({ ...pay, payments });
    await mutation.stored;
    reject(sent[0], { errorCode: "CONFLICT" });
    await outbox.retry(mutation.id).stored;
    await expect.poll(() => sent.length).toBe(2);
    expect(sent).toMatchObject([{ paymentId }, { paymentId }]);
    expect(sent[1]?.mutationId).not.toBe(sent[0]?.mutationId);
  });

  describe("money for an order that the hub does not have", () => {
    const paymentId = "00000000-0000-4000-8000-00000000aaaa";
    const pay = {
      type: "ORDER_PAY",
      posReference: "A",
      seen: before,
      seenVersion: 0,
      paymentId,
      payments: [{ methodId: 1, amount: 5 }],
    } as const;

    async function payOffline() {
      const hub = await startOutbox({ online: false });
      const created = hub.outbox.add(edit("A", null, before));
      const paid = hub.outbox.add({ ...pay, payments: [...pay.payments] });
      await paid.stored;
      hub.outbox.resume();
      await expect.poll(() => hub.sent.length).toBe(1);
      return { ...hub, created, paid };
    }

    it("a payment is sent ahead of a refused creation, with the content that was paid [CLIENT-114]", async () => {
      const { sent, reject, paid } = await payOffline();
      reject(sent[0], { errorCode: "VALIDATION_ERROR" });
      await expect
        .poll(() => sent[1])
        .toMatchObject({ type: "ORDER_PAY", baseVersion: 0, paymentId, snapshot: before });
      reject(sent[1], { errorCode: "NOT_FOUND" });
      expect(await paid.outcome).toMatchObject({ state: "refused", conflict: { refusal: { errorCode: "NOT_FOUND" } } });
    });

    it("a payment is sent ahead while the session is closed, once, and pays the order when it exists [CLIENT-114]", async () => {
      const { outbox, world, sent, reject, acknowledge, hubHas } = await payOffline();
      expect(outbox.report()).toMatchObject({ pending: 2, payments: 1, amount: 5 });
      reject(sent[0], { errorCode: "NO_ACTIVE_SESSION", retryable: true });
      await expect.poll(() => sent[1]).toMatchObject({ type: "ORDER_PAY", baseVersion: 0, snapshot: before });
      reject(sent[1], { errorCode: "NOT_FOUND", kept: true });
      expect(outbox.conflicts()).toEqual([]);
      expect(outbox.report()).toMatchObject({ pending: 2, payments: 0, amount: 0 });
      world.advance(20_000);
      expect(sent.slice(2)).toEqual([sent[0]]);
      acknowledge(sent[2], 1, 1);
      hubHas("A", 1, before, "me");
      await expect.poll(() => sent[3]).toMatchObject({ type: "ORDER_PAY", baseVersion: 1, paymentId });
      expect(sent[3]).not.toHaveProperty("snapshot");
      expect(sent[3]?.mutationId).not.toBe(sent[1]?.mutationId);
    });

    it("a payment that the hub did not keep counts as unsent, and the conflict says which it kept [CLIENT-203]", async () => {
      const { outbox, reject, sent } = await payOffline();
      reject(sent[0], { errorCode: "FORBIDDEN" });
      await expect.poll(() => sent[1]).toMatchObject({ type: "ORDER_PAY" });
      reject(sent[1], { errorCode: "LIMIT_REACHED" });
      expect(outbox.report()).toMatchObject({ payments: 1, amount: 5 });
      const [, payment] = outbox.conflicts();
      outbox.retry(payment?.id ?? "");
      await expect.poll(() => sent[2]).toMatchObject({ type: "ORDER_PAY" });
      reject(sent[2], { errorCode: "VALIDATION_ERROR", kept: true });
      expect(outbox.report()).toMatchObject({ payments: 0, amount: 0 });
      expect(outbox.conflicts()[1]?.refusal).toMatchObject({ errorCode: "VALIDATION_ERROR", isMoneyKept: true });
    });

    it("a part payment is sent ahead of its check like a payment [CLIENT-114]", async () => {
      const { outbox, sent, reject } = await startOutbox();
      await outbox.add(edit("A", null, before)).stored;
      const tender = { posReference: "A", seen: before, seenVersion: 0, tenderId: paymentId, methodId: 1, amount: 3 };
      await outbox.add({ type: "ORDER_TENDER", ...tender }).stored;
      reject(sent[0], { errorCode: "FORBIDDEN" });
      const payments = [{ methodId: 1, amount: 3 }];
      await expect.poll(() => sent[1]).toMatchObject({ type: "ORDER_PAY", baseVersion: 0, paymentId, payments });
    });

    it("a payment is settled when a manager has applied it on the hub, with the mutations of its check [CLIENT-115]", async () => {
      const { outbox, sent, storage, reject, hubHas, created, paid } = await payOffline();
      reject(sent[0], { errorCode: "VALIDATION_ERROR" });
      await expect.poll(() => sent.length).toBe(2);
      reject(sent[1], { errorCode: "NOT_FOUND" });
      expect(outbox.conflicts().length).toBe(2);
      await Promise.all([created.outcome, paid.outcome]);
      hubHas("A", 1, { ...before, tenders: [{ methodId: 1, amount: 5, tenderId: paymentId }] }, "hub");
      expect(outbox.conflicts()).toEqual([]);
      expect([outbox.report().pending, (await storage.load()).length]).toEqual([0, 0]);
    });
  });

  describe("a table that has a check already", () => {
    const existing = { posReference: "B", checkNumber: 1, staffName: "Ana" };
    const refusal = { errorCode: "TABLE_OCCUPIED", error: "table 4 has a check", existing } as const;

    it("an occupied table gets another check if this one was opened offline, with a notice until dismissed [CLIENT-116]", async () => {
      const first = await startOutbox({ online: false });
      const mutation = first.outbox.add(edit("A", null, before));
      await mutation.stored;
      first.outbox.resume();
      await expect.poll(() => first.sent.length).toBe(1);
      first.reject(first.sent[0], refusal);
      await expect.poll(() => first.sent[1]).toMatchObject({ additionalCheck: true, snapshot: before });
      expect(first.sent[1]?.mutationId).not.toBe(first.sent[0]?.mutationId);
      expect(first.outbox.conflicts()).toEqual([]);
      first.acknowledge(first.sent[1], 1, 1);
      first.hubHas("A", 1, before, "me");
      expect(await mutation.outcome).toMatchObject({ state: "acknowledged" });
      const notice = { id: mutation.id, isNotice: true, refusal: { errorCode: "TABLE_OCCUPIED", existing } };
      expect(first.outbox.conflicts()).toMatchObject([notice]);
      expect(first.outbox.report().pending).toBe(0);
      await first.outbox.stop();
      const second = await startOutbox({ storage: first.storage });
      expect(second.outbox.conflicts()).toMatchObject([notice]);
      await second.outbox.discard(mutation.id);
      expect([second.outbox.conflicts(), await second.storage.load(), second.sent]).toEqual([[], [], []]);
    });

    it("guests with a check get another one if this one was opened offline [CLIENT-116]", async () => {
      const { outbox, sent, reject, acknowledge } = await startOutbox({ online: false });
      await outbox.add(edit("A", null, before)).stored;
      outbox.resume();
      await expect.poll(() => sent.length).toBe(1);
      reject(sent[0], { errorCode: "PARTY_SEATED", error: "these guests sit already", existing });
      await expect.poll(() => sent[1]).toMatchObject({ additionalCheck: true });
      acknowledge(sent[1], 1, 1);
      expect(outbox.conflicts()).toMatchObject([{ isNotice: true, refusal: { errorCode: "PARTY_SEATED", existing } }]);
    });

    it("a check opened online on an occupied table is a conflict with the check there [CLIENT-116]", async () => {
      const { outbox, sent, reject } = await startOutbox();
      const mutation = outbox.add(edit("A", null, before));
      await mutation.stored;
      reject(sent[0], refusal);
      expect(await mutation.outcome).toMatchObject({
        state: "refused",
        conflict: { isNotice: false, refusal: { existing } },
      });
    });
  });

  it("mutations of one ticket or one product are sent in order, others meanwhile [CLIENT-117]", async () => {
    const { outbox, sent, acknowledge } = await startOutbox();
    const seen = (kitchenTicketId: string) => ({ type: "KITCHEN_SEEN", kitchenTicketId, stationId: "s" }) as const;
    const served = { type: "KITCHEN_SERVED", kitchenTicketId: "one" } as const;
    const out = { type: "ITEM_STATE_SET", productId: 7, state: "out" } as const;
    const all = [seen("one"), served, seen("two"), out, { ...out, state: "available" } as const];
    await Promise.all(all.map((intent) => outbox.add(intent).stored));
    expect(sent).toMatchObject([seen("one"), seen("two"), out]);
    acknowledge(sent[0], 1);
    outbox.acknowledge({
      type: "ITEM_STATE_ACK",
      mutationId: sent[2]?.mutationId ?? "",
      productId: 7,
      state: "out",
      seq: 0,
    });
    await expect.poll(() => sent.slice(3)).toMatchObject([served, { ...out, state: "available" }]);
  });

  describe("mutations of a ticket", () => {
    const seen = (kitchenTicketId: string) => ({ type: "KITCHEN_SEEN", kitchenTicketId, stationId: "s" }) as const;
    const send = (posReference: string) => ({ type: "ORDER_SEND", posReference }) as const;
    const tickets = { grill: ["A", "B"], bar: ["A"] };

    it("mutations of a ticket wait for those of its checks, and the reverse, but not for other tickets [CLIENT-117]", async () => {
      const { outbox, sent, acknowledge } = await startOutbox({ tickets, online: false });
      const all = [send("A"), send("A"), seen("grill"), seen("bar"), send("B"), send("C")];
      await Promise.all(all.map((intent) => outbox.add(intent).stored));
      outbox.resume();
      await expect.poll(() => sent).toMatchObject([send("A"), send("C")]);
      acknowledge(sent[0], 1);
      await expect.poll(() => sent.slice(2)).toMatchObject([send("A")]);
      acknowledge(sent[2], 2);
      await expect.poll(() => sent.slice(3)).toMatchObject([seen("grill"), seen("bar")]);
      acknowledge(sent[3], 3);
      await expect.poll(() => sent.slice(5)).toMatchObject([send("B")]);
    });

    it("a mutation of a ticket that needs a decision holds up no check [CLIENT-117]", async () => {
      const { outbox, sent, reject } = await startOutbox({ tickets });
      const refused = outbox.add(seen("grill"));
      await refused.stored;
      reject(sent[0], { errorCode: "NOT_FOUND" });
      outbox.add(seen("grill"));
      await outbox.add(send("A")).stored;
      expect(sent.slice(1)).toMatchObject([send("A")]);
      expect(outbox.conflicts()).toMatchObject([{ id: refused.id, behind: [seen("grill")] }]);
    });

    it("a mutation of a ticket is listed behind the refused change of its check [CLIENT-148]", async () => {
      const { outbox, sent, acknowledge, reject } = await startOutbox({ tickets });
      await outbox.add(send("A")).stored;
      reject(sent[0], { errorCode: "VALIDATION_ERROR" });
      for (const intent of [seen("grill"), send("B")]) await outbox.add(intent).stored;
      expect(outbox.conflicts()).toMatchObject([{ behind: [seen("grill")] }]);
      expect(sent.slice(1)).toMatchObject([send("B")]);
      acknowledge(sent[1], 1);
      await outbox.idle();
    });
  });

  describe("queued kitchen actions", () => {
    const bump = (shownQuantity: number, preparedQuantity: number, lineId = "soup") =>
      ({ type: "KITCHEN_BUMP", kitchenTicketId: "grill", lineId, shownQuantity, preparedQuantity }) as const;
    const served: Intent = {
      type: "KITCHEN_SERVED",
      kitchenTicketId: "grill",
      lineIds: ["soup"],
      onlyReady: true,
    };
    const seen = { type: "KITCHEN_SEEN", kitchenTicketId: "grill", stationId: "s" } as const;
    const first = (priority: boolean, kitchenTicketId = "grill") =>
      ({ type: "KITCHEN_PRIORITY", kitchenTicketId, priority }) as const;

    async function sentAfter(acts: readonly Intent[]): Promise<Partial<MutationMessage>[]> {
      const storage = memoryStorage();
      const first = await startOutbox({ storage, online: false });
      await Promise.all(acts.map((intent) => first.outbox.add(intent).stored));
      await first.outbox.stop();
      const { outbox, sent, acknowledge } = await startOutbox({ storage });
      for (let at = 0; outbox.report().pending > 0; at += 1) {
        await expect.poll(() => sent.length).toBeGreaterThan(at);
        acknowledge(sent[at], at + 1);
      }
      return sent;
    }

    it("an unsent kitchen action and a later one on its result are joined into one [CLIENT-606]", async () => {
      expect(await sentAfter([bump(0, 2), seen, bump(2, 1)])).toMatchObject([bump(0, 1), seen]);
      const started = { ...bump(0, 0), kitchenItemStatus: "preparing" };
      expect(await sentAfter([started, bump(0, 1), bump(1, 2)])).toMatchObject([bump(0, 2)]);
    });

    it("an unsent kitchen action and a later one that undoes it cancel out [CLIENT-606]", async () => {
      const all = [bump(0, 2), bump(0, 1, "beer"), bump(2, 0), bump(1, 0, "beer")];
      expect(await sentAfter(all)).toEqual([]);
      expect(await sentAfter([served, { ...served, undo: true }])).toEqual([]);
      expect(await sentAfter([first(true), first(false)])).toEqual([]);
      expect(await sentAfter([first(true), first(false), first(true)])).toMatchObject([first(true)]);
    });

    it("kitchen actions stay separate if they differ in subject, or the hub may have the first [CLIENT-606]", async () => {
      const apart = [bump(0, 2), bump(0, 1, "beer"), { ...bump(2, 0), kitchenTicketId: "bar" }];
      expect(await sentAfter(apart)).toHaveLength(3);
      expect(await sentAfter([first(true), first(false, "bar"), bump(0, 2)])).toHaveLength(3);
      const checkWith = (posReference: string, shownQuantity: number, preparedQuantity: number) =>
        ({ type: "KITCHEN_BUMP", posReference, lineId: "soup", shownQuantity, preparedQuantity }) as const;
      expect(await sentAfter([checkWith("A", 0, 2), checkWith("B", 2, 0)])).toHaveLength(2);
      const { heldBy, ...whole } = { ...served, heldBy: "A" };
      expect(
        await sentAfter([
          { ...whole, heldBy },
          { ...whole, undo: true },
        ]),
      ).toHaveLength(2);
      expect(await sentAfter([bump(0, 2), served, bump(2, 0)])).toMatchObject([bump(0, 2), served, bump(2, 0)]);
      const { outbox, sent, acknowledge } = await startOutbox();
      await outbox.add(bump(0, 2)).stored;
      outbox.pause();
      await outbox.add(bump(2, 0)).stored;
      outbox.resume();
      acknowledge(sent[1], 1);
      await expect.poll(() => sent.slice(1)).toMatchObject([bump(0, 2), bump(2, 0)]);
    });

    it("kitchen actions stay separate if the first needs a decision [CLIENT-606]", async () => {
      const { outbox, sent, reject } = await startOutbox();
      const refused = outbox.add(bump(0, 2));
      await refused.stored;
      reject(sent[0], { errorCode: "FORBIDDEN" });
      await outbox.add(bump(2, 0)).stored;
      expect(outbox.conflicts()).toMatchObject([{ id: refused.id }]);
      expect(outbox.entries()).toMatchObject([{ intent: bump(0, 2) }, { intent: bump(2, 0) }]);
    });

    it("joined kitchen actions settle together [CLIENT-606]", async () => {
      const { outbox, sent, acknowledge } = await startOutbox({ online: false });
      const [ready, less] = [outbox.add(bump(0, 2)), outbox.add(bump(2, 1))];
      expect(outbox.report().pending).toBe(1);
      await less.stored;
      outbox.resume();
      await expect.poll(() => sent.length).toBe(1);
      acknowledge(sent[0], 1);
      expect(await Promise.all([ready.outcome, less.outcome])).toMatchObject(Array(2).fill({ state: "acknowledged" }));
      outbox.pause();
      const [again, undone] = [outbox.add(bump(1, 2)), outbox.add(bump(2, 1))];
      await undone.stored;
      expect(await Promise.all([again.outcome, undone.outcome])).toEqual(Array(2).fill({ state: "discarded" }));
      await outbox.idle();
    });
  });

  it("the outbox refuses what the hub could never accept [CLIENT-45]", async () => {
    const { outbox } = await startOutbox();
    const notes = "x".repeat(1_001);
    expect(() => outbox.add(edit("A", null, { notes }))).toThrow(/notes/);
    const heavy = { ...before, history: "x".repeat(1_100_000) };
    expect(() => outbox.add(edit("A", null, heavy))).toThrow(/1 MiB/);
    expect(outbox.report()).toMatchObject({ pending: 0, oldestAt: null });
  });

  it("a mutation no longer waits for effects from before the fork [CLIENT-46]", async () => {
    const { outbox, sent, acknowledge } = await startOutbox();
    await outbox.add(edit("A", null, before)).stored;
    acknowledge(sent[0], 1, 900);
    expect(outbox.entriesOf("A").length).toBe(1);
    outbox.hubChanged("earlier_state");
    expect(outbox.entriesOf("A")).toEqual([]);
  });

  it.each(["other_hub", "earlier_state"] as const)(
    "a refusal names what happened between a change and its answer: %s [CLIENT-241]",
    async (after) => {
      const { outbox, sent, reject } = await startOutbox();
      await outbox.add({ type: "ORDER_CHECKOUT", posReference: "A", seenVersion: 3 } as OutboxEntry["intent"]).stored;
      outbox.hubChanged(after);
      reject(sent[0], { errorCode: "NOT_FOUND" });
      expect(outbox.conflicts()).toMatchObject([{ refusal: { errorCode: "NOT_FOUND", after } }]);
      // For later mutations, the refusal is due to other writers.
      await outbox.add({ type: "ORDER_CHECKOUT", posReference: "B", seenVersion: 3 } as OutboxEntry["intent"]).stored;
      reject(sent.at(-1), { errorCode: "NOT_FOUND" });
      expect(outbox.conflicts()[1]?.refusal.after).toBeUndefined();
    },
  );

  it("a batch keeps its place among the mutations of all its orders [CLIENT-33]", async () => {
    const stored: OutboxEntry[] = [
      entry({ type: "ORDER_SEND", posReference: "A" }),
      entry({
        type: "ORDER_BATCH",
        orders: [
          { posReference: "A", base: before, next: content([]) },
          { posReference: "B", base: null, next: before },
        ],
      }),
      entry({ type: "ORDER_SEND", posReference: "B" }),
    ];
    const storage = memoryStorage();
    for (const each of stored) await storage.put(each);
    const { outbox, sent, acknowledge, hubHas } = await startOutbox({ storage, online: false });
    hubHas("A", 1, before);
    outbox.resume();
    await expect.poll(() => sent.map((each) => each.type)).toEqual(["ORDER_SEND"]);
    acknowledge(sent[0], 2);
    await expect.poll(() => sent.map((each) => each.type)).toEqual(["ORDER_SEND", "ORDER_BATCH"]);
  });
});

describe("the pace of the outbox", () => {
  const { burst, perSecond } = messageBudgets.mutation;

  it.each([
    [1_000, 10],
    [5_000, 10],
    [200, 60_000],
    [20, 240_000],
  ])(
    "%i mutations with notes of %i characters are sent without one that the hub would refuse [CLIENT-99]",
    async (count, length) => {
      const next = { ...before, extra: "n".repeat(length) };
      const entries = Array.from({ length: count }, (_, n) => {
        const change = { posReference: `A/${n}`, base: null, next };
        return entry({ type: "ORDER_UPSERT", ...change });
      });
      const storage = memoryStorage();
      for (const each of entries) await storage.put(each);
      const { outbox, sent, world, acknowledge } = await startOutbox({ storage, online: false });
      const budgets = sessionBudgets(perSecond);
      const hub = createTokenBucket(budgets.mutations, world.clock.monotonic);
      const bytes = createTokenBucket(budgets.bytes, world.clock.monotonic);
      outbox.limitRate(perSecond);
      outbox.resume();
      let answered = 0;
      for (let ms = 0; answered < count && ms < 100_000; ms += 25) {
        for (; answered < sent.length; answered += 1) {
          expect([hub.take(), bytes.take(JSON.stringify(sent[answered]).length)]).toEqual([true, true]);
          acknowledge(sent[answered], 1);
          await Promise.resolve();
        }
        await Promise.resolve();
        world.advance(25);
      }
      expect(answered).toBe(count);
      expect(outbox.report().pending).toBe(0);
    },
  );

  it("the pace does not slow down for a hub without a limit, and starts over with each session [CLIENT-99]", async () => {
    const { outbox, sent, world, acknowledge } = await startOutbox();
    const fill = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n += 1) {
        const mutation = outbox.add({
          type: "KITCHEN_SEEN",
          kitchenTicketId: `t/${sent.length}`,
          stationId: "s",
        });
        await mutation.stored;
        acknowledge(sent.at(-1), 1);
      }
    };
    await fill(burst + 100);
    expect(sent).toHaveLength(burst + 100);
    outbox.limitRate(perSecond);
    await fill(burst);
    expect(sent).toHaveLength(burst + 100 + burst * 0.8);
    outbox.pause();
    outbox.limitRate(perSecond);
    outbox.resume();
    world.advance(0);
    expect(sent.length).toBeGreaterThan(burst + 100 + burst * 0.8);
  });

  it("mutations held back by the rate limit are sent when it allows them [CLIENT-149]", async () => {
    const { outbox, sent, world } = await startOutbox();
    outbox.limitRate(1);
    // The budget of one burst, plus one.
    for (let n = 0; n < 9; n += 1) await outbox.add(edit(`A/${n}`, null, before)).stored;
    expect(sent).toHaveLength(8);
    world.advance(1_180);
    world.slowDown(30);
    outbox.resume();
    world.slowDown(0);
    world.advance(2_000);
    expect(sent).toHaveLength(9);
  });

  it("a mutation refused by the rate limit is sent again, and the rest is held back [CLIENT-102]", async () => {
    const { outbox, sent, world, reject, acknowledge, conflicts } = await startOutbox();
    outbox.limitRate(perSecond);
    const seen = { type: "KITCHEN_SEEN", stationId: "s" } as const;
    await outbox.add({ ...seen, kitchenTicketId: "A" }).stored;
    reject(sent[0], { errorCode: "RATE_LIMITED", retryable: true });
    await outbox.add({ ...seen, kitchenTicketId: "B" }).stored;
    expect(sent).toHaveLength(1);
    world.advance(20);
    expect(sent).toHaveLength(2);
    world.advance(20_000);
    expect(sent[2]).toEqual(sent[0]);
    for (const message of sent.slice(1)) acknowledge(message, 1);
    expect(conflicts).toEqual([]);
    expect(outbox.report().pending).toBe(0);
  });

  it("a mutation with invalid texts or numbers is refused when it is queued [CLIENT-103]", async () => {
    const { outbox } = await startOutbox();
    const open = (over: OrderContent) =>
      outbox.add({ type: "ORDER_UPSERT", posReference: "A", base: null, next: { ...before, ...over } });
    expect(() => open({ custom: { name: "\u001b[2J" } })).toThrow("snapshot.custom.name");
    expect(() => open({ notes: "a\rb" })).toThrow("snapshot.notes");
    expect(() => open({ custom: { points: Number.POSITIVE_INFINITY } })).toThrow("snapshot.custom.points");
    expect(() => open({ lines: [{ ...soup, quantity: 100_001 }] })).toThrow("snapshot.lines.0.quantity");
    expect(outbox.report().pending).toBe(0);
  });
});
