import type { PrintJobNews } from "@comanda/protocol";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useTranslation } from "@comanda/ui/translation.ts";
import { IconPrinterOff } from "@tabler/icons-react";
import { useState } from "react";
import { useCheckTitles } from "../../lib/labels/check-title.ts";
import { showNotice } from "../../lib/page/notices.ts";
import { useTerminal } from "../../lib/connection/pos.ts";
import { showRefusal } from "../../lib/page/show-refusal.ts";
import "./trouble.css";

/**
 * Shows the oldest print job in trouble and how many more there are, jobs that need a decision first. A waiting job prints by
 * itself; it is shown once per printer and cannot be discarded here.
 */
export function Trouble({ jobs }: { jobs: readonly PrintJobNews[] }) {
  const { t } = useTranslation("prints");
  const terminal = useTerminal();
  const sentence = useSentence();
  const [isBusy, setBusy] = useState(false);
  const job = jobs.find(({ state }) => state !== "waiting");
  const alike = jobs.filter((each) => job !== undefined && isAlike(each, job));
  // One decision covers all drawers that stayed shut, for example while their printer was out of paper.
  const affected = job === undefined ? jobs : job.isPulseOnly === true ? alike : [job];

  async function act(run: (jobId: string) => Promise<unknown>, done?: string, decided = affected): Promise<void> {
    setBusy(true);
    try {
      for (const { id } of decided) await run(id);
      if (done !== undefined) showNotice({ text: done });
    } catch (error) {
      showRefusal(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <section className="strip print-trouble" data-tone={job === undefined ? "warn" : "bad"} aria-label={t("trouble")}>
      <IconPrinterOff size={20} aria-hidden />
      <span className="strip-text" role="status">
        <span>{[...new Set(affected.map(sentence))].join(" ")}</span>
        {jobs.length > affected.length && (
          <span className="soft">{t("more", { count: jobs.length - affected.length })}</span>
        )}
      </span>
      {job !== undefined && (
        <>
          {job.isPulseOnly !== true && (
            <ActButton size="small" disabled={isBusy} onAct={() => void act(terminal.printAgain, t("sentAgain"))}>
              {t("again")}
            </ActButton>
          )}
          <ActButton size="small" kind="quiet" disabled={isBusy} onAct={() => void act(terminal.dismissPrintJob)}>
            {t("dismiss")}
          </ActButton>
          {alike.length > affected.length && (
            <ActButton
              size="small"
              kind="quiet"
              disabled={isBusy}
              onAct={() => void act(terminal.dismissPrintJob, undefined, alike)}
            >
              {t("dismissAlike", { count: alike.length })}
            </ActButton>
          )}
        </>
      )}
    </section>
  );
}

/** Whether two jobs are alike: drawers that stayed shut, or the same kind of document, printer and error. */
function isAlike(one: PrintJobNews, other: PrintJobNews): boolean {
  if (one.isPulseOnly !== other.isPulseOnly || one.state !== other.state) return false;
  const isSame = (["document", "printer", "error"] as const).every((field) => one[field] === other[field]);
  return one.isPulseOnly === true || isSame;
}

function useSentence(): (job: PrintJobNews) => string {
  const { t } = useTranslation("prints");
  const terminal = useTerminal();
  const titleOf = useCheckTitles();
  return ({ state, document, posReference, printer, isPulseOnly, error = "expired" }) => {
    if (isPulseOnly === true && state !== "waiting") return t(state === "unknown" ? "drawerUnknown" : "drawerShut");
    const order = posReference === undefined ? undefined : terminal.order(posReference);
    const name = order === undefined ? t("aCheck") : titleOf(order.snapshot);
    const what = t(`what.${document}`, { name });
    const why = t(`why.${error}`);
    const fate = state === "unknown" ? "unknown" : "failed";
    const text =
      state === "waiting"
        ? t("waiting", { printer, why })
        : t(printer === "" ? fate : `${fate}On`, { what, why, printer });
    return text.charAt(0).toUpperCase() + text.slice(1);
  };
}
