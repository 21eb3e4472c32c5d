import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { Router } from "wouter";
import { useHashLocation } from "wouter/use-hash-location";
import { hubCache } from "../lib/hub.ts";
import { createLive, LiveContext } from "../lib/live.ts";
import { DesktopFrame } from "./desktop-frame.tsx";
import { StreamSync } from "./stream-sync.tsx";
import { FormatProvider } from "./format-provider.tsx";
import { Screens } from "./screens.tsx";
import { theme, variables } from "./theme.ts";

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
              <Notifications position="bottom-right" containerWidth={420} />
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
