import { IconDeviceTablet, IconInbox, IconKey, IconLogin2, IconLogout, IconQrcode } from "@tabler/icons-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { changeLanguage, useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Choices } from "@comanda/ui/choices.tsx";
import { languageNames } from "@comanda/ui/language-names.ts";
import { Failure } from "../../components/failure.tsx";
import { account } from "../../lib/device/account.ts";
import { chooseColorScheme, useColorScheme } from "@comanda/ui/choose-color-scheme.ts";
import { colorSchemes } from "@comanda/ui/color-scheme.ts";
import { useStore } from "@comanda/ui/store.ts";
import { useLive, useTerminal } from "../../lib/connection/pos.ts";
import { readyBell } from "../../lib/device/ready-bell.ts";
import { isPractice } from "../../lib/device/practice.ts";
import { useCheckTitles } from "../../lib/labels/check-title.ts";
import { waitingWork } from "../../lib/connection/waiting-work.ts";
import { PracticeEntry } from "../../practice/practice-entry.tsx";
import type { PersonView } from "./person-view.ts";

/** Rare acts of a user: account and PIN, appearance, conflicts, this device. */
export function MoreActs({ onView, onClose }: { onView: (view: PersonView) => void; onClose: () => void }) {
  const { t: tPerson, language } = useTranslation("person");
  const terminal = useTerminal();
  const actor = useLive("actor");
  const owner = useLive("signedIn")?.user;
  const titleOf = useCheckTitles();
  const colorScheme = useColorScheme();
  const isBellOn = useStore(readyBell);
  const [, go] = useLocation();
  const [waiting, setWaiting] = useState<string | null>(null);
  // The PIN belongs to the account: another user, who works here by PIN, must not change it.
  const isOwner = !isPractice && owner !== undefined && String(owner.id) === String(actor?.user.id);

  function open(path: string): void {
    onClose();
    go(path);
  }

  function signOut(): void {
    const work = waitingWork(terminal, titleOf);
    if (work !== null) return setWaiting(tPerson("signOutWaits", { count: work.count, where: work.where.join(", ") }));
    // Without the hub the session expires by itself.
    terminal.http.signOut().catch(() => {});
    account.set(null);
  }

  const way = (Icon: typeof IconKey, text: string, onAct: () => void) => (
    <ActButton onAct={onAct}>
      <Icon size={22} aria-hidden />
      {text}
    </ActButton>
  );
  return (
    <div className="stack person-more">
      {way(IconInbox, tPerson("more.conflicts"), () => open("/conflicts"))}
      {!isPractice && way(IconDeviceTablet, tPerson("more.device"), () => open("/device"))}
      {!isPractice && way(IconQrcode, tPerson("views.handover"), () => onView("handover"))}
      {isOwner && way(IconKey, tPerson("views.newPin"), () => onView("newPin"))}
      {!isPractice && way(IconLogin2, tPerson("views.account"), () => onView("account"))}
      <PracticeEntry />
      <Choices
        legend={tPerson("more.language")}
        className="chips person-choice"
        of={["es", "en"] as const}
        chosen={language}
        text={(each) => <span lang={each}>{languageNames[each]}</span>}
        onChoose={(each) => void changeLanguage(each)}
        size="small"
      />
      <Choices
        legend={tPerson("more.look")}
        className="chips person-choice"
        of={colorSchemes}
        chosen={colorScheme}
        text={(scheme) => tPerson(`more.scheme.${scheme}`)}
        onChoose={chooseColorScheme}
        size="small"
      />
      <ActButton size="small" aria-pressed={isBellOn} onAct={() => readyBell.set(!isBellOn)}>
        {tPerson("more.readyBell")}
      </ActButton>
      <Failure text={waiting} />
      {!isPractice && (
        <ActButton kind="danger" className="person-out" onAct={signOut}>
          <IconLogout size={22} aria-hidden />
          {tPerson("signOut")}
        </ActButton>
      )}
    </div>
  );
}
