import type { HqPersonRow, HqRole } from "@comanda/protocol/headquarters.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useState } from "react";
import { Dialog } from "../../components/dialog.tsx";
import { Form } from "../../components/form.tsx";
import { groupsIn } from "../../components/group-select.tsx";
import { TextField } from "../../components/text-field.tsx";
import { hq } from "../../lib/hq.ts";
import { useAct } from "../../lib/use-act.ts";

const roles: readonly HqRole[] = ["owner", "operations", "region", "support"];

/** Adds somebody, or changes who is there. `provider`: the name of the identity provider, if people may sign in there. */
export function PersonDialog({
  person,
  provider,
  onClose,
}: {
  person: HqPersonRow | null;
  provider: string | null;
  onClose: () => void;
}) {
  const { t } = useTranslation(["people", "common"]);
  const [role, setRole] = useState<HqRole>(person?.role ?? "operations");
  const { isBusy, error, act } = useAct();

  function save(text: (field: string) => string): void {
    const password = text("password");
    const day = text("until");
    const rest = {
      name: text("name"),
      role,
      groups: groupsIn(text("groups")),
      // To the end of that day, by this device's clock.
      expiresAt: role === "support" ? new Date(`${day}T23:59:59`).toISOString() : null,
      ...(provider === null ? {} : { email: text("email").trim() || null }),
    };
    const isWithout = text("isWithoutPassword") === "on";
    const work = () =>
      person === null
        ? hq.addPerson({ ...rest, login: text("login"), password: password === "" ? null : password })
        : hq.changePerson(person.id, {
            ...rest,
            isActive: text("isActive") === "on",
            ...(text("hasOtherAccount") === "on" ? { isBound: false } : {}),
            ...(password === "" && !isWithout ? {} : { password: isWithout ? null : password }),
          });
    void act(work).then((worked) => {
      if (worked) onClose();
    });
  }

  return (
    <Dialog title={person === null ? t("add") : t("edit", { name: person.name })} onClose={onClose}>
      <Form action={t("common:save")} isBusy={isBusy} error={error} onSubmit={save}>
        <TextField name="name" label={t("common:name")} defaultValue={person?.name} maxLength={120} />
        {person === null && <TextField name="login" label={t("login")} autoComplete="off" maxLength={120} />}
        <label className="field">
          <span>{t("role")}</span>
          <select className="input" value={role} onChange={({ target }) => setRole(target.value as HqRole)}>
            {roles.map((each) => (
              <option key={each} value={each}>
                {t(`about.${each}`)}
              </option>
            ))}
          </select>
        </label>
        {role === "region" && (
          <TextField name="groups" label={t("groups")} defaultValue={person?.groups.join(", ")} maxLength={2_000} />
        )}
        {role === "support" && (
          <TextField name="until" label={t("until")} type="date" defaultValue={person?.expiresAt?.slice(0, 10)} />
        )}
        {provider !== null && (
          <TextField
            name="email"
            label={t("email", { name: provider })}
            type="email"
            autoComplete="off"
            defaultValue={person?.email ?? ""}
            maxLength={254}
            required={false}
          />
        )}
        {provider !== null && person?.isBound === true && (
          <label className="check-field">
            <input type="checkbox" name="hasOtherAccount" />
            <span>{t("otherAccount")}</span>
          </label>
        )}
        <TextField
          name="password"
          label={t(person === null ? "password" : "newPassword")}
          type="password"
          autoComplete="new-password"
          minLength={10}
          required={person === null && provider === null}
        />
        {provider !== null && person === null && <p className="soft">{t("passwordOptional", { name: provider })}</p>}
        {provider !== null && person?.hasPassword === true && (
          <label className="check-field">
            <input type="checkbox" name="isWithoutPassword" />
            <span>{t("withoutPassword", { name: provider })}</span>
          </label>
        )}
        {person !== null && (
          <>
            <label className="check-field">
              <input type="checkbox" name="isActive" defaultChecked={person.isActive} />
              <span>{t("isActive")}</span>
            </label>
            <p className="soft">{t("signedOut")}</p>
          </>
        )}
      </Form>
    </Dialog>
  );
}
