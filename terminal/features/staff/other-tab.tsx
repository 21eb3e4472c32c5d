import { ActButton } from "@comanda/ui/act-button.tsx";
import { useTranslation } from "@comanda/ui/translation.ts";

/** Another tab is at work; `isStuck`: it does not give way. */
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
