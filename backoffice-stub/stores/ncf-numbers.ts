import type { Db } from "../db/open.ts";

interface SequenceRow {
  type: string;
  nextNumber: number;
  lastNumber: number;
  expiresOn: string;
}

export interface NcfSequence extends SequenceRow {
  /** How many of its numbers can still be assigned. */
  left: number;
}

/** The holder of a number: the order of a reference, which may not exist yet, or its credit note. */
export interface NumberHolder {
  holder: "order" | "credit_note";
  posReference: string;
}

export interface AssignedNumber extends NumberHolder {
  ncf: string;
  type: string;
  expiresOn: string | null;
  /** Why it was annulled; null while it is held. */
  annulledReason: string | null;
}

export interface NumberToAssign extends Omit<AssignedNumber, "annulledReason"> {
  rnc: string | null;
  assignedAt: number;
}

/** `used`: the order is paid, or it is a credit note's number. */
export type NumberState = "reserved" | "used" | "annulled";

export type ListedNumber = Pick<AssignedNumber, "ncf" | "type" | "posReference" | "annulledReason"> & {
  state: NumberState;
};

/** The granted ranges and all assigned numbers. The primary key prevents assigning one twice. */
export function createNcfNumbers(db: Db) {
  const sequences = `
    SELECT type, next_number AS nextNumber, last_number AS lastNumber, expires_on AS expiresOn FROM ncf_sequence`;
  const selectSequences = db.prepare<[], SequenceRow>(`${sequences} ORDER BY type`);
  const selectSequence = db.prepare<[string], SequenceRow>(`${sequences} WHERE type = ?`);
  const selectCount = db.prepare<[string, number, number], { n: number }>(`
    SELECT count(*) AS n FROM ncf_number WHERE type = ? AND CAST(substr(ncf, 4) AS INTEGER) BETWEEN ? AND ?`);
  const advance = db.prepare("UPDATE ncf_sequence SET next_number = ? WHERE type = ?");
  const limit = db.prepare("UPDATE ncf_sequence SET last_number = ? WHERE type = ?");
  const expire = db.prepare("UPDATE ncf_sequence SET expires_on = ? WHERE type = ?");
  const columns =
    "ncf, type, holder, pos_reference AS posReference, expires_on AS expiresOn, annulled_reason AS annulledReason";
  const selectNumber = db.prepare<[string], AssignedNumber>(`SELECT ${columns} FROM ncf_number WHERE ncf = ?`);
  const selectByOrder = db.prepare<[string], AssignedNumber>(`
    SELECT ${columns} FROM ncf_number WHERE pos_reference = ? AND holder = 'order' AND annulled_reason IS NULL`);
  const selectBuyer = db.prepare<[string], { rnc: string | null }>(`
    SELECT rnc FROM ncf_number WHERE pos_reference = ? AND holder = 'order' AND annulled_reason IS NULL`);
  const selectAll = db.prepare<[], ListedNumber>(`
    SELECT ncf, type, ncf_number.pos_reference AS posReference, annulled_reason AS annulledReason,
      CASE
        WHEN annulled_reason IS NOT NULL THEN 'annulled'
        WHEN holder = 'credit_note' OR status = 'paid' THEN 'used'
        ELSE 'reserved'
      END AS state
    FROM ncf_number LEFT JOIN pos_order ON pos_order.pos_reference = ncf_number.pos_reference
    ORDER BY ncf_number.rowid`);
  const insert = db.prepare(`
    INSERT INTO ncf_number (ncf, type, holder, pos_reference, rnc, expires_on, given_at)
    VALUES (@ncf, @type, @holder, @posReference, @rnc, @expiresOn, @assignedAt)`);
  const annul = db.prepare("UPDATE ncf_number SET annulled_reason = ? WHERE ncf = ?");

  /** Counts the assigned numbers from `first` to `last`: hub orders may have used some ahead of time. */
  function countAssigned(type: string, first: number, last: number): number {
    return selectCount.get(type, first, last)?.n ?? 0;
  }

  function withRemaining(row: SequenceRow): NcfSequence {
    const { type, nextNumber, lastNumber } = row;
    return { ...row, left: lastNumber - nextNumber + 1 - countAssigned(type, nextNumber, lastNumber) };
  }

  return {
    sequences: (): NcfSequence[] => selectSequences.all().map(withRemaining),

    sequence(type: string): NcfSequence | null {
      const row = selectSequence.get(type);
      return row === undefined ? null : withRemaining(row);
    },

    countAssigned,

    setNextNumber(type: string, nextNumber: number): void {
      advance.run(nextNumber, type);
    },

    setLastNumber(type: string, lastNumber: number): void {
      limit.run(lastNumber, type);
    },

    setExpiry(type: string, expiresOn: string): void {
      expire.run(expiresOn, type);
    },

    /** Returns the assignment of a number, or null if it was never assigned. */
    find: (ncf: string): AssignedNumber | null => selectNumber.get(ncf) ?? null,

    /** Returns the number held by the order of a reference, which may not exist yet. */
    findByOrder: (posReference: string): AssignedNumber | null => selectByOrder.get(posReference) ?? null,

    /** Returns the tax number for which the reference's number was reserved. */
    findBuyer: (posReference: string): string | null => selectBuyer.get(posReference)?.rnc ?? null,

    /** Sorted oldest first. */
    list: (): ListedNumber[] => selectAll.all(),

    assign(number: NumberToAssign): void {
      insert.run(number);
    },

    annul(ncf: string, reason: string): void {
      annul.run(reason, ncf);
    },
  };
}
