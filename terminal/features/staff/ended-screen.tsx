import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { account } from "../../lib/device/account.ts";
import { becomeNewDevice } from "../../lib/device/rename-device.ts";
import { useLive, useTerminal } from "../../lib/connection/pos.ts";
import { SignInForm } from "./sign-in-form.tsx";

/** Shows why the session ended for good, and how to resume. Unsent changes stay on the device. */
export function EndedScreen() {
  const { t } = useTranslation("person");
  const { t: other } = useTranslation(["signIn", "person", "otherTab"]);
  const terminal = useTerminal();
  const connection = useLive("connection");
  const { pending, toSend } = useLive("outbox");
  if (connection.name !== "ended") return null;
  const { reason } = connection;
  const needsSignIn = ["unauthenticated", "forbidden", "device taken"].includes(reason);
  // Two devices have the same name. Renaming would leave unsent changes behind under the old one.
  const mayRename = pending === 0 && (reason === "device taken" || reason === "replaced");
  return (
    <main className="gate">
      <h1>{needsSignIn ? other("signIn") : t(`ended.${reason}`)}</h1>
      {needsSignIn && <output>{t(`ended.${reason}`)}</output>}
      {toSend > 0 && <p>{t("unsentHere", { count: toSend })}</p>}
      {pending > toSend && <p>{t("decideHere", { count: pending - toSend })}</p>}
      {needsSignIn && (
        <SignInForm
          login={account.get()?.login}
          onSignedIn={(next) => {
            account.set(next);
            terminal.switchUser(next.token);
            terminal.start();
          }}
        />
      )}
      {reason === "replaced" && (
        <ActButton kind="main" onAct={() => terminal.start()}>
          {other("otherTab:goOnHere")}
        </ActButton>
      )}
      {(reason === "protocol too old" || reason === "client too old") && (
        <ActButton kind="main" onAct={() => location.reload()}>
          {other("person:reload")}
        </ActButton>
      )}
      {mayRename && (
        <ActButton
          kind="quiet"
          onAct={() => {
            becomeNewDevice();
            location.reload();
          }}
        >
          {t("otherName")}
        </ActButton>
      )}
    </main>
  );
}

/** Shown while another tab is active; `isStuck` if it did not give way. */
export function OtherTab({ isStuck, onTakeOver }: { isStuck: boolean; onTakeOver: () => void }) {
  const { t } = useTranslation("otherTab");
  return (
    <main className="gate">
      <h1>{t("title")}</h1>
      <p>{t(isStuck ? "stuck" : "about")}</p>
      <ActButton kind="main" onAct={onTakeOver}>
        {t("goOnHere")}
      </ActButton>
    </main>
  );
}
