import type { PrintJobNews } from "@comanda/protocol";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useTranslation } from "@comanda/ui/translation.ts";
import { IconPrinterOff } from "@tabler/icons-react";
import { useState } from "react";
import { useCheckTitles } from "../../lib/words/check-title.ts";
import { showNotice } from "../../lib/page/notices.ts";
import { useTerminal } from "../../lib/connection/pos.ts";
import { showRefusal } from "../../lib/page/show-refusal.ts";
import "./trouble.css";

/**
 * The oldest of them in one sentence, and how many more there are: first what asks for one of the two ways out. What waits
 * comes out by itself; to give it up is no way to be rid of a notice.
 */
export function Trouble({ jobs }: { jobs: readonly PrintJobNews[] }) {
  const { t } = useTranslation("prints");
  const terminal = useTerminal();
  const sentence = useSentence();
  const [busy, setBusy] = useState<string | null>(null);
  const job = jobs.find(({ state }) => state !== "waiting") ?? jobs[0];
  if (job === undefined) return null;

  async function act(run: (jobId: string) => Promise<unknown>, id: string, done?: string): Promise<void> {
    setBusy(id);
    try {
      await run(id);
      if (done !== undefined) showNotice({ text: done });
    } catch (error) {
      showRefusal(error);
    } finally {
      setBusy(null);
    }
  }

  const isBusy = busy === job.id;
  return (
    <section
      className="strip print-trouble"
      data-tone={job.state === "waiting" ? "warn" : "bad"}
      aria-label={t("trouble")}
    >
      <IconPrinterOff size={20} aria-hidden />
      <span className="strip-text" role="status">
        <span>{sentence(job)}</span>
        {jobs.length > 1 && <span className="soft">{t("more", { count: jobs.length - 1 })}</span>}
      </span>
      {job.state !== "waiting" && (
        <>
          <ActButton size="small" disabled={isBusy} onAct={() => void act(terminal.printAgain, job.id, t("sentAgain"))}>
            {t("again")}
          </ActButton>
          <ActButton
            size="small"
            kind="quiet"
            disabled={isBusy}
            onAct={() => void act(terminal.dismissPrintJob, job.id)}
          >
            {t("dismiss")}
          </ActButton>
        </>
      )}
    </section>
  );
}

function useSentence(): (job: PrintJobNews) => string {
  const { t } = useTranslation("prints");
  const terminal = useTerminal();
  const titleOf = useCheckTitles();
  return ({ state, document, posReference, printer, error = "expired" }) => {
    const order = posReference === undefined ? undefined : terminal.order(posReference);
    const name = order === undefined ? t("aCheck") : titleOf(order.snapshot);
    const what = t(`what.${document}`, { name });
    const why = t(`why.${error}`);
    const words =
      state === "waiting"
        ? t("waiting", { printer, why })
        : t(state === "unknown" ? "unknown" : "failed", { what, why, printer });
    return words.charAt(0).toUpperCase() + words.slice(1);
  };
}
