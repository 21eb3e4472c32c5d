import { createStore } from "./store.ts";

export const colorSchemes = ["light", "dark", "auto"] as const;
/** `auto`: as the device has it. */
export type ColorScheme = (typeof colorSchemes)[number];

/** As public/before-paint.js, which has read it before this runs, and as the screens keep it. */
export const STORED_AS = "comanda-color-scheme";

const systemDark = matchMedia("(prefers-color-scheme: dark)");
export const chosenScheme = createStore<ColorScheme>(readChosen());

/** Keeps the page in the chosen colours: when another is chosen, here or in another tab, and when the device changes its own. */
export function followColorScheme(): void {
  chosenScheme.subscribe(paint);
  systemDark.addEventListener("change", paint);
  addEventListener("storage", ({ key }) => {
    if (key === STORED_AS) chosenScheme.set(readChosen());
  });
  paint();
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
  const scheme = chosenScheme.get();
  const isDark = scheme === "dark" || (scheme === "auto" && systemDark.matches);
  document.documentElement.dataset["mantineColorScheme"] = isDark ? "dark" : "light";
}
