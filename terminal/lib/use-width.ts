import { useSyncExternalStore } from "react";

/** What fits: a phone in one hand, a tablet, a PC. */
export type Width = "phone" | "tablet" | "pc";

const tablet = matchMedia("(min-width: 600px)");
const pc = matchMedia("(min-width: 1100px)");

export function useWidth(): Width {
  return useSyncExternalStore(
    (listener) => {
      for (const query of [tablet, pc]) query.addEventListener("change", listener);
      return () => {
        for (const query of [tablet, pc]) query.removeEventListener("change", listener);
      };
    },
    () => (pc.matches ? "pc" : tablet.matches ? "tablet" : "phone"),
  );
}
