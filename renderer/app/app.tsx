import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { Router, useLocation } from "wouter";
import { useHashLocation } from "wouter/use-hash-location";
import { CutTextHint } from "../components/tables/cut-text-hint.tsx";
import { hubCache, useHub } from "../lib/hub.ts";
import { useConnection } from "../lib/live.ts";
import { decodeSegment } from "./decode-segment.ts";
import { DesktopFrame } from "./desktop-frame.tsx";
import { StreamSync } from "./stream-sync.tsx";
import { Screens } from "./screens.tsx";
import { theme, variables } from "@comanda/ui/theme.ts";
import { useMemo, type ReactNode, useEffect } from "react";
import { createFormat, FormatContext } from "@comanda/ui/format.ts";
import { useLanguage, useTranslation } from "@comanda/ui/translation.ts";
import { pendingCount, screenNameOf } from "./navigation.tsx";

const colorScheme = localStorageColorSchemeManager({ key: "comanda-color-scheme" });

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      colorSchemeManager={colorScheme}
    >
      <QueryClientProvider client={hubCache}>
        <FormatProvider>
          <Router hook={useHashLocation}>
            <StreamSync />
            <DocumentTitle />
            <Notifications position="top-center" containerWidth={420} />
            <CutTextHint />
            <DesktopFrame>
              <Screens />
            </DesktopFrame>
          </Router>
        </FormatProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** Provides the formats of money, dates and numbers for the chosen language and the point of sale's currency. */
function FormatProvider({ children }: { children: ReactNode }) {
  const language = useLanguage();
  const { data: overview } = useHub("overview");
  const currency = overview?.detail?.currency;
  const timeZone = overview?.hub.timeZone;
  const format = useMemo(() => createFormat(language, currency, timeZone), [language, currency, timeZone]);
  return <FormatContext value={format}>{children}</FormatContext>;
}

/**
 * Sets the title of the browser tab: the order or screen, the restaurant, and in front the number of things that need
 * attention, or a mark while the hub is unreachable.
 */
function DocumentTitle() {
  const { t } = useTranslation(["shell", "service"]);
  const [location] = useLocation();
  const { data: overview } = useHub("overview");
  const isLost = useConnection().state === "lost";
  const screen = screenNameOf(location);
  const name = location === "/wall" ? t("service:wall") : t(`shell:${screen}`);
  const [, , reference] = screen === "orders" ? location.split("/") : [];
  const count = overview === undefined ? 0 : pendingCount(overview);
  const mark = isLost ? "⚠ " : count > 0 ? `(${count}) ` : "";
  const parts = [reference === undefined ? null : decodeSegment(reference), name, overview?.hub.name ?? "Comanda Hub"];
  const title = mark + parts.filter(Boolean).join(" · ");
  useEffect(() => {
    document.title = title;
  }, [title]);
  return null;
}
