import { notifications } from "@mantine/notifications";
import { useCallback, useState } from "react";
import { translator } from "@comanda/ui/translation.ts";
import { asFailure } from "../../lib/hub-failure.ts";
import { useFailureWords } from "../failures/failure-words.ts";

const SHOWN_MS = 5000;

interface Notice {
  title?: string;
  bad?: boolean;
  /** Until it is closed; bad news always stays. */
  stays?: boolean;
}

/** Says below the header what was done, where no row and no dialog has its buttons. */
export function notify(message: string, { title, bad = false, stays = bad }: Notice = {}): void {
  notifications.show({
    title,
    message,
    color: bad ? "red" : "petrol",
    autoClose: stays ? false : SHOWN_MS,
    closeButtonProps: { "aria-label": translator("common")("close") },
  });
}

/** Says what has failed, where no form shows it. */
export function useNotifyFailure(): (error: unknown) => void {
  const wordsOf = useFailureWords();
  return useCallback(
    (error) => {
      const failure = asFailure(error);
      const { what, todo, issues, quote } = wordsOf(failure);
      const parts = [...(issues.length > 0 ? issues : [todo]), quote, `(${failure.code})`];
      notify(parts.filter(Boolean).join(" "), { bad: true, title: what });
    },
    [wordsOf],
  );
}

/** Runs what a button does: `busy` meanwhile, `done` says that it worked, and an error stays until it is read. */
export function useAct(): { busy: boolean; act: (work: () => Promise<unknown>, done?: string) => Promise<void> } {
  const notifyFailure = useNotifyFailure();
  const [busy, setBusy] = useState(false);
  const act = useCallback(
    async (work: () => Promise<unknown>, done?: string) => {
      setBusy(true);
      try {
        await work();
        if (done !== undefined) notify(done);
      } catch (error) {
        notifyFailure(error);
      } finally {
        setBusy(false);
      }
    },
    [notifyFailure],
  );
  return { busy, act };
}
