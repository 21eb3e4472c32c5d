import { useState } from "react";
import type { ComandaWrapper } from "../../lib/device/wrapper.ts";
import { UpdateOverlay, type UpdateBridge } from "@comanda/ui/update-overlay.tsx";
import type { AndroidUpdate, UpdateState } from "@comanda/protocol";
import { checkAndroidUpdate, startUpdateSession } from "@comanda/updater/client/page.ts";
import { hubAddress } from "../../lib/device/hub-address.ts";

/** Adds update checks to the page in an Android app. */
export function WrapperFrame({ wrapper }: { wrapper: ComandaWrapper }) {
  const [bridge] = useState(() => startWrapperUpdates(wrapper));
  return <UpdateOverlay bridge={bridge} />;
}

/** Checks for a newer Android app from the start of the page. The app only reports its version and opens addresses. */
function startWrapperUpdates(wrapper: ComandaWrapper): UpdateBridge {
  const listeners = new Set<(update: UpdateState) => void>();
  const version = wrapper.version();
  const impossible = () => Promise.reject(new Error("The page installs nothing."));
  const session = startUpdateSession({
    platform: "android",
    check: () => checkAndroidUpdate(version, () => askHub(version)),
    download: impossible,
    install: impossible,
    openInBrowser: (address) => Promise.resolve(wrapper.openInBrowser(address)),
    onState(state) {
      for (const listener of listeners) listener(state);
    },
  });
  return {
    getUpdate: () => Promise.resolve(session.state()),
    chooseUpdate: (choice) => Promise.resolve(session.choose(choice)),
    onUpdate(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

async function askHub(version: string): Promise<AndroidUpdate["update"]> {
  const address = new URL("/terminal/v1/android-update", hubAddress());
  address.searchParams.set("version", version);
  const answer = await fetch(address, { signal: AbortSignal.timeout(ANSWER_MS) });
  const content = (await answer.json()) as AndroidUpdate & { error?: string };
  if (!answer.ok) throw new Error(`The hub answered ${answer.status}: ${content.error ?? ""}`);
  return content.update;
}

/** Longer than the hub's own timeout for the back-office, in ms. */
const ANSWER_MS = 10_000;
