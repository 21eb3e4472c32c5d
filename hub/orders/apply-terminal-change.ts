import { sentence, type OrderMutation, hubLimits } from "@comanda/protocol";
import type { ChangeLog } from "../changes/change-log.ts";
import type { Tx } from "../changes/change.ts";
import type { People } from "../people/people.ts";
import { HubError } from "../platform/errors.ts";
import { isoTime, type World } from "../platform/world.ts";
import { actingWriter } from "./mutations/acting-writer.ts";
import type { CarryOut } from "./mutations/carry-out-mutation.ts";
import type { CreditAnswers } from "./payments/credit-rules.ts";
import { keepRefusedChange, refusalOfSettled } from "./kept-changes/keep-change.ts";
import { isPayment } from "./payments/keep-payment.ts";
import { mutationDigest } from "./mutations/mutation-digest.ts";
import type { MutationAnswer, MutationStore } from "./store/mutation-store.ts";
import type { PaymentMutation } from "./payments/payment-identities.ts";
import type { KeptChangeStore } from "./kept-changes/kept-change-store.ts";
import type { Payments } from "./payments/payments.ts";
import { CountSaved } from "../till/count-shift.ts";
import type { Writer } from "./writer.ts";
import { posReferenceOf, RefusedMutation } from "./rulebook/refused-mutation.ts";

export type ApplyTerminalChange = ReturnType<typeof createTerminalChanges>;

