import { IconDeviceTablet, IconInbox, IconKey, IconLogin2, IconLogout, IconQrcode } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { useLocation } from "wouter";
import { changeLanguage, useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { saveAccount } from "../../lib/device/account.ts";
import { chooseColorScheme, colorSchemes, useColorScheme } from "@comanda/ui/color-scheme.ts";
import { useLive, useTerminal } from "../../lib/connection/pos.ts";
import { isPractice } from "../../lib/device/practice.ts";
import { useTableNames } from "../../lib/words/table-names.ts";
import { waitingWork } from "../../lib/connection/waiting-work.ts";
import { PracticeEntry } from "../../practice/practice-entry.tsx";
import type { PersonView } from "./person-view.ts";

/** Each language under its own name: somebody who looks for theirs may not read the other. */
const languages = { es: "Español", en: "English" } as const;

/** What a person rarely needs: their account and PIN, how the screen looks, what waits, this device. */
export function MoreActs({ onView, onClose }: { onView: (view: PersonView) => void; onClose: () => void }) {
  const { t: tPerson, language } = useTranslation("person");
  const terminal = useTerminal();
  const actor = useLive("actor");
  const owner = useLive("signedIn")?.user;
  const names = useTableNames();
  const colorScheme = useColorScheme();
  const [, go] = useLocation();
  const [waiting, setWaiting] = useState<string | null>(null);
  // A PIN is the account's: somebody who works here by a PIN must not change it.
  const isOwner = !isPractice && owner !== undefined && String(owner.id) === String(actor?.user.id);

  function open(path: string): void {
    onClose();
    go(path);
  }

  function signOut(): void {
    const work = waitingWork(terminal, names);
    if (work !== null) return setWaiting(tPerson("signOutWaits", { count: work.count, where: work.where.join(", ") }));
    // Without the hub the session ends by itself.
    terminal.http.signOut().catch(() => {});
    saveAccount(null);
  }

  return (
    <div className="stack person-more">
      <ActButton onAct={() => open("/conflicts")}>
        <IconInbox size={22} aria-hidden />
        {tPerson("more.conflicts")}
      </ActButton>
      {!isPractice && (
        <>
          <ActButton onAct={() => open("/device")}>
            <IconDeviceTablet size={22} aria-hidden />
            {tPerson("more.device")}
          </ActButton>
          <ActButton onAct={() => onView("handover")}>
            <IconQrcode size={22} aria-hidden />
            {tPerson("views.handover")}
          </ActButton>
        </>
      )}
      {isOwner && (
        <ActButton onAct={() => onView("newPin")}>
          <IconKey size={22} aria-hidden />
          {tPerson("views.newPin")}
        </ActButton>
      )}
      {!isPractice && (
        <ActButton onAct={() => onView("account")}>
          <IconLogin2 size={22} aria-hidden />
          {tPerson("views.account")}
        </ActButton>
      )}
      <PracticeEntry />
      <Choice label={tPerson("more.language")}>
        {(["es", "en"] as const).map((each) => (
          <ActButton
            key={each}
            size="small"
            lang={each}
            aria-pressed={language === each}
            onAct={() => void changeLanguage(each)}
          >
            {languages[each]}
          </ActButton>
        ))}
      </Choice>
      <Choice label={tPerson("more.look")}>
        {colorSchemes.map((scheme) => (
          <ActButton
            key={scheme}
            size="small"
            aria-pressed={colorScheme === scheme}
            onAct={() => chooseColorScheme(scheme)}
          >
            {tPerson(`more.scheme.${scheme}`)}
          </ActButton>
        ))}
      </Choice>
      {waiting !== null && (
        <p role="alert" className="gate-failed">
          {waiting}
        </p>
      )}
      {!isPractice && (
        <ActButton kind="danger" className="person-out" onAct={signOut}>
          <IconLogout size={22} aria-hidden />
          {tPerson("signOut")}
        </ActButton>
      )}
    </div>
  );
}

function Choice({ label, children }: { label: string; children: ReactNode }) {
  return (
    <fieldset className="person-choice">
      <legend>{label}</legend>
      <div>{children}</div>
    </fieldset>
  );
}
