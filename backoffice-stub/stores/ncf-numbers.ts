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

export interface NumberToAssign extends AssignedNumber {
  holder: "order" | "credit_note";
  orderId: number;
  rnc: string | null;
  assignedAt: number;
}

/** The granted ranges and every number ever assigned; the primary key forbids assigning one twice. */
export function createNcfNumbers(db: Db) {
  const selectSequence = db.prepare<[string], NcfSequence>(`
    SELECT type, next_number AS nextNumber, last_number AS lastNumber, expires_on AS expiresOn
    FROM ncf_sequence WHERE type = ?`);
  const advance = db.prepare("UPDATE ncf_sequence SET next_number = ? WHERE type = ?");
  const limit = db.prepare("UPDATE ncf_sequence SET last_number = ? WHERE type = ?");
  const expire = db.prepare("UPDATE ncf_sequence SET expires_on = ? WHERE type = ?");
  const selectNumber = db.prepare<[string], { ncf: string }>("SELECT ncf FROM ncf_number WHERE ncf = ?");
  const selectOfOrder = db.prepare<[number], AssignedNumber>(
    "SELECT ncf, type, expires_on AS expiresOn FROM ncf_number WHERE order_id = ? AND holder = 'order'",
  );
  const insert = db.prepare(`
    INSERT INTO ncf_number (ncf, type, holder, order_id, rnc, expires_on, given_at)
    VALUES (@ncf, @type, @holder, @orderId, @rnc, @expiresOn, @assignedAt)`);

  return {
    sequence: (type: string): NcfSequence | null => selectSequence.get(type) ?? null,

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

    ofOrder: (orderId: number): AssignedNumber | null => selectOfOrder.get(orderId) ?? null,

    assign(number: NumberToAssign): void {
      insert.run(number);
    },
  };
}
