import { Suspense, useEffect } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Redirect, Route, Switch } from "wouter";
import { readDevice } from "../lib/device/device.ts";
import { fetchParts, lazyScreen } from "@comanda/ui/lazy-part.ts";
import { useLasting } from "../lib/page/use-lasting.ts";
import { Shell } from "./shell.tsx";

/** Named once: each import adds its list of files to the first load. */
const waiterScreens = () => import("./waiter-screens.ts");
const FloorPlace = lazyScreen(() => import("./floor-place.tsx"), "FloorPlace");
const TableScreen = lazyScreen(waiterScreens, "TableScreen");
const CheckScreen = lazyScreen(waiterScreens, "CheckScreen");
const TakeawayPlace = lazyScreen(waiterScreens, "TakeawayPlace");
const ConflictsScreen = lazyScreen(waiterScreens, "ConflictsScreen");
const DeviceScreen = lazyScreen(waiterScreens, "DeviceScreen");
const NewTakeawayScreen = lazyScreen(waiterScreens, "NewTakeawayScreen");
const PayScreen = lazyScreen(waiterScreens, "PayScreen");
const BillScreen = lazyScreen(waiterScreens, "BillScreen");
const RecentScreen = lazyScreen(waiterScreens, "RecentScreen");
const KitchenScreen = lazyScreen(() => import("../features/kitchen/kitchen-screen.tsx"), "KitchenScreen");
const ExpoScreen = lazyScreen(() => import("../features/kitchen/expo-screen.tsx"), "ExpoScreen");
const TillScreen = lazyScreen(waiterScreens, "TillScreen");
const HostScreen = lazyScreen(() => import("../features/host/host-screen.tsx"), "HostScreen");

/** All screens by path. */
export function Screens() {
  return (
    <Shell>
      <Suspense fallback={<PendingScreen />}>
        <Switch>
          <Route path="/floor" component={FloorPlace} />
          <Route path="/table/:tableId/check">
            {({ tableId }) => <TableScreen key={tableId} tableId={Number(tableId)} isCheckOpen />}
          </Route>
          <Route path="/table/:tableId">
            {({ tableId }) => <TableScreen key={tableId} tableId={Number(tableId)} />}
          </Route>
          <Route path="/check/:posReference">
            {({ posReference }) => <CheckScreen posReference={decodeURIComponent(posReference)} />}
          </Route>
          <Route path="/takeaway" component={TakeawayPlace} />
          <Route path="/conflicts" component={ConflictsScreen} />
          <Route path="/device" component={DeviceScreen} />
          <Route path="/takeaway/new" component={NewTakeawayScreen} />
          <Route path="/pay/:posReference/:parts?">
            {({ posReference }) => <PayScreen key={posReference} posReference={decodeURIComponent(posReference)} />}
          </Route>
          <Route path="/bill/:posReference">
            {({ posReference }) => <BillScreen posReference={decodeURIComponent(posReference)} />}
          </Route>
          <Route path="/recent" component={RecentScreen} />
          <Route path="/kitchen" component={KitchenScreen} />
          <Route path="/expo" component={ExpoScreen} />
          <Route path="/till" component={TillScreen} />
          <Route path="/host" component={HostScreen} />
          <Route>
            <Redirect to={`/${readDevice().startScreen}`} replace />
          </Route>
        </Switch>
        <FetchAhead />
      </Suspense>
    </Shell>
  );
}

/** Fetches what comes after the first screen. Its effect runs once that screen is shown, not while it is fetched. */
function FetchAhead() {
  useEffect(fetchParts, []);
  return null;
}

/** Shown when a screen cannot be loaded until the hub is back. */
function PendingScreen() {
  const { t } = useTranslation("common");
  const isAway = useLasting(true, 2_000);
  return isAway && <output className="screen-none">{t("screenAwaited")}</output>;
}
