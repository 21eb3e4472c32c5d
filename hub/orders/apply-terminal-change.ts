import { said, type OrderMutation, hubLimits } from "@comanda/protocol";
import type { ChangeLog } from "../changes/change-log.ts";
import type { Tx } from "../changes/change.ts";
import type { People } from "../people/people.ts";
import { HubError } from "../platform/errors.ts";
import { isoTime, type World } from "../platform/world.ts";
import { actingWriter } from "./mutations/acting-writer.ts";
import type { CarryOut } from "./mutations/carry-out-mutation.ts";
import type { CreditAnswers } from "./payments/credit-rules.ts";
import { keepRefusedChange, refusalOfKept } from "./kept-changes/keep-change.ts";
import { isPayment } from "./payments/keep-payment.ts";
import { mutationDigest } from "./mutations/mutation-digest.ts";
import type { MutationAnswer, MutationStore } from "./store/mutation-store.ts";
import type { PaymentMutation } from "./payments/payment-identities.ts";
import type { KeptChangeStore } from "./kept-changes/kept-change-store.ts";
import type { Payments } from "./payments/payments.ts";
import { CountKept } from "../till/count-shift.ts";
import type { Writer } from "./writer.ts";
import { posReferenceOf, RefusedMutation } from "./rulebook/refused-mutation.ts";

export type ApplyTerminalChange = ReturnType<typeof createTerminalChanges>;

