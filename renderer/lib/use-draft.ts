import { useCallback, useState } from "react";

/** Returns a form's text that survives a reload of this window. Never for passwords, tokens or secrets. */
export function useDraft(name: string, initial = ""): [string, (value: string) => void, () => void] {
  const key = `comanda-draft-${name}`;
  const [value, setValue] = useState(() => sessionStorage.getItem(key) ?? initial);
  const change = useCallback(
    (next: string) => {
      setValue(next);
      sessionStorage.setItem(key, next);
    },
    [key],
  );
  const clear = useCallback(() => {
    setValue(initial);
    sessionStorage.removeItem(key);
  }, [key, initial]);
  return [value, change, clear];
}
