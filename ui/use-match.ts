import { useSyncExternalStore } from "react";

/** Whether the window, the device or the paper is as a query asks. */
export function useMatch(query: MediaQueryList): boolean {
  return useSyncExternalStore(
    (listener) => {
      query.addEventListener("change", listener);
      return () => query.removeEventListener("change", listener);
    },
    () => query.matches,
  );
}
