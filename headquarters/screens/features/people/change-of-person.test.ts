import type { HqPersonRow } from "@comanda/protocol/headquarters.ts";
import { expect, it } from "vitest";
import { changeOfPerson } from "./change-of-person.ts";
import { endOfDay } from "./last-day.ts";

const person: HqPersonRow = {
  id: "7",
  login: "rosa",
  name: "Rosa",
  role: "region",
  groups: ["Norte", "Este"],
  email: null,
  isBound: false,
  hasPassword: true,
  expiresAt: null,
  isActive: true,
};
const typed = { name: "Rosa", role: "region", groups: ["Este", "Norte"], expiresAt: null, isActive: true } as const;

it("only the changed fields of a person are sent, so that a deactivation made meanwhile stays [HQ-185]", () => {
  expect(changeOfPerson(person, typed)).toEqual({});
  expect(changeOfPerson(person, { ...typed, name: "Rosa Díaz", email: null })).toEqual({ name: "Rosa Díaz" });
  expect(changeOfPerson(person, { ...typed, isActive: false, email: "rosa@chain.example", groups: ["Sur"] })).toEqual({
    isActive: false,
    email: "rosa@chain.example",
    groups: ["Sur"],
  });
});

it("a new role is sent with the fields that it needs: groups for a region, the last day for support [HQ-185]", () => {
  const expiresAt = endOfDay("2026-12-24");
  expect(changeOfPerson(person, { ...typed, role: "support", groups: [], expiresAt })).toEqual({
    role: "support",
    expiresAt,
  });
  const helper: HqPersonRow = { ...person, role: "support", groups: [], expiresAt };
  const same = { ...typed, role: "support", groups: [] } as const;
  // The form knows only the day.
  expect(
    changeOfPerson({ ...helper, expiresAt: new Date(Date.parse(expiresAt) - 5).toISOString() }, { ...same, expiresAt }),
  ).toEqual({});
  expect(changeOfPerson(helper, typed)).toEqual({ role: "region", groups: ["Este", "Norte"] });
});
