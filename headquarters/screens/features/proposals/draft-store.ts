import { createStore, useStore } from "@comanda/ui/store.ts";
import { useContext } from "react";
import { PersonContext } from "../../lib/person.ts";
import { emptyDraft, type Draft } from "./draft.ts";

const store = createStore({ by: "", draft: emptyDraft });

/** Returns the unsent draft of the signed-in person. It outlives their session, and is hidden from other people. */
export function useDraft(): { draft: Draft; change(part: Partial<Draft>): void } {
  const by = useContext(PersonContext)?.login ?? "";
  const draft = draftOf(by, useStore(store));
  return { draft, change: (part) => store.set({ by, draft: { ...draftOf(by, store.get()), ...part } }) };
}

const draftOf = (by: string, last: { by: string; draft: Draft }): Draft => (last.by === by ? last.draft : emptyDraft);

/** Clears the draft after headquarters have accepted it. */
export function forgetDraft(): void {
  store.set({ by: "", draft: emptyDraft });
}
