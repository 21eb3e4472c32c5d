import { hash } from "node:crypto";
import { type OrderMutation, terminalLimits } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { HubError, Refusal } from "../platform/errors.ts";
import { isoTime } from "../platform/world.ts";
import { actingWriter } from "./acting-writer.ts";
import { bumpOrder, markTicketSeen, sendOrder } from "./change-kitchen.ts";
import { checkOutOrder, discardOrder } from "./check-out-order.ts";
import { moveSentLines } from "./move-sent-lines.ts";
import type { MutationAnswer } from "./mutation-store.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import { keepRefusedPayment, payOrder } from "./pay-order.ts";
import type { Written } from "./save-version.ts";
import { upsertOrder } from "./upsert-order.ts";

/** A refusal with the reference of the order that was refused. */
export class RefusedMutation extends Refusal {
  override readonly name = "RefusedMutation";
  readonly posReference: string | undefined;
  readonly refusal: HubError;

  constructor(posReference: string | undefined, refusal: HubError) {
    super(refusal.message);
    this.posReference = posReference;
    this.refusal = refusal;
  }
}

/**
 * Carries a terminal's mutation out once; the same mutation again gets the first answer. Resolves when durable; rejects
 * with a RefusedMutation, having changed nothing but, for a payment, the keeping of its money.
 * `session` is who is signed in; `queuedAtMs` is when the terminal queued it, in ms since 1970 by the hub's clock; null when it did not say.
 */
export async function applyTerminalChange(
  deps: OrderDeps,
  mutation: OrderMutation,
  session: Writer,
  queuedAtMs: number | null,
): Promise<MutationAnswer> {
  const { requestId: _, queuedAt: __, actor: ___, approval: ____, ...content } = mutation;
  const digest = canonicalDigest(content);
  const outcome = await deps.changes.write((tx): MutationAnswer | RefusedMutation => {
    const known = deps.mutations.find(mutation.mutationId);
    if (known !== null) {
      if (known.digest === digest) return { ...known.answer, duplicate: true };
      throw refused(mutation, new HubError("VALIDATION_ERROR", "mutationId: was used before for another change"));
    }
    const { writer, refusal: unproven } = actingWriter(deps.people, session, mutation, tx.now - (queuedAtMs ?? tx.now));
    try {
      if (unproven !== null) throw unproven;
      if (queuedAtMs !== null && mayBeForgotten(deps, tx, queuedAtMs)) {
        throw new HubError("MUTATION_TOO_OLD", "queued longer ago than the hub remembers what it has carried out");
      }
      const answer: MutationAnswer = {
        mutationId: mutation.mutationId,
        ...carryOut(deps, tx, mutation, writer, queuedAtMs),
      };
      notePeople(deps, mutation, answer, writer);
      deps.mutations.remember(mutation.mutationId, digest, answer, tx.now);
      return answer;
    } catch (error) {
      const refusal = error instanceof HubError ? refused(mutation, error) : error;
      // The rules of a payment decide before its first row is written, so keeping the money here undoes nothing.
      if (!(error instanceof HubError) || mutation.type !== "ORDER_PAY") throw refusal;
      // Its tokens are stored nowhere.
      const unsigned = { ...mutation, actor: undefined, approval: undefined };
      const kept = queuedAtMs === null ? unsigned : { ...unsigned, queuedAt: isoTime(queuedAtMs) };
      if (!keepRefusedPayment(deps, tx, kept, writer, error)) throw refusal;
      return refused(mutation, error);
    }
  });
  if (outcome instanceof RefusedMutation) throw outcome;
  return outcome;
}

/** Whether it may have been carried out and forgotten since. What the hub still remembers was not, however old. */
function mayBeForgotten(deps: OrderDeps, tx: Tx, queuedAtMs: number): boolean {
  const isOld = tx.now - queuedAtMs > terminalLimits.mutationMemoryMs;
  return isOld && queuedAtMs < deps.mutations.reachesBackTo();
}

function carryOut(
  deps: OrderDeps,
  tx: Tx,
  mutation: OrderMutation,
  writer: Writer,
  queuedAtMs: number | null,
): Omit<MutationAnswer, "mutationId"> {
  switch (mutation.type) {
    case "ORDER_UPSERT":
      return upsertOrder(deps, tx, mutation, writer);
    case "ORDER_BATCH":
      return { orders: carryOutBatch(deps, tx, mutation.orders, writer) };
    case "ORDER_SEND":
      return sendOrder(deps, tx, mutation, writer, queuedAtMs);
    case "KITCHEN_SEEN":
      return markTicketSeen(deps, tx, mutation, writer);
    case "KITCHEN_BUMP":
      return bumpOrder(deps, tx, mutation, writer);
    case "ORDER_CHECKOUT":
    case "ORDER_REOPEN":
      return checkOutOrder(deps, tx, mutation, writer);
    case "ORDER_PAY":
      return payOrder(deps, tx, mutation, writer);
    case "ORDER_DISCARD":
      return discardOrder(deps, tx, mutation, writer);
    case "KITCHEN_SERVED":
    case "ITEM_STATE_SET":
    case "ORDER_TENDER":
    case "ORDER_TENDER_VOID":
      throw new HubError("UNKNOWN_TYPE", `${mutation.type} is not served yet`);
  }
}

/** What the written versions cannot say: who approved, and who discarded. */
function notePeople(deps: OrderDeps, { type }: OrderMutation, answer: MutationAnswer, writer: Writer): void {
  const { userName, approvedBy = null } = writer;
  if (approvedBy === null && type !== "ORDER_DISCARD") return;
  for (const { posReference, version } of answer.orders ?? [answer]) {
    if (posReference === undefined || version === undefined) continue;
    deps.versionPeople.save(posReference, { version, userName, approvedBy });
  }
}

type OrderWrite = Parameters<typeof upsertOrder>[2];

/** Split, merge, move: lines that the kitchen has may move from one order of the batch to another. */
function carryOutBatch(deps: OrderDeps, tx: Tx, orders: readonly OrderWrite[], writer: Writer): Written[] {
  const held = moveSentLines(
    orders.map(({ posReference, snapshot }) => ({
      stored: deps.orders.get(posReference)?.snapshot.lines ?? [],
      requested: snapshot.lines,
    })),
  );
  return orders.map((order, index) => {
    try {
      return upsertOrder(deps, tx, order, writer, held[index]);
    } catch (error) {
      throw error instanceof HubError ? new RefusedMutation(order.posReference, error) : error;
    }
  });
}

function refused(mutation: OrderMutation, refusal: HubError): RefusedMutation {
  return new RefusedMutation("posReference" in mutation ? mutation.posReference : undefined, refusal);
}

/** A digest of what a mutation asks for, the same whatever the order of its keys. */
function canonicalDigest(value: unknown): string {
  return hash("sha256", JSON.stringify(sorted(value)), "base64url");
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const keys = Object.keys(value).sort();
  return keys.map((key) => [key, sorted((value as Record<string, unknown>)[key])]);
}
