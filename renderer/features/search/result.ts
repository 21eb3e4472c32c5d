import { foldText } from "@comanda/protocol";
import { matcherOf } from "@comanda/ui/search.ts";

/** In the order in which they are listed. */
export const groupNames = [
  "screens",
  "actions",
  "tables",
  "orders",
  "customers",
  "tickets",
  "terminals",
  "settings",
] as const;
export type GroupName = (typeof groupNames)[number];

/** Something that can be found and gone to. */
export interface Result {
  /** Unique within its group. */
  id: string;
  label: string;
  about?: string | undefined;
  /** What it is found by besides label and about. */
  keywords?: string | undefined;
  /** It was found by the hub, and matches by what is not shown here. */
  isMatch?: boolean | undefined;
  open: () => void;
}

export interface ResultGroup {
  name: GroupName;
  results: Result[];
}

/** What there is to be found, of those who may see it. */
export type Candidates = Partial<Readonly<Record<GroupName, readonly Result[]>>>;

const LISTED = 6;

/**
 * What matches a search, in groups; of a group those first whose label begins with it, then those of which a word does.
 * Without a search only places to go.
 */
export function findResults(candidates: Candidates, search: string): ResultGroup[] {
  const matches = matcherOf(search);
  const wanted = foldText(search.trim());
  // Of a reference or an address people know any part, of names how words begin.
  const isNumber = /\d/.test(wanted);
  return groupNames.flatMap((name) => {
    if (wanted === "" && name !== "screens" && name !== "actions") return [];
    const ranks: Result[][] = [[], [], []];
    for (const result of candidates[name] ?? []) {
      const { label, about, keywords, isMatch = false } = result;
      if (!isMatch && !matches(label, about, keywords)) continue;
      const rank = rankOf(result, wanted);
      if (isMatch || isNumber || rank < 2) ranks[rank]?.push(result);
    }
    const results = ranks.flat().slice(0, LISTED);
    return results.length === 0 ? [] : [{ name, results }];
  });
}

/** 0: the label begins with it; 1: every word of it begins a word; 2: it is somewhere in it. */
function rankOf({ label, about, keywords }: Result, wanted: string): 0 | 1 | 2 {
  if (foldText(label).startsWith(wanted)) return 0;
  const words = foldText([label, about, keywords].join(" ")).split(/[^\p{L}\p{N}]+/u);
  const beginsAWord = wanted.split(/[^\p{L}\p{N}]+/u).every((part) => words.some((word) => word.startsWith(part)));
  return beginsAWord ? 1 : 2;
}
