import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { translator } from "@comanda/ui/translation.ts";
import { asFailure } from "../../lib/hub-failure.ts";
import { useFailureWords } from "../failures/failure-words.ts";

const SHOWN_MS = 5000;

interface Notice {
  title?: string;
  bad?: boolean;
  /** Until it is closed; bad news always stays. */
  stays?: boolean;
  /** The one thing that it is about: news of the same takes its place. */
  about?: string | undefined;
}

/** The newest notice about each thing, by the notice's id. */
const newest = new Map<string, string>();

/** Says below the header what was done, where no row and no dialog has its buttons. */
export function notify(message: string, { title, bad = false, stays = bad, about }: Notice = {}): void {
  takeBack(about);
  const id = notifications.show({
    title,
    message,
    color: bad ? "red" : "petrol",
    autoClose: stays ? false : SHOWN_MS,
    closeButtonProps: { "aria-label": translator("common")("close") },
  });
  if (about !== undefined) newest.set(about, id);
}

function takeBack(about: string | undefined): void {
  const earlier = about === undefined ? undefined : newest.get(about);
  if (earlier !== undefined) notifications.hide(earlier);
}

/** Says what has failed, where no form shows it. */
export function useNotifyFailure(): (error: unknown, about?: string) => void {
  const wordsOf = useFailureWords();
  return (error, about) => {
    const failure = asFailure(error);
    const { what, todo, issues, quote } = wordsOf(failure);
    const parts = [...(issues.length > 0 ? issues : [todo]), quote, `(${failure.code})`];
    notify(parts.filter(Boolean).join(" "), { bad: true, title: what, about });
  };
}

/**
 * Runs what a button does: `busy` meanwhile, `done` says that it worked, and an error stays until it is read, or until the same
 * works. `about` tells the same from others of which `done` says no more.
 */
export function useAct(): {
  busy: boolean;
  act: (work: () => Promise<unknown>, done?: string, about?: string) => Promise<void>;
} {
  const notifyFailure = useNotifyFailure();
  const [busy, setBusy] = useState(false);
  const act = async (work: () => Promise<unknown>, done?: string, about = done) => {
    setBusy(true);
    try {
      await work();
      if (done === undefined) takeBack(about);
      else notify(done, { about });
    } catch (error) {
      notifyFailure(error, about);
    } finally {
      setBusy(false);
    }
  };
  return { busy, act };
}