/** What terminals ask for, carried out once and by whom. */
export function createTerminalChanges(deps: {
  world: World;
  changes: ChangeLog;
  mutations: MutationStore;
  keptChanges: KeptChangeStore;
  people: People;
  payments: Payments;
  carryOut: CarryOut;
  /** Asks the back-office about the credit that a mutation takes; null when it takes none, or was carried out before. */
  askCredit(mutation: OrderMutation): Promise<CreditAnswers> | null;
}) {
  const { world, changes, mutations, keptChanges, people, payments, carryOut } = deps;

  /** Tells managers, once for each token, that something came with it after it was revoked. */
  function tellOfRevoked(tx: Tx, token: string, mutation: OrderMutation, { userName, terminalId }: Writer): void {
    if (!people.noteRevokedUse(token)) return;
    const posReference = posReferenceOf(mutation);
    const detail = { userName, terminalId, ...(posReference !== undefined && { posReference }) };
    tx.notify(["terminals"], { kind: "actor_revoked", level: "bad", detail });
  }

  /** Whether it may have been carried out and forgotten since. What the hub still remembers was not, however old. */
  function mayBeForgotten(tx: Tx, queuedAtMs: number): boolean {
    const isOld = tx.now - queuedAtMs > hubLimits.mutationMemoryMs;
    return isOld && queuedAtMs < mutations.reachesBackTo();
  }

  /** What approved this counts for nothing else. */
  function noteApproval({ approval, mutationId }: OrderMutation): void {
    if (approval !== undefined) people.noteApproved(approval, mutationId);
  }

  /** What was kept is done after all, by its person or by somebody who answers for them. */
  function settleLater(tx: Tx, id: number, { userName: by }: Writer): void {
    keptChanges.settle(tx, id, { how: "applied", by, note: said("note_applied_later") });
    tx.notify(["kept_changes"]);
  }

  function keepPayment(
    tx: Tx,
    mutation: PaymentMutation,
    { writer, refusal, queuedAtMs }: { writer: Writer; refusal: HubError; queuedAtMs: number | null },
  ): boolean {
    // Its tokens are stored nowhere.
    const unsigned = { ...mutation, actor: undefined, approval: undefined };
    const payment = queuedAtMs === null ? unsigned : { ...unsigned, queuedAt: isoTime(queuedAtMs) };
    return payments.keepRefused(tx, payment, writer, refusal);
  }

  /**
   * Carries a terminal's mutation out once; the same mutation again gets the first answer. Resolves when durable; rejects
   * with a RefusedMutation, having changed nothing but, for a payment, the keeping of its money, and for what came with a
   * revoked token the keeping of the change. A UUID is the same in capitals; the answer carries it as it came.
   * `session` is who is signed in; `queued.at` is when the terminal queued it, in ms by the hub's monotonic clock, so that its
   * age is the same if the wall clock jumps before the write; null when it did not say. Before `queued.notBefore` (ms since
   * 1970) it cannot have, whatever it says.
   */
  return async function applyTerminalChange(
    sent: OrderMutation,
    session: Writer,
    queued: { at: number | null; notBefore?: number },
  ): Promise<MutationAnswer> {
    const mutation = { ...sent, mutationId: sent.mutationId.toLowerCase() };
    const digest = mutationDigest(mutation);
    const asked = deps.askCredit(mutation);
    // Without a question the write begins at once: mutations of one order are carried out as they came.
    const credit: CreditAnswers = asked === null ? new Map() : await asked;
    const outcome = await changes.write((tx): MutationAnswer | RefusedMutation => {
      const known = mutations.find(mutation.mutationId);
      if (known !== null) {
        if (known.digest === digest || known.digest === null) return { ...known.answer, duplicate: true };
        throw refused(mutation, new HubError("VALIDATION_ERROR", "mutationId: was used before for another change"));
      }
      const kept = keptChanges.find(mutation.mutationId);
      const decided = kept === null ? null : refusalOfKept(kept, digest);
      if (decided !== null) throw refused(mutation, decided);
      // Longer ago than carried-out mutations are remembered.
      if (kept?.settledHow === "applied") return { mutationId: mutation.mutationId, duplicate: true };
      const queuedAtMs =
        queued.at === null ? null : Math.round(tx.now - Math.max(0, world.clock.monotonic() - queued.at));
      const ageMs = tx.now - Math.max(queuedAtMs ?? tx.now, queued.notBefore ?? 0);
      const { writer: actor, refusal: unproven, revoked } = actingWriter(people, session, mutation, ageMs);
      const writer: Writer = { ...actor, queuedAt: queuedAtMs };
      try {
        const applied = isPayment(mutation) ? payments.stateOfApplied(mutation) : null;
        if (applied === null && unproven !== null) throw unproven;
        if (applied === null && queuedAtMs !== null && mayBeForgotten(tx, queuedAtMs)) {
          throw new HubError("MUTATION_TOO_OLD", "queued longer ago than the hub remembers what it has carried out");
        }
        const answer: MutationAnswer =
          applied === null
            ? carryOut(tx, mutation, { writer, queuedAtMs, credit })
            : { mutationId: mutation.mutationId, ...applied, duplicate: true };
        noteApproval(mutation);
        mutations.remember(mutation.mutationId, digest, answer, tx.now);
        if (kept !== null) settleLater(tx, kept.id, writer);
        return answer;
      } catch (error) {
        if (!(error instanceof HubError)) throw error;
        // What it has written stays: a count that is not good enough is kept all the same, with who approved it.
        if (error instanceof CountKept) {
          noteApproval(mutation);
          return refused(mutation, error);
        }
        if (revoked !== undefined) tellOfRevoked(tx, revoked, mutation, writer);
        const queuedBy = { writer, refusal: error, queuedAtMs, digest };
        if (isPayment(mutation)) {
          // The rules of a payment decide before its first row is written, so keeping the money here undoes nothing.
          if (!keepPayment(tx, mutation, queuedBy)) throw refused(mutation, error);
          return refused(mutation, error, true);
        }
        if (revoked === undefined) throw refused(mutation, error, kept !== null);
        // Nothing was tried with a token that was revoked, so keeping it here undoes nothing.
        return refused(mutation, error, kept !== null || keepRefusedChange(keptChanges, tx, sent, queuedBy));
      }
    });
    if (outcome instanceof RefusedMutation) throw outcome;
    return { ...outcome, mutationId: sent.mutationId };
  };
}

function refused(mutation: OrderMutation, refusal: HubError, isKept = false): RefusedMutation {
  return new RefusedMutation(posReferenceOf(mutation), refusal, isKept);
}
