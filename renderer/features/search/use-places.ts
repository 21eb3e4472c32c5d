import { useMantineColorScheme } from "@mantine/core";
import { useMemo } from "react";
import { useLocation } from "wouter";
import { useTranslation } from "@comanda/ui/translation.ts";
import { chooseLanguage } from "../../lib/choose-language.ts";
import type { Result } from "./result.ts";

/** Returns the screens and their tabs by address. Without a sign-in, all but Service lead to the sign-in. */
export function useScreens(): Result[] {
  const { t } = useTranslation([
    "shell",
    "terminals",
    "kitchen",
    "tills",
    "backOffice",
    "integrations",
    "printers",
    "system",
  ]);
  const [, go] = useLocation();
  return useMemo(() => {
    const place = (path: string, label: string, about?: string): Result => ({
      id: path,
      label,
      about,
      open: () => go(path),
    });
    return [
      place("/", t("shell:service")),
      place("/orders", t("shell:orders")),
      place("/today", t("shell:today")),
      place("/terminals", t("shell:terminals")),
      place("/kitchen", t("shell:kitchen")),
      place("/tills", t("shell:tills")),
      place("/back-office", t("shell:backOffice")),
      place("/reservations", t("shell:reservations")),
      place("/integrations", t("shell:integrations")),
      place("/printers", t("shell:printers")),
      place("/system", t("shell:system")),
      ...(["leases", "people", "connect", "practice"] as const).map((tab) =>
        place(`/terminals/${tab}`, t(`terminals:tabs.${tab}`), t("shell:terminals")),
      ),
      ...(["out", "stations"] as const).map((tab) =>
        place(`/kitchen/${tab}`, t(`kitchen:tabs.${tab}`), t("shell:kitchen")),
      ),
      ...(["shifts", "none", "tips", "tills"] as const).map((tab) =>
        place(`/tills/${tab}`, t(`tills:tabs.${tab}`), t("shell:tills")),
      ),
      ...(["closing", "attention", "fiscal", "history"] as const).map((tab) =>
        place(`/back-office/${tab}`, t(`backOffice:tabs.${tab}`), t("shell:backOffice")),
      ),
      ...(["webhooks", "deliveries", "plugins", "tools"] as const).map((tab) =>
        place(`/integrations/${tab}`, t(`integrations:tabs.${tab}`), t("shell:integrations")),
      ),
      ...(["routes", "jobs"] as const).map((tab) =>
        place(`/printers/${tab}`, t(`printers:tabs.${tab}`), t("shell:printers")),
      ),
      ...(["settings", "backups", "data", "logs", "audit"] as const).map((tab) =>
        place(`/system/${tab}`, t(`system:tabs.${tab}`), t("shell:system")),
      ),
    ];
  }, [t, go]);
}

/** Returns the actions that are available everywhere. */
export function useActions(): Result[] {
  const { t, language } = useTranslation("search");
  const [, go] = useLocation();
  const { setColorScheme } = useMantineColorScheme();
  return [
    { id: "wall", label: t("actions.wall"), open: () => go("/wall") },
    { id: "light", label: t("actions.light"), open: () => setColorScheme("light") },
    { id: "dark", label: t("actions.dark"), open: () => setColorScheme("dark") },
    {
      id: "language",
      label: t("actions.language"),
      open: () => chooseLanguage(language === "en" ? "es" : "en"),
    },
  ];
}
