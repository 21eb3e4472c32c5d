import { notifications } from "@mantine/notifications";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { asFailure } from "../lib/hub-failure.ts";

/** Runs what a button does: busy meanwhile, and an error is told in words where it can be read in peace. */
export function useAct(): { busy: boolean; act: (work: () => Promise<unknown>, done?: string) => Promise<void> } {
  const { t } = useTranslation("failures");
  const [busy, setBusy] = useState(false);
  const act = useCallback(
    async (work: () => Promise<unknown>, done?: string) => {
      setBusy(true);
      try {
        await work();
        if (done !== undefined) notifications.show({ message: done, color: "petrol", autoClose: 5000 });
      } catch (error) {
        const failure = asFailure(error);
        notifications.show({
          title: t(`${failure.code}.what`),
          message: `${t(`${failure.code}.todo`)} (${failure.code})`,
          color: "red",
          autoClose: false,
        });
      } finally {
        setBusy(false);
      }
    },
    [t],
  );
  return { busy, act };
}
