import { lazy, Suspense, type ReactNode } from "react";
import { Route, Switch, useLocation } from "wouter";
import { ServiceScreen } from "../features/service/service-screen.tsx";
import { WallScreen } from "../features/service/wall-screen.tsx";
import { SignInGate } from "../features/sign-in/sign-in-gate.tsx";
import { StatusSentence } from "../features/status/status-sentence.tsx";
import { Broken } from "./broken.tsx";
import { NotFound } from "./not-found.tsx";
import { Shell } from "./shell.tsx";

const OrdersScreen = lazy(() => import("../features/orders/orders-screen.tsx"));
const TerminalsScreen = lazy(() => import("../features/terminals/terminals-screen.tsx"));
const KitchenScreen = lazy(() => import("../features/kitchen/kitchen-screen.tsx"));
const BackOfficeScreen = lazy(() => import("../features/back-office/back-office-screen.tsx"));
const IntegrationsScreen = lazy(() => import("../features/integrations/integrations-screen.tsx"));
const ReservationsScreen = lazy(() => import("../features/reservations/reservations-screen.tsx"));
const SystemScreen = lazy(() => import("../features/system/system-screen.tsx"));

/** Which address shows which screen, and which of them ask for a manager. */
export function Screens() {
  const [location] = useLocation();
  // A screen that failed is left behind by going to another one.
  const [, screen] = location.split("/");
  return (
    <Switch>
      <Route path="/wall">
        <WallScreen sentence={<StatusSentence size="wall" />} />
      </Route>
      <Route>
        <Shell>
          <Broken key={screen}>
            <Suspense fallback={null}>
              <Switch>
                <Route path="/">
                  <ServiceScreen sentence={<StatusSentence size="hero" />} />
                </Route>
                <Route path="/orders/:ref?">
                  {({ ref }) => <Managers screen={<OrdersScreen posReference={decoded(ref)} />} />}
                </Route>
                <Route path="/terminals/:tab?">
                  {({ tab }) => <Managers screen={<TerminalsScreen tab={tab} />} />}
                </Route>
                <Route path="/kitchen">
                  <Managers screen={<KitchenScreen />} />
                </Route>
                <Route path="/back-office/:tab?">
                  {({ tab }) => <Managers screen={<BackOfficeScreen tab={tab} />} />}
                </Route>
                <Route path="/integrations/:tab?">
                  {({ tab }) => <Managers screen={<IntegrationsScreen tab={tab} />} />}
                </Route>
                <Route path="/reservations">
                  <Managers screen={<ReservationsScreen />} />
                </Route>
                <Route path="/system/:tab?">{({ tab }) => <Managers screen={<SystemScreen tab={tab} />} />}</Route>
                <Route>
                  <NotFound />
                </Route>
              </Switch>
            </Suspense>
          </Broken>
        </Shell>
      </Route>
    </Switch>
  );
}

/** A segment of the address as it was before it was encoded; one that cannot be decoded is taken as it stands. */
function decoded(segment: string | undefined): string | undefined {
  try {
    return segment === undefined ? undefined : decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function Managers({ screen }: { screen: ReactNode }) {
  return (
    <>
      <StatusSentence size="bar" />
      <SignInGate>{screen}</SignInGate>
    </>
  );
}
