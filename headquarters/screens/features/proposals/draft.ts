import { accountSettings, DAY_MS, settingNames, settingRow, type SettingName } from "@comanda/protocol";
import { isChainSetting, type ProposalTerms } from "@comanda/protocol/proposals.ts";
import { nextMorning, zonedTime } from "@comanda/ui/zoned-time.ts";
import type texts from "./texts.json";

/** The most items that the API accepts (`ProposalTerms`). */
const MAX_DISHES = 200;
/** Headquarters reject proposals that are valid for longer. */
const MAX_MS = 90 * DAY_MS;

/** A proposal that is being written. Choices for one kind stay while another kind is shown. */
export interface Draft {
  kind: "out" | "resume" | "setting";
  /** Empty to use the title that is made from the content. */
  title: string;
  /** Names by product id. */
  dishes: ReadonlyMap<string, string>;
  /** Until when dishes are out; `never`: until the restaurant sells them again. */
  ends: "day" | "time" | "never";
  /** In the chain's time zone: 2026-11-21T19:00 */
  endsAt: string;
  setting: SettingName | "";
  value: string;
  isDefault: boolean;
  policy: "apply" | "ask";
  begins: "now" | "time";
  /** In the format of `endsAt`. */
  beginsAt: string;
  /** For how many days it may be applied. */
  days: number;
  targets: "all" | "group" | "chosen";
  group: string;
  chosen: ReadonlySet<string>;
}

export const emptyDraft: Draft = {
  kind: "out",
  title: "",
  dishes: new Map(),
  ends: "day",
  endsAt: "",
  setting: "",
  value: "",
  isDefault: false,
  policy: "apply",
  begins: "now",
  beginsAt: "",
  days: 3,
  // A proposal must not go to all restaurants by default.
  targets: "group",
  group: "",
  chosen: new Set(),
};

/** A reason why a draft cannot be sent yet. */
export type DraftProblem = keyof typeof texts.problem;

export interface Moment {
  /** ms since 1970 */
  now: number;
  /** The chain's; undefined for this device's. */
  timeZone: string | undefined;
}

/** The props of a part of the form for a draft. */
export interface PartProps {
  draft: Draft;
  moment: Moment;
  onChange: (part: Partial<Draft>) => void;
}

/** The settings that headquarters can propose. Account settings are not: they would need the password, which is never sent. */
export const proposable: readonly SettingName[] = settingNames.filter((name) => {
  const { isSecret, isLocalOnly } = settingRow(name);
  const isOfAccount = accountSettings.some((each) => each === name);
  return isSecret !== true && isLocalOnly !== true && !isOfAccount && !isChainSetting(name);
});

/** Returns whether a hub accepts a value of a setting. */
export function isValueOf(setting: SettingName, value: string): boolean {
  const { schema, mayBeEmpty } = settingRow(setting);
  const text = value.trim();
  return (text !== "" || mayBeEmpty === true) && schema.safeParse(text).success;
}

/** Returns when a proposal begins, ms since 1970; NaN for an invalid time. */
export function beginTime({ begins, beginsAt }: Draft, { now, timeZone }: Moment): number {
  return begins === "now" ? now : zonedTime(beginsAt, timeZone);
}

/**
 * Returns until when the dishes are out, ms since 1970; null for no end, NaN for an invalid time. With `ends: "day"` that is
 * the end of the business day on which the proposal begins.
 */
export function outUntil(draft: Draft, moment: Moment): number | null {
  const { ends, endsAt } = draft;
  const { timeZone } = moment;
  if (ends === "never") return null;
  if (ends === "time") return zonedTime(endsAt, timeZone);
  const begin = beginTime(draft, moment);
  return Number.isNaN(begin) ? NaN : nextMorning(begin, timeZone);
}

/** Returns until when a proposal may be applied, ms since 1970: not after the time at which its dishes are sold again. */
export function validUntil(draft: Draft, moment: Moment): number {
  const longest = beginTime(draft, moment) + draft.days * DAY_MS;
  return draft.kind === "out" ? Math.min(longest, outUntil(draft, moment) ?? longest) : longest;
}

export function problemOf(draft: Draft, moment: Moment, targets: readonly unknown[]): DraftProblem | null {
  const { kind, dishes, setting, value, isDefault } = draft;
  if (kind === "setting") {
    if (setting === "") return "noSetting";
    if (!isDefault && !isValueOf(setting, value)) return "badValue";
  } else {
    if (dishes.size === 0) return "noDishes";
    if (dishes.size > MAX_DISHES) return "manyDishes";
    if (kind === "out" && draft.ends === "time" && !((outUntil(draft, moment) ?? NaN) > moment.now)) return "badTime";
  }
  return problemOfTimes(draft, moment) ?? (targets.length === 0 ? "noTargets" : null);
}

function problemOfTimes(draft: Draft, moment: Moment): DraftProblem | null {
  const begin = beginTime(draft, moment);
  if (draft.begins === "time" && !(begin > moment.now)) return "badBegin";
  const until = validUntil(draft, moment);
  if (!(until > begin)) return "endsBefore";
  return until > moment.now + MAX_MS ? "endsLate" : null;
}

/** Returns the terms of a draft without problems. `at`: now by headquarters' clock, because this device's may be ahead. */
export function termsOf(draft: Draft, moment: Moment, { title, at }: { title: string; at: string }): ProposalTerms {
  const begins = draft.begins === "now" ? at : new Date(beginTime(draft, moment)).toISOString();
  const common = { title, at: begins, until: new Date(validUntil(draft, moment)).toISOString() };
  if (draft.kind === "setting") {
    const want = draft.isDefault ? null : draft.value.trim();
    return { ...common, kind: "settings", policy: "ask", items: [{ key: draft.setting, want }] };
  }
  const until = draft.kind === "out" ? outUntil(draft, moment) : null;
  const want = {
    state: draft.kind === "out" ? ("out" as const) : ("available" as const),
    ...(until === null ? {} : { until: new Date(until).toISOString() }),
  };
  return {
    ...common,
    kind: "stock",
    policy: draft.policy,
    items: [...draft.dishes.keys()].map((key) => ({ key, want })),
  };
}

/** Returns the restaurants that a draft is for. */
export function targetsOf<T extends { id: string; groups: readonly string[] }>(
  { targets, group, chosen }: Draft,
  restaurants: readonly T[],
): readonly T[] {
  if (targets === "all") return restaurants;
  return restaurants.filter(({ id, groups }) => (targets === "group" ? groups.includes(group) : chosen.has(id)));
}
