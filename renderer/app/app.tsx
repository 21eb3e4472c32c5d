import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { Router } from "wouter";
import { useHashLocation } from "wouter/use-hash-location";
import { HubFailure } from "../lib/hub-failure.ts";
import { createLive } from "../lib/live.ts";
import { LiveContext } from "../lib/live-context.ts";
import { DesktopFrame } from "./desktop-frame.tsx";
import { Follow } from "./follow.tsx";
import { Formats } from "./formats.tsx";
import { Screens } from "./screens.tsx";
import { theme, variables } from "./theme.ts";

const colorScheme = localStorageColorSchemeManager({ key: "comanda-color-scheme" });
const live = createLive();

/** The stream tells when something is to be read again: nothing goes stale by age, nothing is polled. */
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      retry: (failures, error) =>
        failures < 3 && (!(error instanceof HubFailure) || error.code === "HUB-NO_CONNECTION"),
    },
  },
});

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      colorSchemeManager={colorScheme}
    >
      <QueryClientProvider client={queries}>
        <LiveContext value={live}>
          <Formats>
            <Router hook={useHashLocation}>
              <Follow />
              <Notifications position="bottom-right" containerWidth={420} />
              <DesktopFrame>
                <Screens />
              </DesktopFrame>
            </Router>
          </Formats>
        </LiveContext>
      </QueryClientProvider>
    </MantineProvider>
  );
}
