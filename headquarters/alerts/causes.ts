import { MINUTE_MS, HOUR_MS } from "@comanda/protocol";
import type { ChainBeat } from "@comanda/protocol/chain.ts";
import type { HqAlert } from "@comanda/protocol/headquarters.ts";
import { presentSequences, scarceNumbers } from "@comanda/rules";
import type { Cause } from "./alert-store.ts";
import { OFFLINE_MS } from "../presence/presence-of.ts";
import type { RestaurantStatus } from "./restaurants.ts";

const OFFLINE_PAGE_MS = 15 * MINUTE_MS;
const UNSENT_MS = 15 * MINUTE_MS;
const BACKUP_MS = 26 * HOUR_MS;
const CLOCK_MS = 2 * MINUTE_MS;
const LATE_TICKETS = 10;
const BEHIND_MS = 30_000;
/** A refused hub sends again every ten minutes. */
const RIVAL_MS = HOUR_MS;
/** More than the hub's own threshold: headquarters need time to send a technician. */
const DISK_BYTES = 2_000_000_000;
const DISK_PAGE_BYTES = 300_000_000;
/** How many versions of the fleet may be newer before an alert. */
const VERSIONS_BEHIND = 2;

/** Data from which alerts are derived, besides the last beats of restaurants. */
export interface Findings {
  /** Versions of the fleet, newest first. */
  versions: readonly string[];
  /** The days whose digest differs, by restaurant. */
  differing: ReadonlyMap<string, readonly string[]>;
  holes: ReadonlyMap<string, number>;
  behindMs(restaurant: RestaurantStatus): number;
  /** Since when headquarters have been able to receive beats, ms since 1970. */
  listeningSince: number;
}

/** Returns whether a restaurant is or should be online: a revoked hub cannot send, and closed restaurants switch theirs off. */
export function isExpected({ hubId, beat, heardAt }: RestaurantStatus, now: number): boolean {
  if (beat === null || heardAt === null || hubId === null) return false;
  return beat.sessionOpen || now - heardAt.getTime() < OFFLINE_MS;
}

/** Returns all current problems of a restaurant. */
export function causesAt(restaurant: RestaurantStatus, findings: Findings, now: number): Cause[] {
  const { id, hubId, beat, heardAt, offlineSince, enrolledAt, rivalAt } = restaurant;
  // A revoked hub cannot report that a problem is over.
  if (beat === null || heardAt === null || hubId === null) return [];
  const silentSince = offlineSince?.getTime() ?? Math.max(heardAt.getTime(), findings.listeningSince);
  const silentMs = now - silentSince;
  // Age at the time of the beat. Both times are of the hub's own clock, which may be wrong.
  const ageOf = (instant: string): number => Date.parse(beat.at) - Date.parse(instant);
  const sinceOf = (ageMs: number): { since: number } => ({ since: heardAt.getTime() - ageMs });
  const isOnline = now - heardAt.getTime() < OFFLINE_MS;
  const found: Cause[] = [];
  const add = (
    kind: string,
    severity: HqAlert["severity"],
    values: HqAlert["values"] = {},
    { since = now, qualifier = "" }: { since?: number; qualifier?: string } = {},
  ) => {
    const key = [kind, id, qualifier].filter(Boolean).join(":");
    found.push({ key, kind, severity, restaurantId: id, group: null, since, values });
  };
  // A restaurant that was closed when it went silent is switched off.
  if (silentMs >= OFFLINE_MS && beat.sessionOpen) {
    add("offline", silentMs >= OFFLINE_PAGE_MS ? "page" : "warn", {}, { since: silentSince });
  }
  // Problems from the last beat stay as they are while the hub is offline.
  const unsentMs = beat.unsentSince === null ? 0 : ageOf(beat.unsentSince);
  if (beat.unsent > 0 && unsentMs > UNSENT_MS) add("unsent", "warn", { count: beat.unsent }, sinceOf(unsentMs));
  addFiscal(beat, add, now);
  if (beat.freeDiskBytes !== null && beat.freeDiskBytes < DISK_BYTES) {
    // Rounded, so that a slowly filling disk does not change the alert with every beat.
    const megabytes = Math.floor(beat.freeDiskBytes / 100_000_000) * 100;
    add("disk", beat.freeDiskBytes < DISK_PAGE_BYTES ? "page" : "warn", { megabytes });
  }
  const backupMs = ageOf(beat.lastBackupAt ?? beat.startedAt);
  if (backupMs > BACKUP_MS) add("backup", "warn", {}, sinceOf(backupMs));
  if (beat.lossesOpen > 0) add("losses", "warn", { count: beat.lossesOpen });
  if (beat.kitchen.late > LATE_TICKETS) add("kitchen", "warn", {});
  if (beat.clockOffMs !== null && Math.abs(beat.clockOffMs) > CLOCK_MS) {
    add("clock", "warn", { minutes: Math.round(beat.clockOffMs / MINUTE_MS) });
  }
  if (findings.versions.indexOf(beat.version) > VERSIONS_BEHIND) add("version", "warn", { version: beat.version });
  for (const day of findings.differing.get(id) ?? []) add("digest", "page", { day }, { qualifier: day });
  const holes = findings.holes.get(id) ?? 0;
  if (holes > 0) add("hole", "page", { count: holes });
  // A hub that was refused before the last enrolment has a key that no longer works.
  if (rivalAt !== null && now - rivalAt.getTime() < RIVAL_MS && !(enrolledAt !== null && enrolledAt > rivalAt)) {
    add("twoHubs", "page", {}, { since: rivalAt.getTime() });
  }
  const behindMs = findings.behindMs(restaurant);
  if (isOnline && behindMs > BEHIND_MS) add("behind", "warn", {}, { since: now - behindMs });
  return found;
}

/** Uses the same rule as the hub: a type is fine while another of its sequences is usable. */
function addFiscal(
  { fiscal }: ChainBeat,
  add: (kind: string, severity: HqAlert["severity"], values: HqAlert["values"], more: { qualifier: string }) => void,
  now: number,
): void {
  const sequences = fiscal.map(({ remaining, ...sequence }) => ({ ...sequence, left: remaining }));
  for (const { type, left, expiresOn, state } of scarceNumbers(presentSequences(sequences, now))) {
    const values = { type, day: expiresOn ?? "" };
    if (state === "used_up") add("fiscalUsedUp", "page", { type }, { qualifier: type });
    else if (state === "low") add("fiscalLow", "warn", { type, remaining: left }, { qualifier: type });
    else add("fiscalExpiring", state === "expired" ? "page" : "warn", values, { qualifier: type });
  }
}
