import { ActButton } from "@comanda/ui/act-button.tsx";
import { changedFields } from "@comanda/ui/changed-fields.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useState } from "react";
import { useLocation } from "wouter";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Failure } from "../../components/failure.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { groupsIn } from "../../components/group-select.tsx";
import { TextField } from "../../components/text-field.tsx";
import { closeRestaurant } from "../../lib/cache.ts";
import { callHq, type AnswerOf } from "../../lib/hq.ts";
import { useAct } from "../../lib/use-act.ts";

type Open = "edit" | "close" | AnswerOf<"enrolmentCode"> | null;

/** The actions of owners and operations on a restaurant. */
export function Manage({ restaurant }: { restaurant: AnswerOf<"restaurant"> }) {
  const { t, format } = useTranslation("restaurant");
  const [, navigate] = useLocation();
  const [open, setOpen] = useState<Open>(null);
  /** Enrolment time of the hub to revoke. A hub enrolled in its place meanwhile is not revoked. */
  const [cutting, setCutting] = useState<string | null>(null);
  const { isBusy, error, act } = useAct();
  const { id } = restaurant;
  return (
    <section className="card">
      <h2>{t("manage")}</h2>
      {restaurant.hubId === null && <p className="soft">{t("noHub")}</p>}
      <div className="stack">
        <ActButton disabled={isBusy} onAct={() => void act(async () => setOpen(await callHq("enrolmentCode", { id })))}>
          {t("makeCode")}
        </ActButton>
        <ActButton disabled={isBusy} onAct={() => setOpen("edit")}>
          {t("edit")}
        </ActButton>
        {restaurant.hubId !== null && (
          <ActButton kind="danger" disabled={isBusy} onAct={() => setCutting(restaurant.enrolledAt)}>
            {t("cutHub")}
          </ActButton>
        )}
        <ActButton kind="danger" disabled={isBusy} onAct={() => setOpen("close")}>
          {t("closeForGood")}
        </ActButton>
        <Failure error={error} />
      </div>
      {open !== null && typeof open === "object" && (
        <Dialog title={t("makeCode")} onClose={() => setOpen(null)}>
          <p className="enrolment-code">{open.code.replaceAll(/(.{4})(?=.)/g, "$1 ")}</p>
          <p>{t("codeWhere")}</p>
          <p className="enrolment-address">{new URL(".", location.href).href}</p>
          <p className="soft">{t("codeAbout", { time: format.time(open.expiresAt) })}</p>
        </Dialog>
      )}
      {open === "edit" && <EditDialog restaurant={restaurant} onClose={() => setOpen(null)} />}
      {cutting !== null && restaurant.hubId !== null && cutting === restaurant.enrolledAt && (
        <ConfirmDialog
          title={t("cutHub")}
          about={t("cutAbout")}
          action={t("cutIt")}
          conflict={t("cutOther")}
          onClose={() => setCutting(null)}
          work={() => callHq("cutHub", { id, query: { enrolledAt: cutting } })}
        />
      )}
      {open === "close" && (
        <ConfirmDialog
          title={t("closeForGood")}
          about={t("closeAbout")}
          action={t("closeIt")}
          onClose={() => setOpen(null)}
          work={async () => {
            await closeRestaurant(id);
            navigate("/");
          }}
        />
      )}
    </section>
  );
}

function EditDialog({ restaurant, onClose }: { restaurant: AnswerOf<"restaurant">; onClose: () => void }) {
  const { t } = useTranslation(["restaurant", "common"]);
  const [opened] = useState(restaurant);
  return (
    <FormDialog
      title={t("edit")}
      action={t("common:save")}
      onClose={onClose}
      send={(text) => {
        const form = { name: text("name"), groups: groupsIn(text("groups")), contact: text("contact") };
        return callHq("changeRestaurant", { id: restaurant.id, body: changedFields(opened, form) });
      }}
    >
      <TextField name="name" label={t("common:name")} defaultValue={opened.name} maxLength={120} />
      <TextField name="groups" label={t("common:groups")} defaultValue={opened.groups.join(", ")} required={false} />
      <TextField name="contact" label={t("contact")} defaultValue={opened.contact} required={false} />
    </FormDialog>
  );
}
