import { createStore, useStore } from "@comanda/ui/store.ts";
import { useContext } from "react";
import { PersonContext } from "../../lib/person.ts";
import { emptyDraft, type Draft } from "./draft.ts";

const kept = createStore({ by: "", draft: emptyDraft });

/** What whoever is signed in has written and not sent: it outlives the end of their session, and is nobody else's. */
export function useKeptDraft(): { draft: Draft; change(part: Partial<Draft>): void } {
  const by = useContext(PersonContext)?.login ?? "";
  const draft = draftOf(by, useStore(kept));
  return { draft, change: (part) => kept.set({ by, draft: { ...draftOf(by, kept.get()), ...part } }) };
}

const draftOf = (by: string, last: { by: string; draft: Draft }): Draft => (last.by === by ? last.draft : emptyDraft);

/** Headquarters have taken it. */
export function forgetDraft(): void {
  kept.set({ by: "", draft: emptyDraft });
}
