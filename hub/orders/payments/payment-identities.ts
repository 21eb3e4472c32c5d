import type { Snapshot, TerminalMessageOf } from "@comanda/protocol";
import { paymentsIn } from "@comanda/rules";
import type { Db } from "../../db/open.ts";
import { soundRow } from "../../db/integrity/sealed-tables.ts";
import { HubError } from "../../platform/errors.ts";

/** A mutation with a payment for a check. */
export type PaymentMutation = TerminalMessageOf<"ORDER_PAY"> | TerminalMessageOf<"ORDER_TENDER">;

/** Returns the id that a payment keeps across retries. Older clients do not send one, so their mutation id is used. */
export function identityOf(mutation: PaymentMutation): string {
  if (mutation.type === "ORDER_TENDER") return mutation.tenderId;
  return mutation.paymentId ?? mutation.mutationId;
}

/** Returns the ids under which a payment may be kept: an older terminal version may have sent it without an identity. */
export function identitiesOf(mutation: PaymentMutation): string[] {
  return [...new Set([identityOf(mutation), mutation.mutationId])];
}

export type PaymentIdentities = ReturnType<typeof createPaymentIdentities>;

/** Stores which payments were applied, and to which order. */
export function createPaymentIdentities(db: Db) {
  const get = db.prepare<[string], { posReference: string; content: string | null; isSound: 0 | 1 }>(`
    SELECT pos_reference AS posReference, content, ${soundRow(db, "payment_identities")} AS isSound
    FROM payment_identities WHERE identity = ?`);
  const insert = db.prepare<{ identity: string; posReference: string; content: string | null }>(`
    INSERT INTO payment_identities (identity, pos_reference, content) VALUES (@identity, @posReference, @content)
    ON CONFLICT (identity) DO NOTHING`);

  return {
    findOrder: (identity: string): string | null => get.get(identity)?.posReference ?? null,

    /** Returns the order that this payment was applied to, or null. Throws VALIDATION_ERROR if another payment has its id. */
    findAppliedOrder(mutation: PaymentMutation): string | null {
      const stored = get.get(identityOf(mutation));
      if (stored === undefined) return null;
      // Even a damaged row proves that the payment was applied, so it is not applied twice.
      if (stored.isSound === 0) return mutation.posReference;
      const isSame =
        stored.posReference === mutation.posReference &&
        (stored.content === null || stored.content === contentOf(mutation));
      if (isSame) return stored.posReference;
      const field = mutation.type === "ORDER_TENDER" ? "tenderId" : "paymentId";
      throw new HubError("VALIDATION_ERROR", `${field}: was used before for another payment`);
    },

    record(mutation: PaymentMutation): void {
      const { posReference } = mutation;
      insert.run({ identity: identityOf(mutation), posReference, content: contentOf(mutation) });
    },

    /** Records the tenders of an order that was recovered with them. */
    recordTenders(posReference: string, tenders: NonNullable<Snapshot["tenders"]>): void {
      for (const { tenderId } of tenders) insert.run({ identity: tenderId, posReference, content: null });
    },
    /** Records the ORDER_PAY that settled a recovered order. */
    recordPayment: (posReference: string, paymentId: string): void =>
      void insert.run({ identity: paymentId, posReference, content: null }),
  };
}

function contentOf(mutation: PaymentMutation): string {
  return JSON.stringify(paymentsIn(mutation).map(({ methodId, amount }) => [methodId, amount]));
}
