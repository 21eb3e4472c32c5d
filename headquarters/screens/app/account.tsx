import { ActButton } from "@comanda/ui/act-button.tsx";
import { Choices } from "@comanda/ui/choices.tsx";
import { chooseColorScheme, useColorScheme } from "@comanda/ui/choose-color-scheme.ts";
import { colorSchemes } from "@comanda/ui/color-scheme.ts";
import { languageNames } from "@comanda/ui/language-names.ts";
import { changeLanguage, useTranslation } from "@comanda/ui/translation.ts";
import { useContext, useState } from "react";
import { Dialog } from "../components/dialog.tsx";
import { Failure } from "../components/failure.tsx";
import { PasswordForm } from "../features/sign-in/password-form.tsx";
import { cache } from "../lib/cache.ts";
import { callHq } from "../lib/hq.ts";
import { PersonContext } from "../lib/person.ts";
import { useAct } from "../lib/use-act.ts";

/** A button with the name of the signed-in person. It opens a dialog for language, colours, password and signing out. */
export function Account() {
  const person = useContext(PersonContext);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ActButton className="account" aria-haspopup="dialog" onAct={() => setOpen(true)}>
        {person?.name ?? ""}
      </ActButton>
      {isOpen && <AccountDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function AccountDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("shell");
  const person = useContext(PersonContext);
  const signingOut = useAct();
  const changing = useAct();
  const isBusy = signingOut.isBusy || changing.isBusy;
  return (
    <Dialog title={person?.name ?? ""} isBusy={isBusy} onClose={onClose}>
      {person !== null && <p className="soft">{t(`role.${person.role}`)}</p>}
      <Preferences />
      {person?.hasPassword === true && <PasswordForm changing={changing} />}
      <ActButton kind="danger" disabled={isBusy} onAct={() => void signingOut.act(signOut)}>
        {t("signOut")}
      </ActButton>
      <Failure error={signingOut.error} />
    </Dialog>
  );
}

async function signOut(): Promise<void> {
  const session = await callHq("signOut");
  // The next person must not see cached data of this one.
  cache.setQueryData(["session"], session);
  cache.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
}

function Preferences() {
  const { t, language } = useTranslation("shell");
  const scheme = useColorScheme();
  return (
    <>
      <Choices
        legend={t("language")}
        of={["es", "en"] as const}
        chosen={language}
        text={(each) => <span lang={each}>{languageNames[each]}</span>}
        onChoose={(each) => void changeLanguage(each)}
      />
      <Choices
        legend={t("colors")}
        of={colorSchemes}
        chosen={scheme}
        text={(each) => t(`scheme.${each}`)}
        onChoose={chooseColorScheme}
      />
    </>
  );
}
