import { chosenScheme, type ColorScheme, STORED_AS } from "./color-scheme.ts";
import { useStore } from "./store.ts";

export function useColorScheme(): ColorScheme {
  return useStore(chosenScheme);
}

/** Applies and stores a colour scheme. If the browser stores nothing, it lasts as long as the page. */
export function chooseColorScheme(scheme: ColorScheme): void {
  try {
    localStorage.setItem(STORED_AS, scheme);
  } catch {
    // The page uses the scheme anyway.
  }
  chosenScheme.set(scheme);
}
