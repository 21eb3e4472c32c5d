import { createFormat, FormatContext } from "@comanda/ui/format.ts";
import { lazyPart } from "@comanda/ui/lazy-part.ts";
import { useLanguage, useTranslation } from "@comanda/ui/translation.ts";
import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useMemo, type ReactNode } from "react";
import { Route, Router, Switch } from "wouter";
import { Failure } from "../components/failure.tsx";
import { AlertsScreen } from "../features/alerts/alerts-screen.tsx";
import { FleetScreen } from "../features/fleet/fleet-screen.tsx";
import { NowScreen } from "../features/now/now-screen.tsx";
import { PeopleScreen } from "../features/people/people-screen.tsx";
import { ProposalScreen } from "../features/proposals/proposal-screen.tsx";
import { ProposalsScreen } from "../features/proposals/proposals-screen.tsx";
import { RestaurantScreen } from "../features/restaurant/restaurant-screen.tsx";
import { SalesScreen } from "../features/sales/sales-screen.tsx";
import { takeProviderFailure } from "../features/sign-in/provider-failure.ts";
import { SetupScreen } from "../features/sign-in/setup-screen.tsx";
import { SignInScreen } from "../features/sign-in/sign-in-screen.tsx";
import { useAddress } from "../lib/address.ts";
import { cache, useSession } from "../lib/cache.ts";
import { followNews } from "../lib/news.ts";
import { PersonContext } from "../lib/person.ts";
import { Shell } from "./shell.tsx";

/** Loaded lazily: only this screen needs the table of all settings. */
const NewProposalScreen = lazyPart(() => import("../features/proposals/new-proposal-screen.tsx"), "NewProposalScreen");

export function App() {
  return (
    <QueryClientProvider client={cache}>
      <Router hook={useAddress}>
        <Session />
      </Router>
    </QueryClientProvider>
  );
}

function Session() {
  const { data: session, error } = useSession();
  useEffect(() => {
    if (session !== undefined) document.title = session.chainName;
  }, [session]);
  if (session === undefined) return error === null ? null : <Waiting error={error} />;
  if (session.state !== "in") {
    const { chainName, provider, endedAt } = session;
    if (session.state === "setup") return <SetupScreen chainName={chainName} />;
    return (
      <Formats>
        <SignInScreen chainName={chainName} provider={provider} endedAt={endedAt} />
      </Formats>
    );
  }
  return (
    <PersonContext value={session.person}>
      <Formats timeZone={session.timeZone}>
        <SignedIn chainName={session.chainName} />
      </Formats>
    </PersonContext>
  );
}

/** Shown while headquarters do not answer and the session is unknown. */
function Waiting({ error }: { error: unknown }) {
  const { t } = useTranslation("shell");
  return (
    <main className="narrow-page">
      <h1>{t("waiting")}</h1>
      <Failure error={error} />
    </main>
  );
}

/** `timeZone`: the chain's, once it is known. */
function Formats({ timeZone, children }: { timeZone?: string; children: ReactNode }) {
  const language = useLanguage();
  const format = useMemo(() => createFormat(language, "DOP", timeZone), [language, timeZone]);
  return <FormatContext value={format}>{children}</FormatContext>;
}

function SignedIn({ chainName }: { chainName: string }) {
  const { t } = useTranslation("shell");
  useEffect(followNews, []);
  // Drops the failure of an earlier sign-in: it no longer matters to a person who is signed in.
  useEffect(() => void takeProviderFailure(), []);
  return (
    <Shell chainName={chainName}>
      <Switch>
        <Route path="/" component={NowScreen} />
        <Route path="/sales" component={SalesScreen} />
        <Route path="/alerts" component={AlertsScreen} />
        <Route path="/proposals" component={ProposalsScreen} />
        <Route path="/proposals/new">
          <NewProposalScreen />
        </Route>
        <Route path="/proposals/:id">{({ id }) => <ProposalScreen key={id} id={id} />}</Route>
        <Route path="/fleet" component={FleetScreen} />
        <Route path="/people" component={PeopleScreen} />
        <Route path="/restaurants/:id">{({ id }) => <RestaurantScreen key={id} id={id} />}</Route>
        <Route>
          <h1>{t("notFound")}</h1>
        </Route>
      </Switch>
    </Shell>
  );
}
