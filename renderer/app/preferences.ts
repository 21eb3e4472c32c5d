import type { MantineColorScheme } from "@mantine/core";
import { IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react";

/** The languages of the screens, each by its own name. */
export const languages = [
  { value: "es", short: "ES", name: "Español" },
  { value: "en", short: "EN", name: "English" },
] as const;

/** The colour schemes by their text in the shell's table; the last is the default. */
export const schemes = [
  { value: "light", name: "light", Icon: IconSun },
  { value: "dark", name: "dark", Icon: IconMoon },
  { value: "auto", name: "system_theme", Icon: IconDeviceDesktop },
] as const satisfies readonly { value: MantineColorScheme; name: string; Icon: typeof IconSun }[];
