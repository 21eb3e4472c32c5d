import type { Cause } from "./alert-store.ts";
import type { KnownRestaurant } from "./restaurants.ts";

/** What has one cause for many: the provider's line, a service that all use, or headquarters themselves. */
const SHARED_KINDS: ReadonlySet<string> = new Set(["offline", "unsent", "behind"]);
const WITHIN_MS = 5 * 60_000;
const OF_GROUP = 0.2;
const OF_ALL = 0.5;
/** Fewer are told one by one. */
const LEAST = 3;
/** One alert for many stays until it is half of what opened it: restaurants come back one after another. */
const STAYS = 0.5;

/**
 * Puts into one alert what befell many within five minutes: more than half of all, where our own line comes first, else more
 * than a fifth of a group. `open` are the keys of what is open now.
 */
export function correlate(
  causes: readonly Cause[],
  restaurants: readonly KnownRestaurant[],
  open: ReadonlySet<string>,
): Cause[] {
  const shared = Map.groupBy(causes, ({ kind }) => (SHARED_KINDS.has(kind) ? kind : ""));
  const groupsOf = new Map(restaurants.map(({ id, groups }) => [id, groups]));
  const sizes = new Map<string, number>();
  for (const { groups } of restaurants) for (const name of groups) sizes.set(name, (sizes.get(name) ?? 0) + 1);
  return [...shared].flatMap(([kind, alike]) =>
    kind === "" ? alike : correlateKind(kind, alike, { groupsOf, sizes, all: restaurants.length, open }),
  );
}

interface Chain {
  groupsOf: ReadonlyMap<string, readonly string[]>;
  sizes: ReadonlyMap<string, number>;
  all: number;
  open: ReadonlySet<string>;
}

function correlateKind(kind: string, causes: readonly Cause[], { groupsOf, sizes, all, open }: Chain): Cause[] {
  const atOnce = (members: readonly Cause[], size: number, of: number, key: string): Cause | null => {
    const together = mostWithin(members);
    const share = open.has(key) ? of * STAYS : of;
    if (together.length < LEAST || together.length <= size * share) return null;
    const severity = members.some((each) => each.severity === "page") ? "page" : "warn";
    const since = Math.min(...together.map((each) => each.since));
    const values = { count: members.length, of: size };
    return { key, kind, severity, restaurantId: null, group: null, since, values };
  };
  const ours = atOnce(causes, all, OF_ALL, `${kind}:*`);
  if (ours !== null) return [{ ...ours, kind: `${kind}Everywhere`, severity: "page" }];
  let left = [...causes];
  const found: Cause[] = [];
  const byShare = [...sizes].toSorted(([a], [b]) => a.localeCompare(b));
  for (const [name, size] of byShare) {
    const members = left.filter(({ restaurantId }) => groupsOf.get(restaurantId ?? "")?.includes(name) === true);
    const group = atOnce(members, size, OF_GROUP, `${kind}@${name}`);
    if (group === null) continue;
    found.push({ ...group, kind: `${kind}InGroup`, group: name });
    left = left.filter((each) => !members.includes(each));
  }
  return [...found, ...left];
}

/** The most that began within five minutes of each other. */
function mostWithin(causes: readonly Cause[]): readonly Cause[] {
  const inOrder = causes.toSorted((a, b) => a.since - b.since);
  let best: readonly Cause[] = [];
  let first = 0;
  for (const [index, { since }] of inOrder.entries()) {
    while ((inOrder[first]?.since ?? since) < since - WITHIN_MS) first += 1;
    if (index + 1 - first > best.length) best = inOrder.slice(first, index + 1);
  }
  return best;
}
