import { Button, Group, Modal, Progress, Stack } from "@mantine/core";
import type { DesktopBridge, UpdateChoice, UpdateState } from "@comanda/protocol";
import type { ReactNode } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { StatusMark } from "../../components/status-mark.tsx";
import { TechnicalDetail } from "../../components/technical-detail.tsx";
import { useFormat } from "@comanda/ui/format.ts";
import { UpdateTitle } from "@comanda/ui/update-title.tsx";
import { useUpdate } from "@comanda/ui/use-update.ts";
import "./update-overlay.css";

/** Covers the whole window while there is something to decide or wait for. No key and no click closes it. */
export function UpdateOverlay({ bridge }: { bridge: DesktopBridge }) {
  const update = useUpdate(bridge);
  const choose = (choice: UpdateChoice) => void bridge.chooseUpdate(choice);
  const shown = update.name !== "app" && update.name !== "checking";
  return (
    <Modal
      opened={shown}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      fullScreen
      classNames={{ header: "update-header", content: "update-content" }}
      title={<UpdateTitle update={update} />}
    >
      <div className="update-body">
        <Content update={update} choose={choose} />
      </div>
    </Modal>
  );
}

function Content({ update, choose }: { update: UpdateState; choose: (choice: UpdateChoice) => void }): ReactNode {
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
        <Stack>
          <TechnicalDetail text={update.problem} />
          <Group>
            <Button onClick={() => choose("continue-anyway")}>{t("continueAnyway")}</Button>
            <Button variant="default" onClick={() => choose("try-again")}>
              {t("tryAgain")}
            </Button>
          </Group>
        </Stack>
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
  const { t } = useTranslation("update");
  const format = useFormat();
  const known = !Number.isNaN(Date.parse(offer.publishedAt));
  return (
    <Stack>
      {known && <p className="soft">{t("published", { date: format.day(offer.publishedAt) })}</p>}
      {problem !== null && (
        <div role="alert">
          <StatusMark tone="bad">{t("problem")}</StatusMark>
          <TechnicalDetail text={problem} />
        </div>
      )}
      {notice !== null && (
        <div role="status">
          {t("notice")}
          <TechnicalDetail text={notice} />
        </div>
      )}
      <section aria-label={t("notes")}>
        <h2 className="update-notes-title">{t("notes")}</h2>
        <pre className="update-notes">{offer.notes.trim() === "" ? t("noNotes") : offer.notes}</pre>
      </section>
      <Group>
        <Button size="md" onClick={() => choose("install")}>
          {t(action === "install" ? "install" : "download")}
        </Button>
        <Button size="md" variant="default" onClick={() => choose("later")}>
          {t("later")}
        </Button>
      </Group>
      <p className="soft">{t("laterNote")}</p>
    </Stack>
  );
}

function Downloading({ update }: { update: Extract<UpdateState, { name: "downloading" }> }) {
  const { t } = useTranslation("update");
  const format = useFormat();
  const { progress, offer } = update;
  const done = progress?.transferredBytes ?? 0;
  const total = progress?.totalBytes ?? null;
  const share = total === null || total === 0 ? null : (done / total) * 100;
  return (
    <Stack>
      <Progress
        size="lg"
        value={share ?? 100}
        animated={share === null}
        aria-label={t("downloading", { version: offer.version })}
      />
      <p className="num" role="status">
        {total === null
          ? t("progressOpen", { done: format.bytes(done) })
          : t("progress", { done: format.bytes(done), total: format.bytes(total) })}
        {progress !== null && progress.bytesPerSecond > 0 && (
          <> · {t("speed", { speed: format.bytes(progress.bytesPerSecond) })}</>
        )}
      </p>
      <p className="soft">{t("stay")}</p>
    </Stack>
  );
}

function Waiting({ note }: { note: string }) {
  const { t } = useTranslation("update");
  return (
    <Stack role="status">
      <Progress size="lg" value={100} animated aria-label={note} />
      <p>{note}</p>
      <p className="soft">{t("stay")}</p>
    </Stack>
  );
}
