import { Checkbox, TextInput } from "@mantine/core";
import { RESERVATIONS_PLUGIN } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Setup } from "../use-setup.ts";

export function PluginStep({ setup }: { setup: Setup }) {
  const { t } = useTranslation("setup");
  const { plugins } = setup.settings;
  const reservations = plugins.includes(RESERVATIONS_PLUGIN);
  const [others, setOthers] = useState(() => plugins.filter((id) => id !== RESERVATIONS_PLUGIN).join(", "));

  function change(withReservations: boolean, otherIds: string) {
    const ids = otherIds
      .split(",")
      .map((id) => id.trim().toLowerCase())
      .filter((id) => /^[a-z0-9-]{1,64}$/.test(id) && id !== RESERVATIONS_PLUGIN);
    setup.change({ plugins: [...(withReservations ? [RESERVATIONS_PLUGIN] : []), ...new Set(ids)] });
  }

  return (
    <>
      <h2>{t("plugins")}</h2>
      <p className="soft setup-intro">{t("pluginsAbout")}</p>
      <div className="setup-fields">
        <Checkbox
          label={t("pluginReservations")}
          checked={reservations}
          onChange={(event) => change(event.currentTarget.checked, others)}
        />
        <TextInput
          label={t("pluginOther")}
          value={others}
          onChange={(event) => {
            setOthers(event.currentTarget.value);
            change(reservations, event.currentTarget.value);
          }}
        />
      </div>
    </>
  );
}
