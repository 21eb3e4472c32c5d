import { Button, Group } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { StatusMark } from "../../components/status-mark.tsx";

/** Looks for a back-office where one usually is, and offers what answers. What comes after the step was left is dropped. */
export function FoundBackOffices({ find, choose }: { find: () => Promise<string[]>; choose: (url: string) => void }) {
  const { t } = useTranslation("setup");
  const [busy, setBusy] = useState(false);
  const [found, setFound] = useState<string[] | null>(null);
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);

  async function look() {
    setBusy(true);
    setFound(null);
    const urls = await find().catch(() => []);
    if (!isShown.current) return;
    setBusy(false);
    setFound(urls);
  }

  return (
    <div>
      <Button size="xs" variant="default" loading={busy} onClick={() => void look()}>
        {t("find")}
      </Button>
      <div role="status" className="setup-result">
        {busy && t("finding")}
        {found?.length === 0 && <p className="soft">{t("foundNone")}</p>}
        {found?.map((url) => (
          <Group key={url} mt="xs">
            <StatusMark tone="good">{t("found", { url })}</StatusMark>
            <Button size="xs" variant="default" onClick={() => choose(url)}>
              {t("useFound", { url })}
            </Button>
          </Group>
        ))}
      </div>
    </div>
  );
}
