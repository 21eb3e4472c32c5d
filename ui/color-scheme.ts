import { createStore } from "./store.ts";

export const colorSchemes = ["light", "dark", "auto"] as const;
/** `auto`: as the device is set. */
export type ColorScheme = (typeof colorSchemes)[number];

/** The storage key, shared with the screens and with public/before-paint.js, which reads it earlier. */
export const STORED_AS = "comanda-color-scheme";

const systemDark = matchMedia("(prefers-color-scheme: dark)");
export const chosenScheme = createStore<ColorScheme>(readChosen());

/** Keeps the page in the chosen colours, whether they are changed here, in another tab, or by the device. */
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
