import { useState } from "react";
import type { ComandaWrapper } from "../../lib/wrapper.ts";
import { UpdateOverlay } from "@comanda/ui/update-overlay.tsx";
import { startWrapperUpdates } from "./wrapper-updates.ts";

/** What an Android app around the page adds to it: the check for a newer one. */
export function WrapperFrame({ wrapper }: { wrapper: ComandaWrapper }) {
  const [bridge] = useState(() => startWrapperUpdates(wrapper));
  return <UpdateOverlay bridge={bridge} />;
}
