import { bytesText } from "@comanda/ui/bytes-text.ts";
import { Button, Group, Radio, Stack } from "@mantine/core";
import type { DesktopBridge, OfferedBackup, SaveResult } from "@comanda/protocol";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActionButton } from "../../components/forms/action-button.tsx";
import { TechnicalDetail } from "../../components/failures/technical-detail.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { TextField } from "../../components/forms/form-fields.tsx";
import { useNow } from "../../lib/hub-time.ts";
import { BusyButton } from "../../components/forms/busy-button.tsx";

interface RestoreFirstProps {
  bridge: DesktopBridge;
  /** Backups in the hub's own folder, from before this start. */
  backupsFound: number;
}

/** Restores a backup from any file or folder of this computer. For a new PC that replaces a broken one. */
export function RestoreFirst({ bridge, backupsFound }: RestoreFirstProps) {
  const { t } = useTranslation(["setup", "system"]);
  const [isOpen, setOpen] = useState(backupsFound > 0);
  return (
    <div>
      <p>
        {t("restoreQuestion")} {backupsFound > 0 && t("restoreAbout", { count: backupsFound })}
      </p>
      {isOpen ? (
        <FindBackups bridge={bridge} backupsFound={backupsFound} isRequested={backupsFound === 0} />
      ) : (
        <Button variant="default" onClick={() => setOpen(true)}>
          {t("system:restoreTitle")}
        </Button>
      )}
    </div>
  );
}

/** `isRequested`: the user pressed the button that was here before. */
function FindBackups({ bridge, backupsFound, isRequested }: RestoreFirstProps & { isRequested: boolean }) {
  const { t } = useTranslation(["setup", "system"]);
  const [place, setPlace] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isRequested) field.current?.focus();
  }, [isRequested]);
  const [result, setResult] = useState<SaveResult | null>(null);
  const {
    data: found,
    isPending,
    mutate: find,
    reset: forget,
  } = useMutation({ mutationFn: (where: string) => bridge.findBackups(where), onMutate: () => setResult(null) });

  async function choose() {
    const folder = await bridge.chooseFolder();
    if (folder === null) return;
    setPlace(folder);
    find(folder);
  }

  return (
    <Stack gap="sm">
      <TextField
        ref={field}
        label={t("restorePlace")}
        description={t("restorePlaceHint")}
        value={place}
        autoComplete="off"
        onChange={(typed) => {
          setPlace(typed);
          // The backups found are from the previous place, not from the one typed now.
          forget();
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          // Otherwise the wizard's form would go to the next step.
          event.preventDefault();
          if (place.trim() !== "") find(place.trim());
        }}
      />
      <Group>
        <Button variant="default" onClick={() => void choose()}>
          {t("system:chooseFolder")}
        </Button>
        <BusyButton
          variant="default"
          loading={isPending}
          disabled={place.trim() === ""}
          onClick={() => find(place.trim())}
        >
          {t("restoreFind")}
        </BusyButton>
        {backupsFound > 0 && (
          <ConfirmedRestore
            label={t("restoreNewest")}
            description={t("restoreNewestMeans")}
            run={() => bridge.restoreNewestBackup()}
            onResult={setResult}
          />
        )}
      </Group>
      <div role="status">
        {found !== undefined &&
          (found.ok ? (
            <Offers bridge={bridge} backups={found.backups} onResult={setResult} />
          ) : (
            <>
              <StatusMark tone="bad">{t(`restoreProblem.${found.reason}`)}</StatusMark>
              <TechnicalDetail text={found.error} />
            </>
          ))}
        {result !== null && (
          <>
            <StatusMark tone={result.ok ? "good" : "bad"}>{t(result.ok ? "restored" : "restoreFailed")}</StatusMark>
            {!result.ok && <TechnicalDetail text={result.error} />}
          </>
        )}
      </div>
    </Stack>
  );
}

interface OffersProps {
  bridge: DesktopBridge;
  backups: readonly OfferedBackup[];
  onResult: (result: SaveResult) => void;
}

/** Describes the backups found. If there are several, the user chooses one. */
function Offers({ bridge, backups, onResult }: OffersProps) {
  const { t, format } = useTranslation("setup");
  const now = useNow();
  const [path, setPath] = useState(backups[0]?.path ?? "");
  const describe = ({ restaurant, createdAt, orders, activeOrders, bytes }: OfferedBackup) =>
    t("restoreOffer", {
      name: restaurant ?? t("restoreUnnamed"),
      time: format.dateTime(createdAt),
      ago: format.ago(createdAt, now),
      orders: format.number(orders),
      active: format.number(activeOrders),
      size: bytesText(format, bytes),
    });
  const chosen = backups.find((backup) => backup.path === path);
  return (
    <Stack gap="xs">
      <Radio.Group label={t("restoreFound", { count: backups.length })} value={path} onChange={setPath}>
        <Stack gap="xs" mt="xs">
          {backups.map((backup) => (
            <Radio key={backup.path} value={backup.path} label={describe(backup)} description={backup.path} />
          ))}
        </Stack>
      </Radio.Group>
      {chosen !== undefined && (
        <ConfirmedRestore
          label={t("restoreThis")}
          description={describe(chosen)}
          run={() => bridge.restoreBackup(chosen.path)}
          onResult={onResult}
        />
      )}
    </Stack>
  );
}

interface ConfirmedRestoreProps {
  label: string;
  description: string;
  run: () => Promise<SaveResult>;
  onResult: (result: SaveResult) => void;
}

function ConfirmedRestore({ label, description, run, onResult }: ConfirmedRestoreProps) {
  const { t } = useTranslation(["setup", "system"]);
  const body = (
    <>
      <p>{description}</p>
      <p>{t("restoreNote")}</p>
    </>
  );
  return (
    // For React, the dialog's form is inside the wizard's: submitting it must not lead to the next step.
    <div onSubmit={(event) => event.stopPropagation()}>
      <ActionButton
        label={label}
        confirm={{ title: t("system:restoreTitle"), body, danger: true, typeToConfirm: t("system:restoreWord") }}
        run={async () => onResult(await run())}
      />
    </div>
  );
}
