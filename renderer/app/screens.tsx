import { Button } from "@mantine/core";
import { type ReactNode, useEffect, useRef, Component } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Route, Switch, useLocation } from "wouter";
import { Empty } from "../components/layout/empty.tsx";
import type { TabProps } from "../components/layout/screen.tsx";
import { ServiceScreen } from "../features/service/service-screen.tsx";
import { WallScreen } from "../features/service/wall-screen.tsx";
import { SignInGate } from "../features/sign-in/sign-in-gate.tsx";
import { StatusSentence } from "../features/status/status-sentence.tsx";
import { useSession } from "../lib/session.ts";
import { decoded } from "./decoded.ts";
import { lazyScreen, type LazyScreen, ScreensAhead } from "./lazy-screen.tsx";
import { Shell } from "./shell.tsx";

const orders = lazyScreen(() => import("../features/orders/orders-screen.tsx"));
const today = lazyScreen(() => import("../features/today/today-screen.tsx"));
const terminals = lazyScreen(() => import("../features/terminals/terminals-screen.tsx"));
const kitchen = lazyScreen(() => import("../features/kitchen/kitchen-screen.tsx"));
const tills = lazyScreen(() => import("../features/tills/tills-screen.tsx"));
const backOffice = lazyScreen(() => import("../features/back-office/back-office-screen.tsx"));
const integrations = lazyScreen(() => import("../features/integrations/integrations-screen.tsx"));
const printers = lazyScreen(() => import("../features/printers/printers-screen.tsx"));
const reservations = lazyScreen(() => import("../features/reservations/reservations-screen.tsx"));
const system = lazyScreen(() => import("../features/system/system-screen.tsx"));

/** The screens for managers, except Orders, by address; those in tabs have the tab in it. */
const managerScreens: readonly [path: string, screen: LazyScreen<TabProps>][] = [
  ["/today/:tab?", today],
  ["/terminals/:tab?", terminals],
  ["/kitchen/:tab?", kitchen],
  ["/tills/:tab?", tills],
  ["/back-office/:tab?", backOffice],
  ["/integrations/:tab?", integrations],
  ["/printers/:tab?", printers],
  ["/reservations", reservations],
  ["/system/:tab?", system],
];

const fetchedAhead = [orders, ...managerScreens.map(([, screen]) => screen)];

/** The screen of each address. */
export function Screens() {
  const [location] = useLocation();
  useScreenFocus();
  // Going to another screen leaves a failed one behind.
  const [, screen] = location.split("/");
  return (
    <Switch>
      <Route path="/wall">
        <WallScreen sentence={<StatusSentence size="wall" />} />
      </Route>
      <Route>
        <Shell>
          <ErrorBoundary key={screen}>
            <ScreensAhead screens={fetchedAhead} />
            <Switch>
              <Route path="/">
                <ServiceScreen sentence={<StatusSentence size="hero" />} />
              </Route>
              <Route path="/orders/:ref?">
                {({ ref }) => (
                  <RequireManager>
                    <orders.Screen posReference={ref === undefined ? undefined : decoded(ref)} />
                  </RequireManager>
                )}
              </Route>
              {managerScreens.map(([path, { Screen }]) => (
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
      <SignInGate>{children}</SignInGate>
    </>
  );
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
 * Another screen, also one that a sign-in has opened, begins at its top, with the focus on its main part, whose name a
 * screen reader says. A tab of the same screen keeps the focus where it is.
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

/** Shows a notice in place of a screen that failed, so that the others still work. */
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
