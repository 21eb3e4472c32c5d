import { type AuditAction, type CreditNoteAnswer, isActive } from "@comanda/protocol";
import { BackOfficeError } from "../back-office/back-office-error.ts";
import type { BackOfficeClient } from "../back-office/client.ts";
import type { Identities } from "../back-office/identities.ts";
import { relayedRefusal } from "../back-office/relayed-refusal.ts";
import type { Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import type { NcfStore } from "../orders/payments/ncf-store.ts";
import { requireOrder } from "../orders/rulebook/order-guards.ts";
import type { OrderStore } from "../orders/store/order-store.ts";
import { HubError, explainedError } from "../platform/errors.ts";

/** The audit log's name for a credit note. */
export const CREDIT_NOTE_MADE = "order.credit_note";

function describeNote({ ncf, total, modifies }: CreditNoteAnswer): string {
  return `${ncf}, ${total}${modifies === undefined ? "" : `, modifies ${modifies}`}`;
}

/** The number and the total of a credit note in the audit log. */
export function readNote(text: string | null): { ncf: string; total: number } {
  const [ncf = "", total = ""] = text?.split(", ") ?? [];
  return { ncf, total: Number(total) };
}

/** The signed-in person who makes the note; `peer` is the address that the request comes from. */
export interface CreditNoteUser {
  userName: string;
  permissions: readonly string[];
  token: string;
  peer: string;
}

export type CreditNotes = ReturnType<typeof createCreditNotes>;

/** Credit notes for paid orders. The back-office makes them, with the person's own session, and decides. */
export function createCreditNotes(deps: {
  changes: ChangeLog;
  orders: OrderStore;
  ncfs: NcfStore;
  client: Pick<BackOfficeClient, "creditNote">;
  identities: Pick<Identities, "useSession">;
  audit: { record(tx: Tx, userName: string, action: AuditAction, target: string, note?: string | null): void };
}) {
  const { changes, orders, ncfs, client, identities, audit } = deps;

  return {
    /** Throws FORBIDDEN without the permission `refund`, and the back-office's refusals with its words and codes. */
    async issue(posReference: string, user: CreditNoteUser): Promise<CreditNoteAnswer> {
      const { userName, permissions, token, peer } = user;
      if (!permissions.includes("refund")) throw new HubError("FORBIDDEN", `${userName} may not make credit notes`);
      const { status } = requireOrder(orders, posReference).snapshot;
      if (isActive(status)) throw explainedError("VALIDATION_ERROR", "order_not_paid", { posReference });
      const note = await identities
        .useSession(token, (newest) => client.creditNote(newest, posReference, { lane: "known", peer }))
        .catch((error: unknown) => {
          if (!(error instanceof BackOfficeError)) throw error;
          if (status === "paid" && error.errorCode === "NOT_FOUND") {
            throw new HubError("NOT_FOUND", `the back-office does not have order ${posReference} yet; try again later`);
          }
          throw relayedRefusal(error);
        });
      await record(posReference, userName, note);
      return note;
    },

    record,
  };

  /** Records a note that the back-office has made. */
  async function record(posReference: string, userName: string, note: CreditNoteAnswer): Promise<void> {
    await changes.write((tx) => {
      ncfs.keep(tx, note.ncf, posReference);
      audit.record(tx, userName, CREDIT_NOTE_MADE, posReference, describeNote(note));
      const detail = { posReference, userName, amount: note.total, text: note.ncf };
      tx.notify(["orders"], { kind: "credit_note_made", level: "info", detail });
    });
  }
}
