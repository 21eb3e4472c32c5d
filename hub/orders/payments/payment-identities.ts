import type { Snapshot, TerminalMessageOf } from "@comanda/protocol";
import { paymentsIn } from "@comanda/rules";
import type { Db } from "../../db/open.ts";
import { soundRow } from "../../db/integrity/sealed-tables.ts";
import { HubError } from "../../platform/errors.ts";

/** A mutation that brings money to a check. */
export type PaymentMutation = TerminalMessageOf<"ORDER_PAY"> | TerminalMessageOf<"ORDER_TENDER">;

/** What a payment is known by through every retry; an older client's has only its mutation. */
export function identityOf(mutation: PaymentMutation): string {
  if (mutation.type === "ORDER_TENDER") return mutation.tenderId;
  return mutation.paymentId ?? mutation.mutationId;
}

/** What it may be kept under: an older terminal brought the same mutation without an identity. */
export function identitiesOf(mutation: PaymentMutation): string[] {
  return [...new Set([identityOf(mutation), mutation.mutationId])];
}

export type PaymentIdentities = ReturnType<typeof createPaymentIdentities>;

/** Which payments were applied, and to which order. */
export function createPaymentIdentities(db: Db) {
  const get = db.prepare<[string], { posReference: string; content: string | null; isSound: 0 | 1 }>(`
    SELECT pos_reference AS posReference, content, ${soundRow(db, "payment_identities")} AS isSound
    FROM payment_identities WHERE identity = ?`);
  const insert = db.prepare<{ identity: string; posReference: string; content: string | null }>(`
    INSERT INTO payment_identities (identity, pos_reference, content) VALUES (@identity, @posReference, @content)
    ON CONFLICT (identity) DO NOTHING`);

  return {
    orderOf: (identity: string): string | null => get.get(identity)?.posReference ?? null,

    /** The order that this payment was applied to, or null. Refuses an identity that another payment has. */
    orderOfApplied(mutation: PaymentMutation): string | null {
      const known = get.get(identityOf(mutation));
      if (known === undefined) return null;
      // That it was applied is known all the same, and money is not taken twice.
      if (known.isSound === 0) return mutation.posReference;
      const isSame =
        known.posReference === mutation.posReference &&
        (known.content === null || known.content === contentOf(mutation));
      if (isSame) return known.posReference;
      const field = mutation.type === "ORDER_TENDER" ? "tenderId" : "paymentId";
      throw new HubError("VALIDATION_ERROR", `${field}: was used before for another payment`);
    },

    record(mutation: PaymentMutation): void {
      const { posReference } = mutation;
      insert.run({ identity: identityOf(mutation), posReference, content: contentOf(mutation) });
    },

    /** Of the tenders that an order comes with. */
    recordTenders(posReference: string, tenders: NonNullable<Snapshot["tenders"]>): void {
      for (const { tenderId } of tenders) insert.run({ identity: tenderId, posReference, content: null });
    },
    /** Of the ORDER_PAY that has settled an order which comes from elsewhere. */
    recordPayment: (posReference: string, paymentId: string): void =>
      void insert.run({ identity: paymentId, posReference, content: null }),
  };
}

function contentOf(mutation: PaymentMutation): string {
  return JSON.stringify(paymentsIn(mutation).map(({ methodId, amount }) => [methodId, amount]));
}
