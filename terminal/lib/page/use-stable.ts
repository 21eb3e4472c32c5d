import { useCallback, useLayoutEffect, useRef } from "react";

/** Returns a function with a stable identity that calls the latest `act`. Must not be called while rendering. */
export function useStable<Args extends unknown[], Answer>(act: (...args: Args) => Answer) {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...args: Args): Answer => latest.current(...args), []);
}
