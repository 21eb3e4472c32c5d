import { useCallback, useLayoutEffect, useRef } from "react";

/** A function that stays the same from one drawing to the next and does what the last one of them would. Not for drawing. */
export function useStable<Given extends unknown[], Answer>(act: (...given: Given) => Answer) {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...given: Given): Answer => latest.current(...given), []);
}
