import type { BatchSyncResult, CreditNoteRequest, ElectronicReceipt, ReserveNcfRequest } from "@comanda/protocol";
import { isElectronic } from "@comanda/rules";

/** Expiry date of every practice number. */
const NUMBERS_VALID_UNTIL = "2099-12-31";
/** A signature that a hub accepts like a real one, although it exists nowhere. */
const PRACTICE_SIGNATURE = {
  securityCode: "PRUEBA",
  signedAt: "2026-01-01T12:00:00-04:00",
  qrUrl: "https://example.com/practica",
  status: "accepted",
} as const;

/** What a practice back-office stores: bookings and assigned numbers. */
export function createPracticeBooks() {
  const seenEvents = new Set<string>();
  const bookings: string[] = [];
  const numbers = new Map<string, string>();
  const receipts = new Map<string, ElectronicReceipt>();

  return {
    finalize,
    reserve,
    credit,
    /** Every booked reference, once per booking. */
    bookings: (): readonly string[] => bookings,
  };

  function finalize(eventId: string | number, posReference: string): BatchSyncResult {
    const isRepeat = seenEvents.has(String(eventId));
    seenEvents.add(String(eventId));
    if (!isRepeat) bookings.push(posReference);
    const fiscal = receipts.get(posReference);
    return { eventId, status: isRepeat ? "duplicate" : "finalized", ...(fiscal !== undefined && { fiscal }) };
  }

  /** Returns the same number for a repeated request. It looks like a real one but is of none of the restaurant's sequences. */
  function reserve({ pos_reference: posReference, type }: ReserveNcfRequest) {
    const count = String(numbers.size + 1).padStart(isElectronic(type) ? 7 : 5, "0");
    const key = `${posReference} ${type}`;
    const ncf = numbers.get(key) ?? `${type}000${count}`;
    numbers.set(key, ncf);
    if (isElectronic(type)) receipts.set(posReference, { ncf, ...PRACTICE_SIGNATURE });
    return { ncf, type, expiresOn: NUMBERS_VALID_UNTIL };
  }

  /** Makes a credit note for the amount that the caller names, since it does not know what was sold. */
  function credit({ pos_reference, refundId = "", total = 0 }: CreditNoteRequest) {
    const { ncf } = reserve({ pos_reference: `${pos_reference} ${refundId}`, type: "E34" });
    return { id: numbers.size, pos_reference, ncf, lines: [], total, fiscal: { ncf, ...PRACTICE_SIGNATURE } };
  }
}
