import type { MantineColorScheme } from "@mantine/core";
import { IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react";

/** The colour schemes. `name` is the key of their text in the shell's table. The last scheme is the default. */
export const schemes = [
  { value: "light", name: "light", Icon: IconSun },
  { value: "dark", name: "dark", Icon: IconMoon },
  { value: "auto", name: "system_theme", Icon: IconDeviceDesktop },
] as const satisfies readonly { value: MantineColorScheme; name: string; Icon: typeof IconSun }[];
