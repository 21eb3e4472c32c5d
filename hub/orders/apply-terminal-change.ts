import { hash } from "node:crypto";
import { type OrderMutation, terminalLimits } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import { isoTime } from "../platform/world.ts";
import { actingWriter } from "./acting-writer.ts";
import { applyMutation } from "./apply-mutation.ts";
import type { CreditAnswers } from "./credit-rules.ts";
import type { MutationAnswer } from "./mutation-store.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import { isPayment, keepRefusedPayment } from "./keep-payment.ts";
import { requireProduct } from "./order-guards.ts";
import { payOrder } from "./pay-order.ts";
import { RefusedMutation } from "./refused-mutation.ts";
import { stateOf, tenderOrder, voidTender } from "./tender-order.ts";

/**
 * Carries a terminal's mutation out once; the same mutation again gets the first answer. Resolves when durable; rejects
 * with a RefusedMutation, having changed nothing but, for a payment, the keeping of its money.
 * `session` is who is signed in; `queued.at` is when the terminal queued it, in ms by the hub's monotonic clock, so that its
 * age is the same if the wall clock jumps before the write; null when it did not say. Before `queued.notBefore` (ms since
 * 1970) it cannot have, whatever it says.
 */
export async function applyTerminalChange(
  deps: OrderDeps,
  mutation: OrderMutation,
  session: Writer,
  queued: { at: number | null; notBefore?: number },
): Promise<MutationAnswer> {
  const { requestId: _, queuedAt: __, actor: ___, approval: ____, ...content } = mutation;
  const digest = canonicalDigest(content);
  const asked = deps.askCredit(mutation);
  // Without a question the write begins at once: mutations of one order are carried out as they came.
  const credit: CreditAnswers = asked === null ? new Map() : await asked;
  const outcome = await deps.changes.write((tx): MutationAnswer | RefusedMutation => {
    const known = deps.mutations.find(mutation.mutationId);
    if (known !== null) {
      if (known.digest === digest || known.digest === null) return { ...known.answer, duplicate: true };
      throw refused(mutation, new HubError("VALIDATION_ERROR", "mutationId: was used before for another change"));
    }
    const queuedAtMs =
      queued.at === null ? null : Math.round(tx.now - Math.max(0, deps.world.clock.monotonic() - queued.at));
    const ageMs = tx.now - Math.max(queuedAtMs ?? tx.now, queued.notBefore ?? 0);
    const { writer, refusal: unproven, revoked } = actingWriter(deps.people, session, mutation, ageMs);
    try {
      const applied = isPayment(mutation) ? deps.paymentIdentities.orderOfApplied(mutation) : null;
      if (applied === null && unproven !== null) throw unproven;
      if (applied === null && queuedAtMs !== null && mayBeForgotten(deps, tx, queuedAtMs)) {
        throw new HubError("MUTATION_TOO_OLD", "queued longer ago than the hub remembers what it has carried out");
      }
      const answer: MutationAnswer = {
        mutationId: mutation.mutationId,
        ...(applied === null
          ? carryOut(deps, tx, mutation, writer, queuedAtMs, credit)
          : { ...stateOf(deps, applied), duplicate: true as const }),
      };
      notePeople(deps, mutation, answer, writer);
      if (mutation.approval !== undefined) deps.people.noteApproved(mutation.approval, mutation.mutationId);
      deps.mutations.remember(mutation.mutationId, digest, answer, tx.now);
      return answer;
    } catch (error) {
      const refusal = error instanceof HubError ? refused(mutation, error) : error;
      // The rules of a payment decide before its first row is written, so keeping the money here undoes nothing.
      if (!(error instanceof HubError)) throw refusal;
      const isTold = revoked !== undefined && tellOfRevoked(deps, tx, revoked, mutation, writer);
      if (!isPayment(mutation)) {
        if (isTold) return refused(mutation, error);
        throw refusal;
      }
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

/** Tells managers, once for each token, that something came with it after it was revoked: its device keeps it. */
function tellOfRevoked(deps: OrderDeps, tx: Tx, token: string, mutation: OrderMutation, writer: Writer): boolean {
  if (!deps.people.noteRevokedUse(token)) return false;
  const { userName, terminalId } = writer;
  const posReference = "posReference" in mutation ? mutation.posReference : undefined;
  const detail = { userName, terminalId, ...(posReference !== undefined && { posReference }) };
  tx.notify(["terminals"], { kind: "actor_revoked", level: "bad", detail });
  return true;
}

/** Whether it may have been carried out and forgotten since. What the hub still remembers was not, however old. */
function mayBeForgotten(deps: OrderDeps, tx: Tx, queuedAtMs: number): boolean {
  const isOld = tx.now - queuedAtMs > terminalLimits.mutationMemoryMs;
  return isOld && queuedAtMs < deps.mutations.reachesBackTo();
}

type WithoutId<A> = A extends unknown ? Omit<A, "mutationId"> : never;

function carryOut(
  deps: OrderDeps,
  tx: Tx,
  mutation: OrderMutation,
  writer: Writer,
  queuedAtMs: number | null,
  credit: CreditAnswers,
): WithoutId<MutationAnswer> {
  switch (mutation.type) {
    case "ORDER_PAY":
      return payOrder(deps, tx, mutation, writer, credit);
    case "ITEM_STATE_SET": {
      requireProduct(deps, mutation);
      const { seq, itemState } = deps.itemStates.set(tx, mutation);
      return { productId: itemState.productId, state: itemState.state, seq };
    }
    case "ORDER_TENDER":
      return tenderOrder(deps, tx, mutation, writer, credit);
    case "ORDER_TENDER_VOID":
      return voidTender(deps, tx, mutation, writer);
    case "ORDER_UPSERT":
    case "ORDER_BATCH":
    case "ORDER_CHECKOUT":
    case "ORDER_REOPEN":
    case "ORDER_DISCARD":
    case "ORDER_SEND":
    case "KITCHEN_SEEN":
    case "KITCHEN_BUMP":
    case "KITCHEN_SERVED":
      return applyMutation(deps, tx, mutation, writer, { queuedAt: queuedAtMs });
  }
}

/** What the written versions cannot say: who approved, and who discarded. */
function notePeople(deps: OrderDeps, { type }: OrderMutation, answer: MutationAnswer, writer: Writer): void {
  const { userName, approvedBy = null } = writer;
  if ((approvedBy === null && type !== "ORDER_DISCARD") || "productId" in answer) return;
  for (const { posReference, version } of answer.orders ?? [answer]) {
    if (posReference === undefined || version === undefined) continue;
    deps.versionPeople.save(posReference, { version, userName, approvedBy });
  }
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
