import { useStore } from "@comanda/ui/store.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useEffect, useRef, type ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { Mark } from "@comanda/ui/mark.tsx";
import { useHq } from "../lib/cache.ts";
import { disconnectedSince } from "../lib/news.ts";
import { useHasRole } from "../lib/person.ts";
import { Account } from "./account.tsx";

const screens = [
  { name: "now", path: "/" },
  { name: "sales", path: "/sales" },
  { name: "alerts", path: "/alerts" },
  { name: "proposals", path: "/proposals" },
  { name: "fleet", path: "/fleet" },
] as const;

/** The frame around every screen: the chain's name, the navigation, and whether the page is up to date. */
export function Shell({ chainName, children }: { chainName: string; children: ReactNode }) {
  const { t } = useTranslation("shell");
  const [location] = useLocation();
  const content = useRef<HTMLElement>(null);
  const isOwner = useHasRole("owner");
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) content.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [location]);
  const all = [...screens, ...(isOwner ? [{ name: "people", path: "/people" } as const] : [])];
  return (
    <>
      <header className="top-bar">
        <img src="./icon.svg" alt="" width={26} height={26} />
        <span className="chain-name">{chainName}</span>
        <LiveMark />
        <Account />
        <nav aria-label={t("screens")} className="screen-links">
          {all.map(({ name, path }) => (
            <Link key={name} href={path} aria-current={location === path ? "page" : undefined}>
              {t(name)}
              {name === "alerts" && <OpenAlerts />}
            </Link>
          ))}
        </nav>
      </header>
      <main id="content" ref={content} tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

function OpenAlerts() {
  const { t } = useTranslation("shell");
  const { data } = useHq("alerts");
  const count = data?.open.length ?? 0;
  if (count === 0) return null;
  const isUrgent = data?.open.some(({ severity }) => severity === "page");
  return (
    <span className="count" data-tone={isUrgent ? "bad" : "warn"}>
      <span aria-hidden>{count}</span>
      <span className="visually-hidden">{t("openAlerts", { count })}</span>
    </span>
  );
}

/** Shows whether the page gets live updates, or since when it does not. */
function LiveMark() {
  const { t, format } = useTranslation("shell");
  const since = useStore(disconnectedSince);
  if (since === null) {
    return <Mark tone="good">{t("live")}</Mark>;
  }
  return (
    <output className="mark" data-tone="bad">
      {t("notLive", { time: format.timeExact(new Date(since).toISOString()) })}
    </output>
  );
}