/** Applies mutations of terminals, each once and in the name of its author. */
export function createTerminalChanges(deps: {
  world: World;
  changes: ChangeLog;
  mutations: MutationStore;
  keptChanges: KeptChangeStore;
  people: People;
  payments: Payments;
  carryOut: CarryOut;
  /** Asks the back-office about the credit that a mutation uses; null if it uses none or was already applied. */
  askCredit(mutation: OrderMutation): Promise<CreditAnswers> | null;
}) {
  const { world, changes, mutations, keptChanges, people, payments, carryOut } = deps;

  /** Notifies managers, once per token, that a mutation arrived with a revoked token. */
  function reportRevoked(tx: Tx, token: string, mutation: OrderMutation, { userName, terminalId }: Writer): void {
    if (!people.noteRevokedUse(token)) return;
    const posReference = posReferenceOf(mutation);
    const detail = { userName, terminalId, ...(posReference !== undefined && { posReference }) };
    tx.notify(["terminals"], { kind: "actor_revoked", level: "bad", detail });
  }

  /** Whether the mutation may have been applied and its answer pruned: it is older than all stored answers. */
  function mayBeForgotten(tx: Tx, queuedAtMs: number): boolean {
    const isOld = tx.now - queuedAtMs > hubLimits.mutationMemoryMs;
    return isOld && queuedAtMs < mutations.reachesBackTo();
  }

  /** Binds the approval to this mutation, so that it cannot approve another. */
  function noteApproval({ approval, mutationId }: OrderMutation): void {
    if (approval !== undefined) people.noteApproved(approval, mutationId);
  }

  /** Settles a kept change that was applied after all when its terminal sent it again. */
  function settleLater(tx: Tx, id: number, { userName: by }: Writer): void {
    keptChanges.settle(tx, id, { how: "applied", by, note: sentence("note_applied_later") });
    tx.notify(["kept_changes"]);
  }

  function keepPayment(
    tx: Tx,
    mutation: PaymentMutation,
    { writer, refusal, queuedAtMs }: { writer: Writer; refusal: HubError; queuedAtMs: number | null },
  ): boolean {
    // Tokens are never stored.
    const unsigned = { ...mutation, actor: undefined, approval: undefined };
    const payment = queuedAtMs === null ? unsigned : { ...unsigned, queuedAt: isoTime(queuedAtMs) };
    return payments.keepRefused(tx, payment, writer, refusal);
  }

  /**
   * Applies a terminal's mutation once and resolves when it is durable; a repeated mutation gets the first answer. Rejects
   * with a RefusedMutation and changes nothing, except that a refused payment, or a change that came with a revoked token,
   * may be kept for a manager. Mutation ids are case-insensitive; the answer repeats the id as it was sent. `session` is the
   * signed-in user. `queued.at` is when the terminal queued the mutation, in ms of the hub's monotonic clock, so that a jump of
   * the wall clock does not change its age; null if unknown. `queued.notBefore` (ms since 1970) is the earliest possible time.
   */
  return async function applyTerminalChange(
    sent: OrderMutation,
    session: Writer,
    queued: { at: number | null; notBefore?: number },
  ): Promise<MutationAnswer> {
    const mutation = { ...sent, mutationId: sent.mutationId.toLowerCase() };
    const digest = mutationDigest(mutation);
    const creditAnswers = deps.askCredit(mutation);
    // Without a credit question the write starts immediately, so that mutations of one order keep their order.
    const credit: CreditAnswers = creditAnswers === null ? new Map() : await creditAnswers;
    const outcome = await changes.write((tx): MutationAnswer | RefusedMutation => {
      const previous = mutations.find(mutation.mutationId);
      if (previous !== null) {
        if (previous.digest === digest || previous.digest === null) return { ...previous.answer, duplicate: true };
        throw refused(mutation, new HubError("VALIDATION_ERROR", "mutationId: was used before for another change"));
      }
      const keptChange = keptChanges.findByMutation(mutation.mutationId);
      const decided = keptChange === null ? null : refusalOfSettled(keptChange, digest);
      if (decided !== null) throw refused(mutation, decided);
      // Applied so long ago that its answer is no longer stored.
      if (keptChange?.settledHow === "applied") return { mutationId: mutation.mutationId, duplicate: true };
      const queuedAtMs =
        queued.at === null ? null : Math.round(tx.now - Math.max(0, world.clock.monotonic() - queued.at));
      const ageMs = tx.now - Math.max(queuedAtMs ?? tx.now, queued.notBefore ?? 0);
      const { writer: actor, refusal: unproven, revoked } = actingWriter(people, session, mutation, ageMs);
      const writer: Writer = { ...actor, queuedAt: queuedAtMs };
      try {
        const applied = isPayment(mutation) ? payments.stateOfApplied(mutation) : null;
        if (applied === null && unproven !== null) throw unproven;
        if (applied === null && queuedAtMs !== null && mayBeForgotten(tx, queuedAtMs)) {
          throw new HubError(
            "MUTATION_TOO_OLD",
            "this change was queued too long ago: the hub can no longer tell whether it was already applied",
          );
        }
        const answer: MutationAnswer =
          applied === null
            ? carryOut(tx, mutation, { writer, queuedAtMs, credit })
            : { mutationId: mutation.mutationId, ...applied, duplicate: true };
        noteApproval(mutation);
        mutations.remember(mutation.mutationId, digest, answer, tx.now);
        if (keptChange !== null) settleLater(tx, keptChange.id, writer);
        return answer;
      } catch (error) {
        if (!(error instanceof HubError)) throw error;
        // Returns instead of throwing, so that the write is kept: the count is stored although the shift is not closed.
        if (error instanceof CountSaved) {
          noteApproval(mutation);
          return refused(mutation, error);
        }
        if (revoked !== undefined) reportRevoked(tx, revoked, mutation, writer);
        const queuedBy = { writer, refusal: error, queuedAtMs, digest };
        if (isPayment(mutation)) {
          // Payment rules decide before any row is written, so the payment can be kept in this write.
          if (!keepPayment(tx, mutation, queuedBy)) throw refused(mutation, error);
          return refused(mutation, error, true);
        }
        if (revoked === undefined) throw refused(mutation, error, keptChange !== null);
        // A mutation with a revoked token writes nothing, so it can be kept in this write.
        return refused(mutation, error, keptChange !== null || keepRefusedChange(keptChanges, tx, sent, queuedBy));
      }
    });
    if (outcome instanceof RefusedMutation) throw outcome;
    return { ...outcome, mutationId: sent.mutationId };
  };
}

function refused(mutation: OrderMutation, refusal: HubError, isKept = false): RefusedMutation {
  return new RefusedMutation(posReferenceOf(mutation), refusal, isKept);
}
