import { notifications } from "@mantine/notifications";
import i18next from "i18next";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { asFailure } from "../lib/hub-failure.ts";

const SHOWN_MS = 5000;

interface Notice {
  title?: string;
  bad?: boolean;
  /** Until it is closed; bad news always stays. */
  stays?: boolean;
}

/** Says in a corner of the screen what was done. */
export function notify(message: string, { title, bad = false, stays = bad }: Notice = {}): void {
  notifications.show({
    title,
    message,
    color: bad ? "red" : "petrol",
    autoClose: stays ? false : SHOWN_MS,
    closeButtonProps: { "aria-label": i18next.t("common:close") },
  });
}

/** Runs what a button does: `busy` meanwhile, `done` says that it worked, and an error stays until it is read. */
export function useAct(): { busy: boolean; act: (work: () => Promise<unknown>, done?: string) => Promise<void> } {
  const { t } = useTranslation("failures");
  const [busy, setBusy] = useState(false);
  const act = useCallback(
    async (work: () => Promise<unknown>, done?: string) => {
      setBusy(true);
      try {
        await work();
        if (done !== undefined) notify(done);
      } catch (error) {
        const { code } = asFailure(error);
        notify(`${t(`${code}.todo`)} (${code})`, { bad: true, title: t(`${code}.what`) });
      } finally {
        setBusy(false);
      }
    },
    [t],
  );
  return { busy, act };
}
