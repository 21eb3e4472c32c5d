import type { UpdateChoice, UpdateState } from "@comanda/protocol";

/** The update flow as the rest of the app sees it. */
export interface Updates {
  state: () => UpdateState;
  choose: (choice: UpdateChoice) => void;
}

/** An app that is told of no update source has nothing to check. */
export function noUpdates(): Updates {
  return { state: () => ({ name: "app" }), choose: () => undefined };
}
