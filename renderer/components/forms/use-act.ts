import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { translator } from "@comanda/ui/translation.ts";
import { asFailure } from "../../lib/hub-failure.ts";
import { useFailureTexts } from "../failures/use-failure-texts.ts";

const SHOWN_MS = 5000;

interface Notice {
  title?: string;
  bad?: boolean;
  /** Stays until it is closed. By default, only bad news does. */
  isPersistent?: boolean;
  /** What the notice is about. A newer notice with the same value replaces it. */
  about?: string | undefined;
}

/** The id of the newest notice, by `about`. */
const newest = new Map<string, string>();

/** Shows a notice below the header, away from the buttons of rows and dialogs. */
export function notify(message: string, { title, bad = false, isPersistent = bad, about }: Notice = {}): void {
  takeBack(about);
  const id = notifications.show({
    title,
    message,
    color: bad ? "red" : "petrol",
    autoClose: isPersistent ? false : SHOWN_MS,
    closeButtonProps: { "aria-label": translator("common")("close") },
  });
  if (about !== undefined) newest.set(about, id);
}

function takeBack(about: string | undefined): void {
  const earlier = about === undefined ? undefined : newest.get(about);
  if (earlier !== undefined) notifications.hide(earlier);
}

/** Returns a function that notifies of a failure that no form shows. */
export function useNotifyFailure(): (error: unknown, about?: string) => void {
  const describe = useFailureTexts();
  return (error, about) => {
    const failure = asFailure(error);
    const { what, todo, issues, quote } = describe(failure);
    const parts = [...(issues.length > 0 ? issues : [todo]), quote, `(${failure.code})`];
    notify(parts.filter(Boolean).join(" "), { bad: true, title: what, about });
  };
}

/**
 * Runs the work of a button: `busy` meanwhile, `done` as the message after success. An error stays until it is closed or until
 * the same work succeeds. `about` identifies the work if several have the same `done`.
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
