import type { UpdateChoice, UpdateState } from "@comanda/protocol";
import { createFormat } from "@comanda/ui/format.ts";
import { UpdateTitle } from "@comanda/ui/update-title.tsx";
import { useUpdate } from "@comanda/ui/use-update.ts";
import { useId, useMemo, type ReactNode } from "react";
import { useLanguage, useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "../../components/act-button.tsx";
import { Modal } from "../../components/modal.tsx";
import type { UpdateBridge } from "./wrapper-updates.ts";
import "./update.css";

/** Covers the whole window while there is something to decide or wait for. No key and no tap beside it closes it. */
export function UpdateOverlay({ bridge }: { bridge: UpdateBridge }) {
  const update = useUpdate(bridge);
  const choose = (choice: UpdateChoice) => void bridge.chooseUpdate(choice);
  const titleId = useId();
  if (update.name === "app" || update.name === "checking") return null;
  return (
    <Modal className="update-overlay" titleId={titleId}>
      <div className="update">
        <h1 id={titleId}>
          <UpdateTitle update={update} />
        </h1>
        <Content update={update} choose={choose} />
      </div>
    </Modal>
  );
}

function Content({ update, choose }: { update: UpdateState; choose: (choice: UpdateChoice) => void }): ReactNode {
  const { t } = useTranslation(["update", "desktop"]);
  switch (update.name) {
    case "overlay":
      return <Offer update={update} choose={choose} />;
    case "downloading":
      return <Downloading update={update} />;
    case "verifying":
      return <Waiting note={t("verifyingNote")} />;
    case "installing":
      return <Waiting note={t("desktop:installingNote")} />;
    case "fallback":
      return (
        <>
          <div className="update-acts">
            <ActButton kind="main" onAct={() => choose("continue-anyway")}>
              {t("continueAnyway")}
            </ActButton>
            <ActButton onAct={() => choose("try-again")}>{t("tryAgain")}</ActButton>
          </div>
          <Details text={update.problem} />
        </>
      );
    case "app":
    case "checking":
      return null;
  }
}

interface OfferProps {
  update: Extract<UpdateState, { name: "overlay" }>;
  choose: (choice: UpdateChoice) => void;
}

function Offer({ update: { offer, action, problem, notice }, choose }: OfferProps) {
  const { t } = useTranslation(["update", "desktop"]);
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
      <div className="update-acts">
        <ActButton kind="main" onAct={() => choose("install")}>
          {t(action === "install" ? "install" : "download")}
        </ActButton>
        <ActButton onAct={() => choose("later")}>{t("later")}</ActButton>
      </div>
      <p className="soft">{t(action === "install" ? "laterNote" : "desktop:downloadNote")}</p>
      <section aria-label={t("notes")}>
        <h2>{t("notes")}</h2>
        {isDated && <p className="soft">{t("published", { date: format.day(offer.publishedAt) })}</p>}
        <p className="update-notes">{offer.notes.trim() === "" ? t("noNotes") : offer.notes}</p>
      </section>
    </>
  );
}

function Downloading({ update }: { update: Extract<UpdateState, { name: "downloading" }> }) {
  const { t } = useTranslation("update");
  const format = useUpdateFormat();
  const { progress, offer } = update;
  const done = progress?.transferredBytes ?? 0;
  const total = progress?.totalBytes ?? null;
  const isMeasured = total !== null && total > 0;
  return (
    <>
      <progress
        aria-label={t("downloading", { version: offer.version })}
        {...(isMeasured ? { value: done, max: total } : {})}
      />
      <p role="status">
        {isMeasured
          ? t("progress", { done: format.bytes(done), total: format.bytes(total) })
          : t("progressOpen", { done: format.bytes(done) })}
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

/** The updater's own English sentence, for support: folded away. */
function Details({ text }: { text: string }) {
  const { t } = useTranslation("desktop");
  return (
    <details className="update-details">
      <summary>{t("details")}</summary>
      <span lang="en">{text}</span>
    </details>
  );
}

/** The overlay stands outside the screens and their format; it shows no money. */
function useUpdateFormat() {
  const language = useLanguage();
  return useMemo(() => createFormat(language, "DOP"), [language]);
}
