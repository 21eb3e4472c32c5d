import { useState } from "react";
import { cache } from "./cache.ts";

/** Runs the action of a button, and reads everything again if it succeeded. `error` is the last failure. */
export function useAct() {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  async function act(work: () => Promise<unknown>): Promise<boolean> {
    setBusy(true);
    setError(null);
    try {
      await work();
      await cache.invalidateQueries();
      return true;
    } catch (failure) {
      setError(failure);
      return false;
    } finally {
      setBusy(false);
    }
  }
  return { isBusy, error, act };
}
