import { DAY_MS, type DaysOfWeek, type Learned, type LearnedShare, restaurantClock } from "@comanda/protocol";

/** Units of one product that a guest ordered together. Times are ms since 1970. */
export interface Sale {
  productId: string;
  quantity: number;
  at: number;
  staffName: string | null;
}

/** After this many days, a sale counts half. */
const HALF_LIFE_DAYS = 10;
/** Limit per line: a banquet is not a habit. */
const MAX_PER_LINE = 10;
/** Weights of the hours before and after, and of the other kind of days, relative to the hour itself. */
const NEIGHBOUR_PART = 0.5;
const OTHER_DAYS_PART = 0.3;
/** Weight of the rest of the day, so that a quiet hour also has products. */
const DAY_PART = 0.02;
/** A restaurant with fewer sales or days has no habits yet. */
const MIN_SOLD = 60;
const MIN_DAYS = 3;
/** A person with fewer sales gets no entry. */
const MIN_PER_PERSON = 30;
/** More than a page shows, because some may have left the menu. */
const MAX_PRODUCTS = 30;
const MAX_PEOPLE = 60;

type Sums = Map<string, number>;

/** Sums up sales into what the restaurant and its people sell at which hour. `now` is when the counting ends. */
export function createSalesSum({ timeZone, now }: { timeZone: string; now: number }) {
  const clock = restaurantClock(timeZone);
  const byHour = new Map<string, Sums>();
  const byPerson = new Map<string, { sold: number; sums: Sums }>();
  const wholeDay: Sums = new Map();
  const businessDays = new Set<string>();
  let sold = 0;

  function sumsAround(days: DaysOfWeek, hour: number): Sums {
    const sums: Sums = new Map();
    for (const kind of ["week", "weekend"] as const) {
      for (const offset of [-1, 0, 1]) {
        const part = (kind === days ? 1 : OTHER_DAYS_PART) * (offset === 0 ? 1 : NEIGHBOUR_PART);
        addAll(sums, byHour.get(keyOf(kind, (hour + offset + 24) % 24)), part);
      }
    }
    addAll(sums, wholeDay, DAY_PART);
    return sums;
  }

  return {
    add({ productId, quantity, at, staffName }: Sale): void {
      if (!(quantity > 0) || at > now) return;
      const counted = Math.min(quantity, MAX_PER_LINE);
      const weight = counted * 0.5 ** ((now - at) / DAY_MS / HALF_LIFE_DAYS);
      const key = keyOf(clock.days(at), clock.hour(at));
      const sums = byHour.get(key) ?? new Map<string, number>();
      byHour.set(key, sums);
      for (const each of [sums, wholeDay]) each.set(productId, (each.get(productId) ?? 0) + weight);
      sold += counted;
      businessDays.add(clock.day(at));
      if (staffName === null) return;
      const person = byPerson.get(staffName) ?? { sold: 0, sums: new Map<string, number>() };
      byPerson.set(staffName, person);
      person.sold += counted;
      person.sums.set(productId, (person.sums.get(productId) ?? 0) + weight);
    },

    ranked(): Pick<Learned, "hours" | "people"> {
      if (sold < MIN_SOLD || businessDays.size < MIN_DAYS) return { hours: [], people: [] };
      const hours = (["week", "weekend"] as const).flatMap((kind) =>
        Array.from({ length: 24 }, (_, hour) => ({ hour, days: kind, products: shares(sumsAround(kind, hour)) })),
      );
      const people = [...byPerson]
        .filter(([, person]) => person.sold >= MIN_PER_PERSON)
        .toSorted(([, a], [, b]) => b.sold - a.sold)
        .slice(0, MAX_PEOPLE)
        .map(([name, { sums }]) => ({ name, products: shares(sums) }));
      return { hours, people };
    },
  };
}

function keyOf(days: DaysOfWeek, hour: number): string {
  return `${days} ${hour}`;
}

function addAll(sums: Sums, more: Sums | undefined, part: number): void {
  for (const [productId, weight] of more ?? []) sums.set(productId, (sums.get(productId) ?? 0) + part * weight);
}

/** Sorts by share, largest first. Shares are rounded so that nearly equal products keep their order. */
function shares(sums: Sums): LearnedShare[] {
  const all = [...sums.values()].reduce((sum, weight) => sum + weight, 0);
  return [...sums]
    .map(([productId, weight]) => ({ productId, share: Math.round((weight / all) * 1000) / 1000 }))
    .toSorted((a, b) => b.share - a.share || (a.productId < b.productId ? -1 : 1))
    .slice(0, MAX_PRODUCTS);
}
