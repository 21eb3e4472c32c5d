import { useEffect, type ComponentType } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Empty } from "../components/layout/empty.tsx";
import { Waiting } from "../components/tables/loaded.tsx";
import { useConnection } from "../lib/live.ts";
import { useSession } from "../lib/session.ts";
import { lookAtServedPage, reloadPage } from "@comanda/ui/served-page.ts";
import { createStore, useStore } from "@comanda/ui/store.ts";

type Part<Props> =
  | { state: "missing" | "loading"; attempts: number }
  | { state: "failed"; attempts: number }
  | { state: "loaded"; attempts: number; Component: ComponentType<Props> };

/** A screen whose code is fetched apart from the page's. */
export interface LazyScreen<Props> {
  Screen: ComponentType<Props>;
  /** Starts fetching it, unless it is here or on its way. */
  fetch(): void;
}

/**
 * A screen whose code is fetched apart. Where that fails, as it does while the hub is away, it is fetched again as soon as
 * the hub is back.
 */
export function lazyScreen<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyScreen<Props> {
  const store = createStore<Part<Props>>({ state: "missing", attempts: 0 });

  function fetch(): void {
    const { state, attempts } = store.get();
    if (state === "loading" || state === "loaded") return;
    store.set({ state: "loading", attempts });
    load().then(
      ({ default: Component }) => store.set({ state: "loaded", attempts, Component }),
      () => store.set({ state: "failed", attempts: attempts + 1 }),
    );
  }

  async function reloadOrRetry(): Promise<void> {
    // The stream may not have noticed yet that the hub is away.
    if (await lookAtServedPage()) reloadPage();
    store.set({ state: "failed", attempts: 1 });
  }

  function Screen(props: Props) {
    const part = useStore(store);
    const isLive = useConnection().state === "live";
    useEffect(() => {
      if (part.state === "missing") fetch();
      if (part.state !== "failed" || !isLive) return;
      if (part.attempts === 1) return fetch();
      const timer = setTimeout(() => void reloadOrRetry(), RETRY_MS);
      return () => clearTimeout(timer);
    }, [part, isLive]);
    if (part.state === "loaded") return <part.Component {...props} />;
    return <NotHereYet hasFailed={part.state === "failed"} />;
  }

  return { Screen, fetch };
}

const RETRY_MS = 3_000;
const AHEAD_AFTER_MS = 3_000;

function NotHereYet({ hasFailed }: { hasFailed: boolean }) {
  const { t } = useTranslation("shell");
  if (!hasFailed) return <Waiting height={320} />;
  return (
    <Empty isScreen title={t("notHereTitle")}>
      {t("notHereAbout")}
    </Empty>
  );
}

/** Fetches the code of all screens ahead, so that a manager can open each of them while the hub is away. */
export function ScreensAhead({ screens }: { screens: readonly Pick<LazyScreen<never>, "fetch">[] }) {
  const isSignedIn = useSession().state === "in";
  const isLive = useConnection().state === "live";
  useEffect(() => {
    if (!isSignedIn || !isLive) return undefined;
    // The screen that was asked for comes first.
    const timer = setTimeout(() => screens.forEach((screen) => screen.fetch()), AHEAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isSignedIn, isLive, screens]);
  return null;
}
