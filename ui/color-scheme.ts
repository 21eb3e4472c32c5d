import { createStore, useStore } from "./store.ts";

export const colorSchemes = ["light", "dark", "auto"] as const;
/** `auto`: as the device has it. */
export type ColorScheme = (typeof colorSchemes)[number];

/** As public/before-paint.js, which has read it before this runs, and as the screens keep it. */
const STORED_AS = "comanda-color-scheme";

const systemDark = matchMedia("(prefers-color-scheme: dark)");
const chosen = createStore<ColorScheme>(readChosen());

/** Keeps the page in the chosen colours: when another is chosen, here or in another tab, and when the device changes its own. */
export function followColorScheme(): void {
  chosen.subscribe(paint);
  systemDark.addEventListener("change", paint);
  addEventListener("storage", ({ key }) => {
    if (key === STORED_AS) chosen.set(readChosen());
  });
  paint();
}

export function useColorScheme(): ColorScheme {
  return useStore(chosen);
}

/** Where the browser keeps nothing, it lasts as long as the page. */
export function chooseColorScheme(scheme: ColorScheme): void {
  try {
    localStorage.setItem(STORED_AS, scheme);
  } catch {
    // The page shows it all the same.
  }
  chosen.set(scheme);
}

function readChosen(): ColorScheme {
  try {
    const stored = localStorage.getItem(STORED_AS);
    return colorSchemes.find((scheme) => scheme === stored) ?? "auto";
  } catch {
    return "auto";
  }
}

function paint(): void {
  const scheme = chosen.get();
  const isDark = scheme === "dark" || (scheme === "auto" && systemDark.matches);
  document.documentElement.dataset["mantineColorScheme"] = isDark ? "dark" : "light";
}
