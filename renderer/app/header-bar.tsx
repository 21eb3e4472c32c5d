import { Language, type Overview } from "@comanda/protocol";
import { ActionIcon, Box, Button, Menu, SegmentedControl, useMantineColorScheme } from "@mantine/core";
import { IconUser } from "@tabler/icons-react";
import { Link } from "wouter";
import { useTranslation } from "@comanda/ui/translation.ts";
import { StatusMark } from "../components/layout/status-mark.tsx";
import { usePinDialog } from "../features/sign-in/use-pin-dialog.tsx";
import { SearchButton } from "../features/search/search-button.tsx";
import { chooseLanguage } from "../lib/choose-language.ts";
import { useHub, useStaleSince } from "../lib/hub.ts";
import { useConnection } from "../lib/live.ts";
import { isPageOutdated } from "@comanda/ui/served-page.ts";
import { useStore } from "@comanda/ui/store.ts";
import { useSession } from "../lib/session.ts";
import { CompactMenu } from "./compact-menu.tsx";
import { schemes } from "./preferences.ts";
import { signOutEverywhere } from "./sign-out.ts";
import { useSignInPath } from "./use-sign-in-path.ts";

export function HeaderBar() {
  const { t } = useTranslation("shell");
  const { data: overview } = useHub("overview");
  return (
    <>
      <img src="./icon.svg" alt="" width={26} height={26} />
      <div className="row brand">
        <span className="brand-name">{overview?.hub.name ?? "Comanda Hub"}</span>
        {overview !== undefined && (
          <StatusMark tone={overview.sessionOpen === true ? "good" : "idle"}>
            {overview.detail?.sessionName ?? t(sessionText(overview.sessionOpen))}
          </StatusMark>
        )}
      </div>
      <SearchButton />
      <LiveDot />
      <Box visibleFrom="md" className="row" style={{ gap: 10 }}>
        <LanguageChoice />
        <ThemeChoice />
        <Account />
      </Box>
      <CompactMenu />
    </>
  );
}

function sessionText(isOpen: Overview["sessionOpen"]): "sessionOpen" | "sessionClosed" | "sessionUnknown" {
  if (isOpen === null) return "sessionUnknown";
  return isOpen ? "sessionOpen" : "sessionClosed";
}

/** Shows whether the page is up to date, or since when it is not. If the hub has a newer page, shows a button that loads it. */
function LiveDot() {
  const { t, format } = useTranslation("shell");
  const { state, since } = useConnection();
  const staleSince = useStaleSince();
  const isOutdated = useStore(isPageOutdated);
  const isCutOff = state === "lost" || state === "partial";
  // A newer hub may send answers that this page cannot read. Reloading fetches the new page.
  if (isOutdated && !isCutOff) {
    return (
      <Button size="compact-sm" variant="light" onClick={() => location.reload()}>
        {t("newVersion")}
      </Button>
    );
  }
  const outOfDateSince = isCutOff ? since : staleSince;
  if (outOfDateSince !== null) {
    return (
      <span className="live-dot" data-tone="bad" role="status">
        {t("outOfDate", { time: format.timeExact(outOfDateSince) })}
      </span>
    );
  }
  const isLive = state === "live";
  return (
    <span className="live-dot" data-tone={isLive ? "good" : "idle"}>
      {t(isLive ? "live" : "connecting")}
    </span>
  );
}

function LanguageChoice() {
  const { t, language } = useTranslation("shell");
  return (
    <SegmentedControl
      size="xs"
      aria-label={t("language")}
      value={language}
      data={Language.options.map((value) => ({ value, label: value.toUpperCase() }))}
      onChange={chooseLanguage}
    />
  );
}

function ThemeChoice() {
  const { t } = useTranslation("shell");
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const current = schemes.find(({ value }) => value === colorScheme) ?? schemes[2];
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <ActionIcon variant="default" size="md" aria-label={`${t("theme")}: ${t(current.name)}`}>
          <current.Icon size={17} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map(({ value, name, Icon }) => (
          <Menu.Item key={value} leftSection={<Icon size={16} aria-hidden />} onClick={() => setColorScheme(value)}>
            {t(name)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Account() {
  const { t } = useTranslation(["shell", "common"]);
  const [pinDialog, openPin] = usePinDialog();
  const session = useSession();
  const signInPath = useSignInPath();
  if (session.state !== "in") {
    return (
      <Button component={Link} href={signInPath} size="xs" variant="default">
        {t("shell:signIn")}
      </Button>
    );
  }
  return (
    <>
      {pinDialog}
      <Menu position="bottom-end" withinPortal={false}>
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconUser size={15} aria-hidden />}
            aria-label={t("shell:account", { name: session.user.name })}
          >
            {session.user.name}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t(`common:role.${session.user.role}`)}</Menu.Label>
          <Menu.Item onClick={openPin}>{t("shell:pin")}</Menu.Item>
          <Menu.Item onClick={() => void signOutEverywhere()}>{t("shell:signOut")}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
