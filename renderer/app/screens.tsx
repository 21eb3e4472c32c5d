import { Button } from "@mantine/core";
import { type ComponentType, type ReactNode, useEffect, useRef, Component, Suspense } from "react";
import { fetchParts, lazyScreen } from "@comanda/ui/lazy-part.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Route, Switch, useLocation } from "wouter";
import { Empty } from "../components/layout/empty.tsx";
import type { TabProps } from "../components/layout/screen.tsx";
import { ServiceScreen } from "../features/service/service-screen.tsx";
import { WallScreen } from "../features/service/wall-screen.tsx";
import { SignInGate } from "../features/sign-in/sign-in-gate.tsx";
import { StatusSentence } from "../features/status/status-sentence.tsx";
import { Waiting } from "../components/tables/loaded.tsx";
import { useConnection } from "../lib/live.ts";
import { useIsManager, useSession } from "../lib/session.ts";
import { decodeSegment } from "./decode-segment.ts";
import { Shell } from "./shell.tsx";

const OrdersScreen = lazyScreen(() => import("../features/orders/orders-screen.tsx"), "default");

/** The manager screens except Orders, by address. The address of a screen with tabs contains the tab. */
const managerScreens: readonly [path: string, Screen: ComponentType<TabProps>][] = [
  ["/today/:tab?", lazyScreen(() => import("../features/today/today-screen.tsx"), "default")],
  ["/terminals/:tab?", lazyScreen(() => import("../features/terminals/terminals-screen.tsx"), "default")],
  ["/kitchen/:tab?", lazyScreen(() => import("../features/kitchen/kitchen-screen.tsx"), "default")],
  ["/tills/:tab?", lazyScreen(() => import("../features/tills/tills-screen.tsx"), "default")],
  ["/back-office/:tab?", lazyScreen(() => import("../features/back-office/back-office-screen.tsx"), "default")],
  ["/integrations/:tab?", lazyScreen(() => import("../features/integrations/integrations-screen.tsx"), "default")],
  ["/printers/:tab?", lazyScreen(() => import("../features/printers/printers-screen.tsx"), "default")],
  ["/reservations", lazyScreen(() => import("../features/reservations/reservations-screen.tsx"), "default")],
  ["/system/:tab?", lazyScreen(() => import("../features/system/system-screen.tsx"), "default")],
];

const PREFETCH_AFTER_MS = 3_000;

/** Renders the screen of the current address. */
export function Screens() {
  const [location] = useLocation();
  useScreenFocus();
  useScreensAhead();
  // The key of the error boundary: opening another screen clears the error of a failed one.
  const [, screen] = location.split("/");
  return (
    <Switch>
      <Route path="/wall">
        <WallScreen sentence={<StatusSentence size="wall" />} />
      </Route>
      <Route>
        <Shell>
          <ErrorBoundary key={screen}>
            <Switch>
              <Route path="/">
                <ServiceScreen sentence={<StatusSentence size="hero" />} />
              </Route>
              <Route path="/orders/:ref?">
                {({ ref }) => (
                  <RequireManager>
                    <OrdersScreen posReference={ref === undefined ? undefined : decodeSegment(ref)} />
                  </RequireManager>
                )}
              </Route>
              {managerScreens.map(([path, Screen]) => (
                <Route<{ tab?: string }> key={path} path={path}>
                  {({ tab }) => (
                    <RequireManager>
                      <Screen tab={tab} />
                    </RequireManager>
                  )}
                </Route>
              ))}
              <Route>
                <NotFound />
              </Route>
            </Switch>
          </ErrorBoundary>
        </Shell>
      </Route>
    </Switch>
  );
}

function RequireManager({ children }: { children: ReactNode }) {
  return (
    <>
      <StatusSentence size="bar" />
      <SignInGate>
        <Suspense fallback={<LoadingScreen />}>{children}</Suspense>
      </SignInGate>
    </>
  );
}

/** Shown while the code of a screen loads. Says so if the hub is unreachable. */
function LoadingScreen() {
  const { t } = useTranslation("shell");
  if (useConnection().state !== "lost") return <Waiting height={320} />;
  return (
    <Empty isScreen title={t("notHereTitle")}>
      {t("notHereAbout")}
    </Empty>
  );
}

/** Preloads the code of all screens, so that a manager can open them while the hub is unreachable. */
function useScreensAhead(): void {
  const isSignedIn = useIsManager();
  const isLive = useConnection().state === "live";
  // Delayed, so that the requested screen loads first.
  useEffect(() => (isSignedIn && isLive ? fetchParts(PREFETCH_AFTER_MS) : undefined), [isSignedIn, isLive]);
}

function NotFound() {
  const { t } = useTranslation("shell");
  return (
    <Empty isScreen title={t("notFoundTitle")} way={{ to: "/", label: t("toService") }}>
      {t("notFoundAbout")}
    </Empty>
  );
}

/**
 * Scrolls to the top and focuses the main part when another screen opens, also after a sign-in. Screen readers then read its
 * name. Another tab of the same screen leaves the focus where it is.
 */
function useScreenFocus(): void {
  const [location] = useLocation();
  const isOut = useSession().state === "out";
  const screen = `${location.split("/")[1]} ${isOut}`;
  const shown = useRef(screen);
  useEffect(() => {
    if (shown.current === screen) return;
    shown.current = screen;
    window.scrollTo(0, 0);
    document.querySelector("main")?.focus({ preventScroll: true });
  }, [screen]);
}

/** Shows a notice in place of a screen that failed, so that the other screens still work. */
class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? <FailedScreen /> : this.props.children;
  }
}

function FailedScreen() {
  const { t } = useTranslation("shell");
  return (
    <Empty isScreen title={t("failedTitle")} action={<Button onClick={() => location.reload()}>{t("reload")}</Button>}>
      {t("failedAbout")}
    </Empty>
  );
}
