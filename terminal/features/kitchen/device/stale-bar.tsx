import { useNow } from "@comanda/ui/use-now.ts";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useLive, useTerminal } from "../../../lib/connection/pos.ts";
import { createSilence } from "./silence.ts";

/** Warns when the screen may be outdated, with how long the hub has been silent. It blocks nothing. */
export function StaleBar() {
  const { t, format } = useTranslation("kitchenMore");
  const terminal = useTerminal();
  const connection = useLive("connection");
  const [silence] = useState(() => createSilence(() => performance.now()));
  useNow();
  const ms = silence.at({ asOf: terminal.asOf(), hubNow: terminal.now() });
  if (!silence.isStale(ms, connection.name === "online")) return null;
  return (
    <output className="kitchen-bar" data-tone="warn">
      <IconPlugConnectedX aria-hidden />
      <strong>{ms === null ? t("neverHeard") : t("silent", { duration: format.age(ms) })}</strong>
    </output>
  );
}
