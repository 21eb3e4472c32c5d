import { bytesText } from "./bytes-text.ts";
import type { DesktopBridge, UpdateChoice, UpdateState } from "@comanda/protocol";
import { useEffect, useId, useMemo, useState } from "react";
import { ActButton } from "./act-button.tsx";
import { createFormat } from "./format.ts";
import { Modal } from "./modal.tsx";
import { useLanguage, useTranslation } from "./translation.ts";
import "./update-overlay.css";

/** The part of the desktop bridge that the overlay needs. */
export type UpdateBridge = Pick<DesktopBridge, "getUpdate" | "onUpdate" | "chooseUpdate">;

/** The states of an update that the overlay shows. In the others, the app is visible. */
type Shown = Exclude<UpdateState, { name: "app" | "checking" }>;

/** Covers the whole window while the user has to decide or wait. No key and no tap outside closes it. */
export function UpdateOverlay({ bridge }: { bridge: UpdateBridge }) {
  const { t } = useTranslation("update");
  const update = useUpdate(bridge);
  const titleId = useId();
  if (update.name === "app" || update.name === "checking") return null;
  return (
    // A new dialog for each state: the element that had the focus in the previous state is gone.
    <Modal key={update.name} className="update-overlay" titleId={titleId}>
      <div className="update">
        <h1 id={titleId}>
          {update.name === "fallback" ? t("fallback") : t(update.name, { version: update.offer.version })}
        </h1>
        <Content update={update} choose={(choice) => void bridge.chooseUpdate(choice)} />
      </div>
    </Modal>
  );
}

/** Returns the state of the update. Until it is known, that is "app", which shows nothing. */
function useUpdate(bridge: UpdateBridge): UpdateState {
  const [update, setUpdate] = useState<UpdateState>({ name: "app" });
  useEffect(() => {
    let received = false;
    const end = bridge.onUpdate((next) => {
      received = true;
      setUpdate(next);
    });
    void bridge.getUpdate().then((first) => {
      if (!received) setUpdate(first);
    });
    return end;
  }, [bridge]);
  return update;
}

function Content({ update, choose }: { update: Shown; choose: (choice: UpdateChoice) => void }) {
  const { t } = useTranslation("update");
  switch (update.name) {
    case "overlay":
      return <Offer update={update} choose={choose} />;
    case "downloading":
      return <Downloading update={update} />;
    case "verifying":
    case "installing":
      return <Waiting note={t(`${update.name}Note`)} />;
    case "fallback":
      return (
        <>
          <div className="stack">
            <ActButton kind="main" onAct={() => choose("continue-anyway")}>
              {t("continueAnyway")}
            </ActButton>
            <ActButton onAct={() => choose("try-again")}>{t("tryAgain")}</ActButton>
          </div>
          <Details text={update.problem} />
        </>
      );
  }
}

interface OfferProps {
  update: Extract<UpdateState, { name: "overlay" }>;
  choose: (choice: UpdateChoice) => void;
}

function Offer({ update: { offer, action, problem, notice }, choose }: OfferProps) {
  const { t } = useTranslation("update");
  const format = useUpdateFormat();
  const isDated = !Number.isNaN(Date.parse(offer.publishedAt));
  return (
    <>
      {problem !== null && (
        <div role="alert">
          <p className="update-problem">{t("problem")}</p>
          <Details text={problem} />
        </div>
      )}
      {notice !== null && (
        <div role="status">
          <p>{t("notice")}</p>
          <Details text={notice} />
        </div>
      )}
      <section aria-label={t("notes")}>
        <h2>{t("notes")}</h2>
        {isDated && <p className="soft">{t("published", { date: format.day(offer.publishedAt) })}</p>}
        <p className="update-notes">{offer.notes.trim() === "" ? t("noNotes") : offer.notes}</p>
      </section>
      <div className="stack">
        <ActButton kind="main" onAct={() => choose("install")}>
          {t(action === "install" ? "install" : "download")}
        </ActButton>
        <ActButton onAct={() => choose("later")}>{t("later")}</ActButton>
      </div>
      <p className="soft">{t(action === "install" ? "laterNote" : "downloadNote")}</p>
    </>
  );
}

function Downloading({ update }: { update: Extract<UpdateState, { name: "downloading" }> }) {
  const { t } = useTranslation("update");
  const format = useUpdateFormat();
  const { progress, offer } = update;
  const done = progress?.transferredBytes ?? 0;
  const total = progress?.totalBytes ?? null;
  const speed = progress?.bytesPerSecond ?? 0;
  const isMeasured = total !== null && total > 0;
  return (
    <>
      <progress
        aria-label={t("downloading", { version: offer.version })}
        {...(isMeasured ? { value: done, max: total } : {})}
      />
      <p role="status">
        {isMeasured
          ? t("progress", { done: bytesText(format, done), total: bytesText(format, total) })
          : t("progressOpen", { done: bytesText(format, done) })}
        {speed > 0 && <> · {t("speed", { speed: bytesText(format, speed) })}</>}
      </p>
      <p className="soft">{t("stay")}</p>
    </>
  );
}

function Waiting({ note }: { note: string }) {
  const { t } = useTranslation("update");
  return (
    <>
      <progress aria-label={note} />
      <p role="status">{note}</p>
      <p className="soft">{t("stay")}</p>
    </>
  );
}

/** The updater's own English sentence for support, folded. */
function Details({ text }: { text: string }) {
  const { t } = useTranslation("update");
  return (
    <details className="update-details">
      <summary>{t("details")}</summary>
      <span lang="en">{text}</span>
    </details>
  );
}

/** The overlay is outside the screens, which provide the format. It shows no money. */
function useUpdateFormat() {
  const language = useLanguage();
  return useMemo(() => createFormat(language), [language]);
}
