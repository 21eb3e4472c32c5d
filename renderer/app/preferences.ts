import type { MantineColorScheme } from "@mantine/core";
import { IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react";
import { changeLanguage } from "@comanda/ui/translation.ts";
import { desktopBridge } from "../lib/desktop.ts";

/** The languages of the screens, each by its own name. */
export const languages = [
  { value: "es", short: "ES", name: "Español" },
  { value: "en", short: "EN", name: "English" },
] as const;

/** Changes the language here and in the desktop app around the page. */
export function chooseLanguage(language: string): void {
  const next = language === "en" ? "en" : "es";
  void changeLanguage(next);
  void desktopBridge()?.setLanguage(next);
}

/** The colour schemes by their text in the shell's table; the last is the default. */
export const schemes = [
  { value: "light", name: "light", Icon: IconSun },
  { value: "dark", name: "dark", Icon: IconMoon },
  { value: "auto", name: "system_theme", Icon: IconDeviceDesktop },
] as const satisfies readonly { value: MantineColorScheme; name: string; Icon: typeof IconSun }[];
