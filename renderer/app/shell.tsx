import { AppShell, Burger } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { HeaderBar } from "./header-bar.tsx";
import { Navigation } from "./navigation.tsx";
import "./shell.css";

/** The frame around every screen: header, navigation and content. */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation("shell");
  const [opened, menu] = useDisclosure(false);
  const [location] = useLocation();
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 212, breakpoint: "sm", collapsed: { mobile: !opened } }}
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
      <AppShell.Header className="shell-header">
        <Burger opened={opened} onClick={menu.toggle} hiddenFrom="sm" size="sm" aria-label={t("openMenu")} />
        <HeaderBar />
      </AppShell.Header>
      <AppShell.Navbar className="shell-nav" aria-label={t("navigation")}>
        <Navigation current={location} onChoose={menu.close} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className="shell-main">
        {children}
      </AppShell.Main>
    </AppShell>
  );
}
