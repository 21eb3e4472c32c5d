import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { Router } from "wouter";
import { useHashLocation } from "wouter/use-hash-location";
import { CutTextHint } from "../components/cut-text-hint.tsx";
import { hubCache } from "../lib/hub.ts";
import { createLive, LiveContext } from "../lib/live.ts";
import { DocumentTitle } from "./document-title.tsx";
import { DesktopFrame } from "./desktop-frame.tsx";
import { StreamSync } from "./stream-sync.tsx";
import { FormatProvider } from "./format-provider.tsx";
import { Screens } from "./screens.tsx";
import { theme, variables } from "@comanda/ui/theme.ts";

const colorScheme = localStorageColorSchemeManager({ key: "comanda-color-scheme" });
const live = createLive();

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      colorSchemeManager={colorScheme}
    >
      <QueryClientProvider client={hubCache}>
        <LiveContext value={live}>
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
        </LiveContext>
      </QueryClientProvider>
    </MantineProvider>
  );
}
