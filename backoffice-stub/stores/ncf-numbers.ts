import type { Db } from "../db/open.ts";

export interface NcfSequence {
  type: string;
  nextNumber: number;
  lastNumber: number;
  expiresOn: string;
}

export interface AssignedNumber {
  ncf: string;
  type: string;
  expiresOn: string | null;
}

export interface NumberToAssign {
  ncf: string;
  type: string;
  holder: "order" | "credit_note";
  orderId: number;
  rnc: string | null;
  expiresOn: string | null;
  assignedAt: number;
}

/** The granted ranges and every number ever assigned; the primary key forbids assigning one twice. */
export function createNcfNumbers(db: Db) {
  const selectSequence = db.prepare<
    [string],
    { type: string; next_number: number; last_number: number; expires_on: string }
  >("SELECT type, next_number, last_number, expires_on FROM ncf_sequence WHERE type = ?");
  const advance = db.prepare("UPDATE ncf_sequence SET next_number = ? WHERE type = ?");
  const limit = db.prepare("UPDATE ncf_sequence SET last_number = ? WHERE type = ?");
  const expire = db.prepare("UPDATE ncf_sequence SET expires_on = ? WHERE type = ?");
  const selectNumber = db.prepare<[string], { ncf: string }>("SELECT ncf FROM ncf_number WHERE ncf = ?");
  const selectOfOrder = db.prepare<[number], { ncf: string; type: string; expires_on: string | null }>(
    "SELECT ncf, type, expires_on FROM ncf_number WHERE order_id = ? AND holder = 'order'",
  );
  const insert = db.prepare(`
    INSERT INTO ncf_number (ncf, type, holder, order_id, rnc, expires_on, given_at)
    VALUES (@ncf, @type, @holder, @orderId, @rnc, @expiresOn, @assignedAt)`);

  return {
    sequence(type: string): NcfSequence | null {
      const row = selectSequence.get(type);
      if (row === undefined) return null;
      return { type, nextNumber: row.next_number, lastNumber: row.last_number, expiresOn: row.expires_on };
    },

    setNextNumber(type: string, nextNumber: number): void {
      advance.run(nextNumber, type);
    },

    setLastNumber(type: string, lastNumber: number): void {
      limit.run(lastNumber, type);
    },

    setExpiry(type: string, expiresOn: string): void {
      expire.run(expiresOn, type);
    },

    isAssigned: (ncf: string): boolean => selectNumber.get(ncf) !== undefined,

    ofOrder(orderId: number): AssignedNumber | null {
      const row = selectOfOrder.get(orderId);
      return row === undefined ? null : { ncf: row.ncf, type: row.type, expiresOn: row.expires_on };
    },

    assign(number: NumberToAssign): void {
      insert.run(number);
    },
  };
}
