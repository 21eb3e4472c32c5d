import { BootstrapRequest, ForeignCurrency, Rounding, type BootstrapAnswer, type NcfSequence } from "@comanda/protocol";
import semver from "semver";
import type { QuirkSwitches } from "../control/quirks.ts";
import type { Routes } from "../http/routes.ts";
import { parse } from "../parse.ts";
import { Refusal } from "../refusal.ts";
import { paymentMethods, taxes } from "../seed/catalog.ts";
import { company, currencies } from "../seed/company.ts";
import type { Stores } from "../stores/stores.ts";

/** POST bootstrap: all data that a terminal starts with. Refuses a client that is too old. */
export function bootstrapRoutes(routes: Routes, stores: Stores, quirks: QuirkSwitches): void {
  routes.post("/bootstrap", ({ body }) => {
    const minClientVersion = stores.settings.get("min_client_version");
    refuseTooOld(parse(BootstrapRequest, body).clientVersion, minClientVersion);
    const { lacks } = quirks.get();
    const ncfSequences = lacks.includes("ncfSequences") ? {} : { ncfSequences: presentSequences(stores) };
    const rounding = lacks.includes("rounding") ? {} : { rounding: roundingOf(stores) };
    const seller = lacks.includes("company") ? {} : { company };
    const cash = lacks.includes("currencies") ? {} : { currencies: currenciesOf(stores) };
    const creditNotes = lacks.includes("creditNotes") ? {} : { creditNotes: { lines: true, onBehalfOf: true } };
    return {
      config: { ...config(stores), ...rounding, ...ncfSequences, ...creditNotes, ...seller, ...cash },
      session: stores.posSessions.current(),
      minClientVersion,
      ...ncfSequences,
    };
  });
}

function refuseTooOld(clientVersion: string | null | undefined, minClientVersion: string | null): void {
  if (clientVersion === undefined || clientVersion === null) return;
  if (semver.valid(clientVersion) === null) {
    throw new Refusal("VALIDATION_ERROR", `clientVersion: ${clientVersion} is not a version such as 1.2.3`);
  }
  if (minClientVersion === null || semver.gte(clientVersion, minClientVersion)) return;
  throw new Refusal("CLIENT_TOO_OLD", `this client is ${clientVersion}, at least ${minClientVersion} is needed`, {
    minClientVersion,
  });
}

function config({ catalog, floors, settings }: Stores): BootstrapAnswer["config"] {
  return {
    id: 1,
    name: settings.get("restaurant") ?? "",
    currency: "DOP",
    hubMode: settings.get("hub_mode") === "true",
    hubAddress: settings.get("hub_address") ?? "",
    floors: floors.list(),
    taxes: [...taxes],
    products: catalog.products(),
    categories: catalog.categories(),
    paymentMethods: [...paymentMethods],
  };
}

function presentSequences({ ncfNumbers }: Stores): NcfSequence[] {
  return ncfNumbers.sequences().map(({ type, left, expiresOn }) => ({ type, prefix: type, left, expiresOn }));
}

function currenciesOf({ settings }: Stores): ForeignCurrency[] {
  const set = settings.get("currencies");
  return set === null ? currencies : ForeignCurrency.array().parse(JSON.parse(set));
}

function roundingOf({ settings }: Stores): Rounding {
  return Rounding.parse(settings.get("rounding") ?? "line");
}
