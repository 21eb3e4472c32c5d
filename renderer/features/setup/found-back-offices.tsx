import { Button, Group } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "@comanda/ui/translation.ts";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { BusyButton } from "../../components/forms/busy-button.tsx";

/** Looks for a back-office at the usual places and offers those that answer. Drops answers after the step was left. */
export function FoundBackOffices({ find, choose }: { find: () => Promise<string[]>; choose: (url: string) => void }) {
  const { t } = useTranslation("setup");
  const { data: found, isPending, mutate: search } = useMutation({ mutationFn: () => find().catch(() => []) });
  return (
    <div>
      <BusyButton size="xs" variant="default" loading={isPending} onClick={() => search()}>
        {t("find")}
      </BusyButton>
      <div role="status" className="setup-result">
        {isPending && t("finding")}
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
