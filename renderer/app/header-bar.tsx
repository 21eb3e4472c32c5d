import {
  ActionIcon,
  Button,
  Menu,
  SegmentedControl,
  useMantineColorScheme,
  type MantineColorScheme,
} from "@mantine/core";
import { IconDeviceDesktop, IconMoon, IconSun, IconUser } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { StatusMark } from "../components/status-mark.tsx";
import { desktopBridge } from "../lib/desktop.ts";
import { callHub, useHub } from "../lib/hub.ts";
import { useConnection } from "../lib/live.ts";
import { useFormat } from "../lib/format.ts";
import { signOut, useSession } from "../lib/session.ts";

export function HeaderBar() {
  const { t } = useTranslation("shell");
  const { data: overview } = useHub("overview");
  return (
    <>
      <div className="brand">
        <img src="./icon.svg" alt="" width={26} height={26} />
        <span>{overview?.hub.name ?? "Comanda Hub"}</span>
      </div>
      {overview !== undefined && (
        <StatusMark tone={overview.sessionOpen ? "good" : "idle"}>
          {overview.detail?.sessionName ?? t(overview.sessionOpen ? "sessionOpen" : "sessionClosed")}
        </StatusMark>
      )}
      <div className="header-gap" />
      <LiveDot />
      <LanguageChoice />
      <ThemeChoice />
      <Account />
    </>
  );
}

const connectionTone = { live: "good", connecting: "idle", lost: "bad" } as const;

/** Whether the page is up to date, and otherwise since when it is not. */
function LiveDot() {
  const { t } = useTranslation("shell");
  const format = useFormat();
  const { state, since } = useConnection();
  const isLost = state === "lost";
  return (
    <span className="live-dot" data-tone={connectionTone[state]} role={isLost ? "status" : undefined}>
      {isLost ? t("outOfDate", { time: format.timeExact(new Date(since).toISOString()) }) : t(state)}
    </span>
  );
}

function LanguageChoice() {
  const { t, i18n } = useTranslation("shell");
  return (
    <SegmentedControl
      size="xs"
      aria-label={t("language")}
      value={i18n.language}
      data={[
        { value: "es", label: "ES" },
        { value: "en", label: "EN" },
      ]}
      onChange={(language) => {
        void i18n.changeLanguage(language);
        void desktopBridge()?.setLanguage(language === "en" ? "en" : "es");
      }}
    />
  );
}

const schemes = [
  { value: "light", name: "light", Icon: IconSun },
  { value: "dark", name: "dark", Icon: IconMoon },
  { value: "auto", name: "system_theme", Icon: IconDeviceDesktop },
] as const satisfies readonly { value: MantineColorScheme; name: string; Icon: typeof IconSun }[];

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
  const session = useSession();
  if (session.state !== "in") {
    return (
      <Button component={Link} href="/orders" size="xs" variant="default">
        {t("shell:signIn")}
      </Button>
    );
  }
  return (
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
        <Menu.Item onClick={() => void signOutEverywhere()}>{t("shell:signOut")}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Ends the session here at once, and in the back-office when it can be reached. */
async function signOutEverywhere(): Promise<void> {
  // Before the sign-out, because the call needs the token.
  const ended = callHub("signOut").catch(() => undefined);
  signOut();
  await ended;
}
