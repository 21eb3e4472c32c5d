import { useCallback, useLayoutEffect, useRef } from "react";

/** Returns a function with a stable identity that calls the latest `act`. Must not be called while rendering. */
export function useStable<Given extends unknown[], Answer>(act: (...given: Given) => Answer) {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...given: Given): Answer => latest.current(...given), []);
}
