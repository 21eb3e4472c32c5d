import type { Cause } from "./alert-store.ts";
import { isExpected } from "./causes.ts";
import type { RestaurantStatus } from "./restaurants.ts";

/**
 * Kinds that can have one cause at many restaurants (internet provider, shared service, headquarters), with the restaurants
 * that can have them. Unsent events stay known from the last beat; the other kinds need a hub that should be online.
 */
const SHARED_KINDS: ReadonlyMap<string, typeof isExpected> = new Map([
  ["offline", isExpected],
  ["unsent", ({ hubId, beat }: RestaurantStatus) => hubId !== null && beat !== null],
  ["behind", isExpected],
]);
const WITHIN_MS = 5 * 60_000;
const GROUP_SHARE = 0.2;
const CHAIN_SHARE = 0.5;
/** Fewer causes stay separate alerts. */
const MIN_CAUSES = 3;
/** A shared alert stays open down to half of the share that opened it: restaurants recover one by one. */
const STAY_OPEN_FACTOR = 0.5;

/**
 * Merges causes of a kind that began within five minutes of each other: into one page if they are at more than half of the
 * restaurants that can have them, else into one per group with more than a fifth. `open`: keys of the open alerts.
 */
export function correlate(
  causes: readonly Cause[],
  restaurants: readonly RestaurantStatus[],
  { open, now }: { open: ReadonlySet<string>; now: number },
): Cause[] {
  return [...Map.groupBy(causes, ({ kind }) => kind)].flatMap(([kind, sameKind]) => {
    const canHave = SHARED_KINDS.get(kind);
    const all = restaurants.filter((each) => canHave?.(each, now));
    return canHave === undefined ? sameKind : correlateKind(kind, sameKind, all, open);
  });
}

function correlateKind(
  kind: string,
  causes: readonly Cause[],
  restaurants: readonly RestaurantStatus[],
  open: ReadonlySet<string>,
): Cause[] {
  const sharedCause = (members: readonly Cause[], size: number, of: number, key: string): Cause | null => {
    const together = largestCluster(members);
    const share = open.has(key) ? of * STAY_OPEN_FACTOR : of;
    if (together.length < MIN_CAUSES || together.length <= size * share) return null;
    const severity = members.some((each) => each.severity === "page") ? "page" : "warn";
    const since = Math.min(...together.map((each) => each.since));
    const values = { count: members.length, of: size };
    return { key, kind, severity, restaurantId: null, group: null, since, values };
  };
  const chainWide = sharedCause(causes, restaurants.length, CHAIN_SHARE, `${kind}:*`);
  if (chainWide !== null) return [{ ...chainWide, kind: `${kind}Everywhere`, severity: "page" }];
  let remaining = [...causes];
  const found: Cause[] = [];
  const names = new Set(restaurants.flatMap(({ groups }) => groups));
  for (const name of [...names].toSorted((a, b) => a.localeCompare(b))) {
    const ids = new Set(restaurants.filter(({ groups }) => groups.includes(name)).map(({ id }) => id));
    const members = remaining.filter(({ restaurantId }) => ids.has(restaurantId ?? ""));
    const group = sharedCause(members, ids.size, GROUP_SHARE, `${kind}@${name}`);
    if (group === null) continue;
    found.push({ ...group, kind: `${kind}InGroup`, group: name });
    remaining = remaining.filter((each) => !members.includes(each));
  }
  return [...found, ...remaining];
}

/** Returns the largest set of causes that began within five minutes of each other. */
function largestCluster(causes: readonly Cause[]): readonly Cause[] {
  const inOrder = causes.toSorted((a, b) => a.since - b.since);
  let best: readonly Cause[] = [];
  let first = 0;
  for (const [index, { since }] of inOrder.entries()) {
    while ((inOrder[first]?.since ?? since) < since - WITHIN_MS) first += 1;
    if (index + 1 - first > best.length) best = inOrder.slice(first, index + 1);
  }
  return best;
}
