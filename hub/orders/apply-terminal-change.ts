import { hubSentence, type OrderMutation, hubLimits } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import { isoTime } from "../platform/world.ts";
import { actingWriter } from "./mutations/acting-writer.ts";
import { carryOutMutation } from "./mutations/carry-out-mutation.ts";
import type { CreditAnswers } from "./payments/credit-rules.ts";
import { keepRefusedChange, refusalOfKept } from "./kept-changes/keep-change.ts";
import { isPayment, keepRefusedPayment } from "./payments/keep-payment.ts";
import { mutationDigest } from "./mutations/mutation-digest.ts";
import type { MutationAnswer } from "./store/mutation-store.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import { posReferenceOf, RefusedMutation } from "./rulebook/refused-mutation.ts";
import { stateOf } from "./payments/take-money.ts";

/**
 * Carries a terminal's mutation out once; the same mutation again gets the first answer. Resolves when durable; rejects
 * with a RefusedMutation, having changed nothing but, for a payment, the keeping of its money, and for what came with a
 * revoked token the keeping of the change.
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
  const digest = mutationDigest(mutation);
  const asked = deps.askCredit(mutation);
  // Without a question the write begins at once: mutations of one order are carried out as they came.
  const credit: CreditAnswers = asked === null ? new Map() : await asked;
  const outcome = await deps.changes.write((tx): MutationAnswer | RefusedMutation => {
    const known = deps.mutations.find(mutation.mutationId);
    if (known !== null) {
      if (known.digest === digest || known.digest === null) return { ...known.answer, duplicate: true };
      throw refused(mutation, new HubError("VALIDATION_ERROR", "mutationId: was used before for another change"));
    }
    const kept = deps.keptChanges.find(mutation.mutationId);
    const decided = kept === null ? null : refusalOfKept(kept, digest);
    if (decided !== null) throw refused(mutation, decided);
    // Longer ago than carried-out mutations are remembered.
    if (kept?.settledHow === "applied") return { mutationId: mutation.mutationId, duplicate: true };
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
      const answer: MutationAnswer =
        applied === null
          ? carryOutMutation(deps, tx, mutation, { writer, queuedAtMs, credit })
          : { mutationId: mutation.mutationId, ...stateOf(deps, applied), duplicate: true };
      if (mutation.approval !== undefined) deps.people.noteApproved(mutation.approval, mutation.mutationId);
      deps.mutations.remember(mutation.mutationId, digest, answer, tx.now);
      if (kept !== null) settleLater(deps, tx, kept.id, writer);
      return answer;
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      if (revoked !== undefined) tellOfRevoked(deps, tx, revoked, mutation, writer);
      if (isPayment(mutation)) {
        // Its tokens are stored nowhere.
        const unsigned = { ...mutation, actor: undefined, approval: undefined };
        const payment = queuedAtMs === null ? unsigned : { ...unsigned, queuedAt: isoTime(queuedAtMs) };
        // The rules of a payment decide before its first row is written, so keeping the money here undoes nothing.
        if (!keepRefusedPayment(deps, tx, payment, writer, error)) throw refused(mutation, error);
        return refused(mutation, error, true);
      }
      if (revoked === undefined) throw refused(mutation, error, kept !== null);
      // Nothing was tried with a token that was revoked, so keeping it here undoes nothing.
      const queuedBy = { writer, refusal: error, queuedAtMs, digest };
      return refused(mutation, error, kept !== null || keepRefusedChange(deps, tx, mutation, queuedBy));
    }
  });
  if (outcome instanceof RefusedMutation) throw outcome;
  return outcome;
}

/** Tells managers, once for each token, that something came with it after it was revoked. */
function tellOfRevoked(deps: OrderDeps, tx: Tx, token: string, mutation: OrderMutation, writer: Writer): void {
  if (!deps.people.noteRevokedUse(token)) return;
  const { userName, terminalId } = writer;
  const posReference = posReferenceOf(mutation);
  const detail = { userName, terminalId, ...(posReference !== undefined && { posReference }) };
  tx.notify(["terminals"], { kind: "actor_revoked", level: "bad", detail });
}

/** Whether it may have been carried out and forgotten since. What the hub still remembers was not, however old. */
function mayBeForgotten(deps: OrderDeps, tx: Tx, queuedAtMs: number): boolean {
  const isOld = tx.now - queuedAtMs > hubLimits.mutationMemoryMs;
  return isOld && queuedAtMs < deps.mutations.reachesBackTo();
}

/** What was kept is done after all, by its person or by whoever answers for them. */
function settleLater(deps: OrderDeps, tx: Tx, id: number, { userName: by }: Writer): void {
  deps.keptChanges.settle(tx, id, { how: "applied", by, note: hubSentence("note_applied_later") });
  tx.notify(["kept_changes"]);
}

function refused(mutation: OrderMutation, refusal: HubError, isKept = false): RefusedMutation {
  return new RefusedMutation(posReferenceOf(mutation), refusal, isKept);
}
