import type { DesktopBackups, DesktopBridge, DesktopSettingsState } from "@comanda/protocol";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Form } from "@comanda/ui/form.tsx";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useId, useState, type ReactNode } from "react";
import { Confirmation, OtherBackup, useBackupTexts } from "./backups.tsx";
import { hasLostData, helpedByBackup, type Failure } from "./failure.ts";
import type { Outcome } from "./use-outcome.ts";

interface RecoveryOptionsProps extends Outcome {
  desktop: DesktopBridge;
  failure: Failure;
  saved: DesktopSettingsState;
  backups: DesktopBackups;
}

/** Shows the ways out of this failure, likeliest first, each with an explanation. */
export function RecoveryOptions({ desktop, failure, saved, backups, run, setOutcome }: RecoveryOptionsProps) {
  const { t } = useTranslation("failure");
  const texts = useBackupTexts();
  // Only one panel is open at a time.
  const [open, setOpen] = useState<string | null>(null);
  const { reason, suggestedPort: port } = failure;
  const newest = backups.backups.find(({ path }) => path === backups.newestGood);
  const restore = (path: string) => run(() => desktop.restoreBackup(path));
  const close = () => {
    if (open !== null) document.getElementById(idOf(open))?.focus();
    setOpen(null);
  };
  const panel = (name: string) => ({
    id: idOf(name),
    isOpen: open === name,
    onAct: () => (open === name ? close() : setOpen(name)),
  });
  return (
    <div className="ways">
      {port !== undefined && !saved.fromEnvironment.includes("HUB_HTTP_PORT") && (
        <RecoveryOption
          label={t("usePort", { port })}
          means={t("usePortMeans", { port })}
          onAct={() => run(() => desktop.saveSettings({ ...saved.settings, port }))}
        />
      )}
      {newest !== undefined && (
        <RecoveryOption label={texts.restore(newest)} means={texts.loss(newest)} {...panel("newest")}>
          <Confirmation onSure={() => restore(newest.path)} onCancel={close} />
        </RecoveryOption>
      )}
      {helpedByBackup.has(reason) && (
        <RecoveryOption label={t("otherBackup")} means={t("otherBackupMeans")} {...panel("other")}>
          <OtherBackup found={backups} choose={desktop.chooseBackups} restore={restore} setOutcome={setOutcome} />
        </RecoveryOption>
      )}
      <RecoveryOption label={t("tryAgain")} means={t("tryAgainMeans")} onAct={() => run(() => desktop.restartHub())} />
      {reason === "restore_unfinished" && (
        <RecoveryOption
          label={t("cancelRestore")}
          means={t("cancelRestoreMeans")}
          onAct={() => run(() => desktop.cancelRestore())}
        />
      )}
      {hasLostData.has(reason) && (
        <RecoveryOption label={t("beginEmpty")} means={t("beginEmptyMeans")} {...panel("empty")}>
          <BeginEmpty onSure={() => run(() => desktop.beginEmpty())} onCancel={close} />
        </RecoveryOption>
      )}
    </div>
  );
}

const idOf = (name: string): string => `way-${name}`;

interface WayProps {
  id?: string;
  label: string;
  means: string;
  onAct: () => void;
  /** For a way with `children`: whether its panel is open. */
  isOpen?: boolean;
  children?: ReactNode;
}

function RecoveryOption({ id, label, means, onAct, isOpen, children }: WayProps) {
  const meansId = useId();
  return (
    <section className="way">
      <ActButton id={id} aria-describedby={meansId} aria-expanded={isOpen} onAct={onAct}>
        {label}
      </ActButton>
      <p id={meansId}>{means}</p>
      {isOpen === true && (
        <div className="panel" ref={focusFirst}>
          {children}
        </div>
      )}
    </section>
  );
}

function focusFirst(panel: HTMLElement | null): void {
  panel?.querySelector<HTMLElement>("input, button")?.focus();
}

/** Starts with an empty data file, after a confirmation word was typed. */
function BeginEmpty({ onSure, onCancel }: { onSure: () => void; onCancel: () => void }) {
  const { t } = useTranslation("failure");
  const word = t("beginEmptyWord");
  const [typed, setTyped] = useState("");
  const isTyped = typed.trim().toUpperCase() === word;
  return (
    <Form onSubmit={() => isTyped && onSure()}>
      <label className="field">
        <span>{t("typeToConfirm", { word })}</span>
        <input autoComplete="off" value={typed} onChange={({ target }) => setTyped(target.value)} />
      </label>
      <div className="buttons">
        <button type="submit" className="act" data-kind="danger" data-size="small" disabled={!isTyped}>
          {t("beginEmptySure")}
        </button>
        <ActButton size="small" onAct={onCancel}>
          {t("cancel")}
        </ActButton>
      </div>
    </Form>
  );
}
