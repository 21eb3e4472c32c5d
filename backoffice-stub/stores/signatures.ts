import type { Db } from "../db/open.ts";

/** `signedAt` in ms since 1970. */
export interface Signature {
  securityCode: string;
  signedAt: number;
}

/** The signatures of electronic receipts, by the order's reference or the credit note's number. Each is signed once. */
export function createSignatures(db: Db) {
  const select = db.prepare<[string], Signature>(
    "SELECT security_code AS securityCode, signed_at AS signedAt FROM signature WHERE pos_reference = ?",
  );
  const insert = db.prepare("INSERT INTO signature (pos_reference, security_code, signed_at) VALUES (?, ?, ?)");

  return {
    get: (posReference: string): Signature | null => select.get(posReference) ?? null,

    add(posReference: string, { securityCode, signedAt }: Signature): void {
      insert.run(posReference, securityCode, signedAt);
    },
  };
}
