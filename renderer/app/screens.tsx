import { Button } from "@mantine/core";
import { lazy, Suspense, type ComponentType, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link, Route, Switch, useLocation } from "wouter";
import { Empty } from "../components/empty.tsx";
import type { TabProps } from "../components/screen.tsx";
import { ServiceScreen } from "../features/service/service-screen.tsx";
import { WallScreen } from "../features/service/wall-screen.tsx";
import { SignInGate } from "../features/sign-in/sign-in-gate.tsx";
import { StatusSentence } from "../features/status/status-sentence.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Shell } from "./shell.tsx";

const OrdersScreen = lazy(() => import("../features/orders/orders-screen.tsx"));
const TerminalsScreen = lazy(() => import("../features/terminals/terminals-screen.tsx"));
const KitchenScreen = lazy(() => import("../features/kitchen/kitchen-screen.tsx"));
const BackOfficeScreen = lazy(() => import("../features/back-office/back-office-screen.tsx"));
const IntegrationsScreen = lazy(() => import("../features/integrations/integrations-screen.tsx"));
const ReservationsScreen = lazy(() => import("../features/reservations/reservations-screen.tsx"));
const SystemScreen = lazy(() => import("../features/system/system-screen.tsx"));

/** The screens for managers, except Orders, by address; those in tabs have the tab in it. */
const managerScreens: readonly [path: string, screen: ComponentType<TabProps>][] = [
  ["/terminals/:tab?", TerminalsScreen],
  ["/kitchen/:tab?", KitchenScreen],
  ["/back-office/:tab?", BackOfficeScreen],
  ["/integrations/:tab?", IntegrationsScreen],
  ["/reservations", ReservationsScreen],
  ["/system/:tab?", SystemScreen],
];

/** The screen of each address. */
export function Screens() {
  const [location] = useLocation();
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
            <Suspense fallback={null}>
              <Switch>
                <Route path="/">
                  <ServiceScreen sentence={<StatusSentence size="hero" />} />
                </Route>
                <Route path="/orders/:ref?">
                  {({ ref }) => (
                    <RequireManager>
                      <OrdersScreen posReference={decoded(ref)} />
                    </RequireManager>
                  )}
                </Route>
                {managerScreens.map(([path, ManagerScreen]) => (
                  <Route<{ tab?: string }> key={path} path={path}>
                    {({ tab }) => (
                      <RequireManager>
                        <ManagerScreen tab={tab} />
                      </RequireManager>
                    )}
                  </Route>
                ))}
                <Route>
                  <NotFound />
                </Route>
              </Switch>
            </Suspense>
          </ErrorBoundary>
        </Shell>
      </Route>
    </Switch>
  );
}

/** A decoded segment of the address; one that cannot be decoded is used as it is. */
function decoded(segment: string | undefined): string | undefined {
  try {
    return segment === undefined ? undefined : decodeURIComponent(segment);
  } catch {
    return segment;
  }
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
    <Empty
      title={t("notFoundTitle")}
      action={
        <Button component={Link} href="/">
          {t("toService")}
        </Button>
      }
    >
      {t("notFoundAbout")}
    </Empty>
  );
}
