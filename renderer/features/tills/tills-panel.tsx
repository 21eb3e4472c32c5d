import { Button, MultiSelect, NativeSelect } from "@mantine/core";
import type { Till } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useNow } from "../../lib/hub-time.ts";
import { useEffect, useRef, useState } from "react";
import type { Action } from "../../components/forms/action-button.tsx";
import { LoadedTable } from "../../components/tables/loaded.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import type { Column } from "../../components/tables/table.tsx";
import { useAct } from "../../components/forms/use-act.ts";
import { Form } from "@comanda/ui/form.tsx";
import { TextField } from "../../components/forms/form-fields.tsx";
import { callHub, useHub } from "../../lib/hub.ts";
import { randomUuid } from "../../lib/random-uuid.ts";
import { useFocusReturn } from "../../lib/use-focus-return.ts";
import { changeOfTill } from "./change-of-till.ts";
import { BusyButton } from "../../components/forms/busy-button.tsx";

/** Adds, changes and deletes drawers. */
export function TillsPanel() {
  const { t } = useTranslation(["tills", "common"]);
  const [edited, setEdited] = useState<{ till: Till | null } | null>(null);
  // Opening the same till again during a save keeps the form, which closes after the save.
  const edit = (till: Till) => setEdited((now) => (now?.till?.id === till.id ? now : { till }));
  const actionsOf = (till: Till): Action[] => [
    { label: t("common:change"), name: `${t("common:change")}: ${till.name}`, run: async () => edit(till) },
    {
      label: t("common:remove"),
      name: t("removeTitle", { name: till.name }),
      confirm: { body: t("removeBody"), danger: true },
      run: () => callHub("deleteTill", { params: { tillId: till.id } }),
      done: t("removed", { name: till.name }),
    },
  ];
  return (
    <Panel
      title={t("tabs.tills")}
      about={t("tillsAbout")}
      actions={
        <Button disabled={edited !== null} onClick={() => setEdited({ till: null })}>
          {t("add")}
        </Button>
      }
      flush
    >
      {edited !== null && (
        <TillForm
          key={edited.till?.id}
          till={edited.till}
          // Another form may be open when the save ends.
          onDone={() => setEdited((now) => (now === edited ? null : now))}
        />
      )}
      <LoadedTable
        query={useHub("tills")}
        columns={useColumns()}
        rows={(list) => list.tills}
        rowKey={({ id }) => id}
        actions={actionsOf}
        empty={{ title: t("noTillsTitle"), children: t("noTills") }}
      />
    </Panel>
  );
}

function useColumns(): Column<Till>[] {
  const { t, format } = useTranslation(["tills", "common"]);
  const now = useNow();
  return [
    { header: t("common:name"), cell: ({ name }) => name },
    { header: t("terminals"), cell: ({ terminals }) => terminals.join(", ") },
    {
      header: t("shift"),
      cell: ({ shift }) =>
        shift === null
          ? t("noShiftOpen")
          : t("openSince", { name: shift.openedBy, when: format.when(shift.openedAt, now) }),
    },
  ];
}

function TillForm({ till, onDone }: { till: Till | null; onDone: () => void }) {
  const { t } = useTranslation(["tills", "common"]);
  const { busy, act } = useAct();
  const form = useRef<HTMLFormElement>(null);
  useFocusReturn();
  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  const registered = useHub("terminals").data?.terminals.map(({ terminalId }) => terminalId) ?? [];
  const printers = useHub("printers").data?.printers ?? [];
  const [id] = useState(() => till?.id ?? randomUuid());
  const [name, setName] = useState(till?.name ?? "");
  const [terminals, setTerminals] = useState<string[]>(till?.terminals ?? []);
  const [printer, setPrinter] = useState(till?.printer ?? "");

  async function save(): Promise<void> {
    // An earlier attempt may have added the till although its answer was lost.
    const before = till ?? (await callHub("tills")).tills.find((each) => each.id === id);
    if (before === undefined) {
      await callHub("createTill", { body: { id, name, terminals, ...(printer !== "" && { printer }) } });
    } else {
      const body = changeOfTill(before, { name, terminals, printer });
      await callHub("changeTill", { params: { tillId: id }, body });
    }
    onDone();
  }

  return (
    <Form
      ref={form}
      className="tools till-form"
      onSubmit={() => act(save, till === null ? t("added", { name }) : undefined)}
    >
      <TextField label={t("common:name")} value={name} maxLength={60} required onChange={setName} />
      <MultiSelect
        label={t("terminals")}
        data={[...new Set([...registered, ...terminals])]}
        value={terminals}
        onChange={setTerminals}
        searchable
      />
      <NativeSelect
        label={t("printer")}
        value={printer}
        onChange={(event) => setPrinter(event.currentTarget.value)}
        data={[{ value: "", label: t("noPrinter") }, ...printers.map(({ id, name: label }) => ({ value: id, label }))]}
      />
      <BusyButton type="submit" loading={busy}>
        {t("common:save")}
      </BusyButton>
      <Button variant="default" onClick={onDone}>
        {t("common:cancel")}
      </Button>
    </Form>
  );
}
