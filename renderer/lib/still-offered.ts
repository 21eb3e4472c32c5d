import { useState } from "react";

/** Returns a choice from a list, or null, and the function that changes it. */
export function useChoice(offered: readonly string[] | undefined): [string | null, (chosen: string | null) => void] {
  const [chosen, setChosen] = useState<string | null>(null);
  return [stillOffered(chosen, offered), setChosen];
}

/** Returns the choice, or null if the list no longer has it. A list that is not read yet keeps it. */
export function stillOffered(chosen: string | null, offered: readonly string[] | undefined): string | null {
  return chosen === null || offered === undefined || offered.includes(chosen) ? chosen : null;
}
