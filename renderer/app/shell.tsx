import { AppShell, Burger } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useRef, type ReactNode, useMemo } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useLocation } from "wouter";
import { useSession } from "../lib/session.ts";
import { useEscape } from "../lib/use-escape.ts";
import { HeaderBar } from "./header-bar.tsx";
import { Navigation, screenNameOf } from "./navigation.tsx";
import { desktopBridge } from "../lib/desktop.ts";
import { useHub } from "../lib/hub.ts";
import "./shell.css";

/** The frame around every screen: header, navigation and content. */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation("shell");
  const [opened, menu] = useDisclosure(false);
  const [location] = useLocation();
  const session = useSession();
  const burger = useRef<HTMLButtonElement>(null);
  useEscape(opened, () => {
    menu.close();
    burger.current?.focus();
  });
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: { base: 212, sm: 112, md: 212 }, breakpoint: "sm", collapsed: { mobile: !opened } }}
      padding="md"
      transitionDuration={0}
    >
      <a
        className="skip-link"
        href="#content"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById("content")?.focus();
        }}
      >
        {t("skip")}
      </a>
      <AppShell.Header className="row shell-header">
        <Burger
          ref={burger}
          opened={opened}
          onClick={menu.toggle}
          hiddenFrom="sm"
          size="sm"
          aria-label={t("openMenu")}
          aria-expanded={opened}
          aria-controls="navigation"
        />
        <HeaderBar />
      </AppShell.Header>
      <AppShell.Navbar id="navigation" className="shell-nav" data-opened={opened} aria-label={t("navigation")}>
        <Navigation current={location} onChoose={menu.close} />
      </AppShell.Navbar>
      {/* Screen readers read this name when a navigation moves the focus here. */}
      <AppShell.Main id="content" tabIndex={-1} className="shell-main" aria-label={t(screenNameOf(location))}>
        <ZoneNote />
        {session.state === "out" && <TerminalLink />}
        {children}
      </AppShell.Main>
    </AppShell>
  );
}

/** Link for a waiter who opened the hub's address on a small screen. The desktop app has its own link to the terminal. */
function TerminalLink() {
  const { t } = useTranslation("shell");
  if (desktopBridge() !== null) return null;
  return (
    <a href="/terminal/" className="terminal-link">
      {t("openTerminal")}
    </a>
  );
}

/** Names the restaurant's time zone if the reader's clock has another offset. */
function ZoneNote() {
  const { t } = useTranslation("shell");
  const timeZone = useHub("overview").data?.hub.timeZone;
  const isElsewhere = useMemo(() => timeZone !== undefined && offsetOf(timeZone) !== offsetOf(undefined), [timeZone]);
  if (timeZone === undefined || !isElsewhere) return null;
  return <p className="zone-note soft">{t("restaurantTime", { place: placeOf(timeZone) })}</p>;
}

/** Returns the place in a time zone's name: "Santo Domingo" for `America/Santo_Domingo`. */
function placeOf(timeZone: string): string {
  return (timeZone.split("/").at(-1) ?? timeZone).replaceAll("_", " ");
}

/** Returns a time zone's current offset from UTC, such as `GMT-4`. `undefined` means the reader's own zone. */
function offsetOf(timeZone: string | undefined): string | undefined {
  const parts = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" }).formatToParts();
  return parts.find(({ type }) => type === "timeZoneName")?.value;
}
