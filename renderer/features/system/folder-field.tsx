import { Button, Group, type TextInputProps } from "@mantine/core";
import type { DesktopBridge, FolderTestResult, SettingName } from "@comanda/protocol";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "@comanda/ui/translation.ts";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { TextField } from "../../components/forms/form-fields.tsx";
import { BusyButton } from "../../components/forms/busy-button.tsx";
import { TestedFolder } from "./backup-folders.tsx";

/** Whether a setting names a folder for backups. */
export function isBackupFolder(name: SettingName): boolean {
  return name === "HUB_BACKUP_DIR" || name === "HUB_BACKUP_SECOND_DIR";
}

interface FolderFieldProps extends Pick<TextInputProps, "label" | "description" | "error"> {
  bridge: DesktopBridge;
  value: string;
  onChange: (value: string) => void;
}

/** A folder of this computer, typed or chosen in the system's dialog, and tested before it is saved. */
export function FolderField({ bridge, value, onChange, ...field }: FolderFieldProps) {
  const { t } = useTranslation(["system", "common"]);
  const {
    data: result,
    isPending,
    mutate: test,
    reset,
  } = useMutation({
    mutationFn: (folder: string) => bridge.testFolder(folder),
  });

  function change(next: string) {
    reset();
    onChange(next);
  }

  async function choose() {
    const folder = await bridge.chooseFolder();
    if (folder === null) return;
    change(folder);
    test(folder);
  }

  return (
    <div>
      <TextField {...field} value={value} autoComplete="off" onChange={change} data-autofocus />
      <Group gap="xs" mt="xs">
        <Button size="xs" variant="default" onClick={() => void choose()}>
          {t("chooseFolder")}
        </Button>
        <BusyButton
          size="xs"
          variant="default"
          loading={isPending}
          disabled={value.trim() === ""}
          onClick={() => test(value.trim())}
        >
          {t("common:test")}
        </BusyButton>
        <span role="status">{result !== undefined && <Result result={result} />}</span>
      </Group>
    </div>
  );
}

function Result({ result }: { result: FolderTestResult }) {
  const { t } = useTranslation("system");
  if (!result.ok) return <TestedFolder result={result.reason} freeBytes={null} />;
  return (
    <>
      <TestedFolder result="writable" freeBytes={result.freeBytes} />{" "}
      {result.sameDisk && <StatusMark tone="warn">{t("sameDiskShort")}</StatusMark>}
    </>
  );
}
