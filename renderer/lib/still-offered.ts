import { useState } from "react";

/** A choice from a list, or none, with the function that changes it. */
export function useChoice(offered: readonly string[] | undefined): [string | null, (chosen: string | null) => void] {
  const [chosen, setChosen] = useState<string | null>(null);
  return [stillOffered(chosen, offered), setChosen];
}

/** What was chosen of a list: null for any, also once somebody has removed it elsewhere. A list that was not read yet removes nothing. */
export function stillOffered(chosen: string | null, offered: readonly string[] | undefined): string | null {
  return chosen === null || offered === undefined || offered.includes(chosen) ? chosen : null;
}
