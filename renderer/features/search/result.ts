import { foldText } from "@comanda/protocol";
import { matcherOf } from "@comanda/ui/search.ts";

/** In the order in which the groups are listed. */
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

/** Something that a search finds and the user can open. */
export interface Result {
  /** Unique within its group. */
  id: string;
  label: string;
  about?: string | undefined;
  /** Searched in addition to `label` and `about`. */
  keywords?: string | undefined;
  /** Found by the hub, which also matches text that is not shown here. */
  isMatch?: boolean | undefined;
  open: () => void;
}

export interface ResultGroup {
  name: GroupName;
  results: Result[];
}

/** Everything that this user may find, by group. */
export type Candidates = Partial<Readonly<Record<GroupName, readonly Result[]>>>;

const LISTED = 6;

/**
 * Returns the matches by group. In a group, labels that begin with the search come first, then results in which words do.
 * Without a search, returns only screens and actions.
 */
export function findResults(candidates: Candidates, search: string): ResultGroup[] {
  const matches = matcherOf(search);
  const query = foldText(search.trim());
  // People know any part of a reference or an address, but of a name how its words begin.
  const isNumber = /\d/.test(query);
  return groupNames.flatMap((name) => {
    if (query === "" && name !== "screens" && name !== "actions") return [];
    const ranks: Result[][] = [[], [], []];
    for (const result of candidates[name] ?? []) {
      const { label, about, keywords, isMatch = false } = result;
      if (!isMatch && !matches(label, about, keywords)) continue;
      const rank = rankOf(result, query);
      if (isMatch || isNumber || rank < 2) ranks[rank]?.push(result);
    }
    const results = ranks.flat().slice(0, LISTED);
    return results.length === 0 ? [] : [{ name, results }];
  });
}

/** Ranks a match: 0 if the label begins with the search, 1 if every searched word begins a word, else 2. */
function rankOf({ label, about, keywords }: Result, query: string): 0 | 1 | 2 {
  if (foldText(label).startsWith(query)) return 0;
  const words = foldText([label, about, keywords].join(" ")).split(/[^\p{L}\p{N}]+/u);
  const beginsAWord = query.split(/[^\p{L}\p{N}]+/u).every((part) => words.some((word) => word.startsWith(part)));
  return beginsAWord ? 1 : 2;
}
