import { ActionIcon, Menu, useMantineColorScheme, type MantineColorScheme } from "@mantine/core";
import { IconUserCog } from "@tabler/icons-react";
import { Link } from "wouter";
import { languageNames } from "@comanda/ui/language-names.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { usePinDialog } from "../features/sign-in/use-pin-dialog.tsx";
import { chooseLanguage } from "../lib/choose-language.ts";
import { useSession } from "../lib/session.ts";
import { schemes } from "./preferences.ts";
import { signOutEverywhere } from "./sign-out.ts";
import { useSignInPath } from "./use-sign-in-path.ts";

/** Account, language and theme in one menu, for a header too narrow for three. */
export function CompactMenu() {
  const { t, language } = useTranslation(["shell", "common"]);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const session = useSession();
  const signInPath = useSignInPath();
  const [pinDialog, openPin] = usePinDialog();
  return (
    <>
      {pinDialog}
      <Menu position="bottom-end" withinPortal={false}>
        <Menu.Target>
          <ActionIcon variant="default" size="lg" hiddenFrom="md" aria-label={t("shell:preferences")}>
            <IconUserCog size={19} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown className="compact-menu">
          {session.state === "in" ? (
            <>
              <Menu.Label>
                {session.user.name} · {t(`common:role.${session.user.role}`)}
              </Menu.Label>
              <Menu.Item onClick={openPin}>{t("shell:pin")}</Menu.Item>
              <Menu.Item onClick={() => void signOutEverywhere()}>{t("shell:signOut")}</Menu.Item>
            </>
          ) : (
            <Menu.Item component={Link} href={signInPath}>
              {t("shell:signIn")}
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Label>{t("shell:language")}</Menu.Label>
          <Menu.RadioGroup value={language} onChange={chooseLanguage}>
            {Object.entries(languageNames).map(([value, name]) => (
              <Menu.RadioItem key={value} value={value} lang={value} closeMenuOnClick>
                {name}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.Label>{t("shell:theme")}</Menu.Label>
          <Menu.RadioGroup value={colorScheme} onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}>
            {schemes.map(({ value, name }) => (
              <Menu.RadioItem key={value} value={value} closeMenuOnClick>
                {t(`shell:${name}`)}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
