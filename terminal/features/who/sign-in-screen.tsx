import { useTranslation } from "react-i18next";
import type { Account } from "../../lib/account.ts";
import { SignInForm } from "./sign-in-form.tsx";

/** The first screen of a device. */
export function SignInScreen({ onSignedIn }: { onSignedIn: (account: Account) => void }) {
  const { t } = useTranslation("who");
  return (
    <main className="gate">
      <h1>{t("signIn")}</h1>
      <SignInForm onSignedIn={onSignedIn} />
    </main>
  );
}
