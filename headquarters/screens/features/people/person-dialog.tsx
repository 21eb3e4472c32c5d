import { DAY_MS } from "@comanda/protocol";
import type { HqPersonRow, HqRole } from "@comanda/protocol/headquarters.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useNow } from "@comanda/ui/use-now.ts";
import { dayOf } from "@comanda/ui/zoned-time.ts";
import { useState } from "react";
import { CheckField } from "../../components/check-field.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { groupsIn } from "../../components/group-select.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useHq } from "../../lib/cache.ts";
import { callHq } from "../../lib/hq.ts";
import { changeOfPerson } from "./change-of-person.ts";
import { endOfDay, lastDayOf } from "./last-day.ts";

/** Days from now. The end of that day is still within the 30 days that headquarters allow. */
const LAST_DAY = 29;

const roles: readonly HqRole[] = ["owner", "operations", "region", "support"];

/** Adds or changes a person. `provider`: the name of the identity provider, or null if there is none. */
export function PersonDialog({
  person,
  provider,
  onClose,
}: {
  person: HqPersonRow | null;
  provider: string | null;
  onClose: () => void;
}) {
  const { t } = useTranslation(["people", "common", "signIn"]);
  const known = useHq("groups").data?.groups.map(({ name }) => name);
  const [unknownGroups, setUnknownGroups] = useState<string[]>([]);
  const [role, setRole] = useState<HqRole>(person?.role ?? "operations");

  function save(text: (field: string) => string): Promise<unknown> | null {
    const password = text("password");
    const day = text("until");
    const groups = groupsIn(text("groups")).map((typed) => known?.find((name) => isSameName(name, typed)) ?? typed);
    const unknown = role === "region" && known !== undefined ? groups.filter((name) => !known.includes(name)) : [];
    setUnknownGroups(unknown);
    if (unknown.length > 0) return null;
    const fields = {
      name: text("name"),
      role,
      groups,
      expiresAt: role === "support" ? endOfDay(day) : null,
      ...(provider === null ? {} : { email: text("email").trim() || null }),
    };
    const isPasswordless = text("isWithoutPassword") === "on";
    return person === null
      ? callHq("addPerson", {
          body: { ...fields, login: text("login"), password: password === "" ? null : password },
        })
      : callHq("changePerson", {
          id: person.id,
          body: {
            ...changeOfPerson(person, { ...fields, isActive: text("isActive") === "on" }),
            ...(text("hasOtherAccount") === "on" ? { isBound: false } : {}),
            ...(password === "" && !isPasswordless ? {} : { password: isPasswordless ? null : password }),
          },
        });
  }

  return (
    <FormDialog
      title={person === null ? t("add") : t("edit", { name: person.name })}
      action={t("common:save")}
      conflict={t(`conflict.${conflictOf(person, provider)}`)}
      onClose={onClose}
      send={save}
    >
      <TextField name="name" label={t("common:name")} defaultValue={person?.name} maxLength={120} />
      {person === null && <TextField name="login" label={t("signIn:login")} autoComplete="off" maxLength={120} />}
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
      <ScopeFields role={role} person={person} known={known} unknown={unknownGroups} />
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
        <CheckField name="hasOtherAccount">{t("otherAccount")}</CheckField>
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
        <CheckField name="isWithoutPassword">{t("withoutPassword", { name: provider })}</CheckField>
      )}
      {person !== null && (
        <>
          <CheckField name="isActive" defaultChecked={person.isActive}>
            {t("isActive")}
          </CheckField>
          <p className="soft">{t("signedOut")}</p>
        </>
      )}
    </FormDialog>
  );
}

/** Returns the key of the text for a CONFLICT. */
function conflictOf(person: HqPersonRow | null, provider: string | null) {
  if (person === null) return provider === null ? "login" : "loginOrEmail";
  return provider === null ? "lastOwner" : "lastOwnerOrEmail";
}

/** The fields that only some roles have: the groups of a region, the end of support. */
function ScopeFields({
  role,
  person,
  known = [],
  unknown,
}: {
  role: HqRole;
  person: HqPersonRow | null;
  /** The groups that restaurants are in. */
  known: readonly string[] | undefined;
  unknown: readonly string[];
}) {
  const { t, format } = useTranslation("people");
  const now = useNow();
  const ends = person?.expiresAt == null ? undefined : lastDayOf(person.expiresAt);
  return (
    <>
      {role === "region" && (
        <>
          <TextField name="groups" label={t("groups")} defaultValue={person?.groups.join(", ")} maxLength={2_000} />
          {known.length > 0 && <p className="soft">{t("knownGroups", { names: format.list(known) })}</p>}
          {unknown.length > 0 && (
            <p className="failure" data-tone="bad" role="alert">
              {t("unknownGroups", { names: format.list(unknown) })}
            </p>
          )}
        </>
      )}
      {role === "support" && (
        <TextField
          name="until"
          label={t("until")}
          type="date"
          // An end in the past may stay while something else is changed.
          min={ends !== undefined && ends < dayOf(now) ? ends : dayOf(now)}
          max={dayOf(now + LAST_DAY * DAY_MS)}
          defaultValue={ends}
        />
      )}
    </>
  );
}

function isSameName(one: string, other: string): boolean {
  return one.localeCompare(other, undefined, { sensitivity: "base" }) === 0;
}
