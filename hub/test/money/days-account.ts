import { sum } from "@comanda/rules";

/** Formats ms since 1970 as local time of a zone, such as `2026-11-21 09:00:00`. */
function wallTime(at: number, timeZone: string): string {
  return new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone }).format(at);
}

/** Returns the business day of a time. Sales before 05:00 belong to the day before. */
export function dayOf(at: number, timeZone: string): string {
  const [date = "", time = ""] = wallTime(at, timeZone).split(" ");
  if (time >= "05:00:00") return date;
  return new Date(Date.parse(`${date}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
}

const hourOf = (at: number, timeZone: string): number => Number(wallTime(at, timeZone).slice(11, 13));

export interface Shift {
  id: string;
  till: string;
  openedAt: number;
  countedAt: number | null;
  float: number;
  /** Net cash moved in (positive) or out (negative). */
  moved: number;
}

/** Money received, or paid out if the amount is negative. */
export interface Moved {
  /** Id of the payment, tender or refund. */
  identity: string;
  posReference: string;
  kind: "payment" | "given_back" | "refund";
  methodId: number;
  amount: number;
  tip: number;
}

export interface Booked extends Moved {
  shiftId: string | null;
  /** Assigned to a shift after the shift was counted. */
  isLate: boolean;
}

export interface Sold {
  posReference: string;
  at: number;
  total: number;
  legalTip: number;
  party: string;
  guests: number;
  payments: { methodId: number; amount: number; tip: number }[];
}

export interface RefundRow {
  at: number;
  posReference: string;
  amount: number;
  legalTip: number;
  /** How the money went back. */
  payments: { methodId: number; amount: number }[];
}

export const CASH = 1;
const TOLERANCE = 100;

const round = (value: number): number => Math.round(value * 100) / 100;
const emptySums = () => ({ checks: 0, guests: 0, amount: 0, refunded: 0, tips: 0 });

/** Keeps an independent account of three days from the specification alone; shares no code with the hub. */
export function createAccount(timeZone: string, tillOf: Readonly<Record<string, string>>) {
  const shifts: Shift[] = [];
  const money: Booked[] = [];
  const sold: Sold[] = [];
  const refunds: RefundRow[] = [];
  /** The current waiter of each check. The tips of a check go to its last waiter. */
  const waiters = new Map<string, string>();

  const openAt = (till: string | undefined): Shift | undefined =>
    shifts.find((shift) => shift.till === till && shift.countedAt === null);

  /** Returns the device's open shift if it was open when the money was taken, otherwise null. */
  function shiftFor(device: string | null, takenAt: number): string | null {
    const till = device === null ? undefined : tillOf[device];
    const open = openAt(till);
    const wasCounted = shifts.some(
      ({ till: own, openedAt, countedAt }) =>
        own === till && countedAt !== null && openedAt <= takenAt && takenAt < countedAt,
    );
    return open === undefined || wasCounted || open.openedAt > takenAt ? null : open.id;
  }

  const moneyOfShift = (id: string) => money.filter(({ shiftId, isLate }) => shiftId === id && !isLate);

  function byMethod(rows: readonly Booked[]) {
    const methods = new Map<number, { sales: number; tips: number; refunded: number }>();
    for (const { methodId, kind, amount, tip } of rows) {
      const method = methods.get(methodId) ?? { sales: 0, tips: 0, refunded: 0 };
      if (kind === "refund") method.refunded = round(method.refunded - amount);
      else method.sales = round(method.sales + amount);
      methods.set(methodId, { ...method, tips: round(method.tips + tip) });
    }
    return methods;
  }

  function expectedCash({ id, float, moved }: Shift): number {
    const rows = moneyOfShift(id).filter(({ methodId }) => methodId === CASH);
    return round(float + moved + sum(rows.map(({ amount, tip }) => amount + tip)));
  }

  /** Counts the guests of each party once, when its first check is paid. */
  function guestsOf(): Map<string, number> {
    const counted = new Map<string, number>();
    const guests = new Map<string, number>();
    for (const { posReference, party, guests: named } of sold) {
      const before = counted.get(party) ?? 0;
      guests.set(posReference, Math.max(0, named - before));
      counted.set(party, Math.max(before, named));
    }
    return guests;
  }

  return {
    shifts,
    money,
    sold,
    refunds,
    waiters,
    openAt,
    expectedCash,

    open(shift: Omit<Shift, "countedAt" | "moved">): boolean {
      if (openAt(shift.till) !== undefined) return false;
      const last = Math.max(
        0,
        ...shifts.filter(({ till }) => till === shift.till).map(({ countedAt }) => countedAt ?? 0),
      );
      shifts.push({ ...shift, openedAt: Math.max(shift.openedAt, last), countedAt: null, moved: 0 });
      return true;
    },

    /** Returns whether the count closes the shift without approval, or null if the shift is unknown or already counted. */
    count(shiftId: string, cash: number, at: number): boolean | null {
      const shift = shifts.find(({ id }) => id === shiftId);
      if (shift === undefined || shift.countedAt !== null) return null;
      shift.countedAt = at;
      return Math.abs(round(cash - expectedCash(shift))) <= TOLERANCE;
    },

    move(shiftId: string, amount: number): boolean {
      const shift = shifts.find(({ id, countedAt }) => id === shiftId && countedAt === null);
      if (shift !== undefined) shift.moved = round(shift.moved + amount);
      return shift !== undefined;
    },

    book(device: string | null, takenAt: number, moved: Moved): void {
      money.push({ ...moved, shiftId: shiftFor(device, takenAt), isLate: false });
    },

    refund(entry: RefundRow & { refundId: string }, device: string | null, named: string | null): void {
      const { refundId, posReference, payments, at } = entry;
      refunds.push(entry);
      const shiftId = named ?? shiftFor(device, at);
      for (const { methodId, amount } of payments) {
        const row = { identity: refundId, posReference, kind: "refund", methodId, amount: -amount, tip: 0 } as const;
        money.push({ ...row, shiftId, isLate: false });
      }
    },

    /** Assigns a payment to a shift. Returns whether the entry is late, that is, the shift was already counted. */
    assign(identity: string, shiftId: string): boolean {
      const row = money.find((each) => each.identity === identity && each.kind === "payment");
      const shift = shifts.find(({ id }) => id === shiftId);
      if (row === undefined || shift === undefined) throw new Error(`nothing to assign: ${identity}`);
      row.shiftId = shiftId;
      row.isLate = shift.countedAt !== null;
      return row.isLate;
    },

    expectedShift: (shift: Shift) => ({ methods: byMethod(moneyOfShift(shift.id)), expectedCash: expectedCash(shift) }),
    late: (id: string) => money.filter(({ shiftId, isLate }) => shiftId === id && isLate),
    unassigned: () => money.filter(({ shiftId }) => shiftId === null),

    days: (): string[] => [...new Set([...sold, ...refunds].map(({ at }) => dayOf(at, timeZone)))].toSorted(),

    /** Returns the sales of one business day, or of all days if `null`. */
    sales(day: string | null) {
      const isOf = ({ at }: { at: number }): boolean => day === null || dayOf(at, timeZone) === day;
      const guests = guestsOf();
      const all = emptySums();
      const byWaiter = new Map<string, ReturnType<typeof emptySums>>();
      const byHour = new Map<number, ReturnType<typeof emptySums>>();
      const tips = new Map<string, { legal: number; voluntary: number }>();
      const methods = new Map<number, { amount: number; tips: number; refunded: number }>();
      const getOrCreate = <K, V>(map: Map<K, V>, key: K, empty: () => V): V => {
        const found = map.get(key) ?? empty();
        map.set(key, found);
        return found;
      };
      const methodOf = (id: number) => getOrCreate(methods, id, () => ({ amount: 0, tips: 0, refunded: 0 }));
      const sums = (at: number, name: string) => [
        all,
        getOrCreate(byWaiter, name, emptySums),
        getOrCreate(byHour, hourOf(at, timeZone), emptySums),
      ];
      for (const { posReference, at, total, legalTip, payments } of sold.filter(isOf)) {
        const name = waiters.get(posReference) ?? "";
        const voluntary = sum(payments.map(({ tip }) => tip));
        for (const each of sums(at, name)) {
          each.checks += 1;
          each.guests += guests.get(posReference) ?? 0;
          each.amount = round(each.amount + total);
          each.tips = round(each.tips + voluntary);
        }
        const own = getOrCreate(tips, name, () => ({ legal: 0, voluntary: 0 }));
        own.legal = round(own.legal + legalTip);
        own.voluntary = round(own.voluntary + voluntary);
        for (const { methodId, amount, tip } of payments) {
          const method = methodOf(methodId);
          method.amount = round(method.amount + amount);
          method.tips = round(method.tips + tip);
        }
      }
      for (const { posReference, at, amount, legalTip, payments } of refunds.filter(isOf)) {
        const name = waiters.get(posReference) ?? "";
        for (const each of sums(at, name)) each.refunded = round(each.refunded + amount);
        const own = getOrCreate(tips, name, () => ({ legal: 0, voluntary: 0 }));
        own.legal = round(own.legal - legalTip);
        for (const { methodId, amount: back } of payments) {
          methodOf(methodId).refunded = round(methodOf(methodId).refunded + back);
        }
      }
      const notes = refunds.filter(isOf).length;
      return { ...all, notes, byWaiter, byHour, tipsOf: tips, methods };
    },
  };
}
