import { BootstrapRequest, type BootstrapAnswer } from "@comanda/protocol";
import semver from "semver";
import type { Routes } from "../http/routes.ts";
import { parse } from "../parse.ts";
import { Refusal } from "../refusal.ts";
import type { Stores } from "../stores/stores.ts";

/** POST bootstrap: everything a terminal starts with, unless its client is too old. */
export function bootstrapRoutes(routes: Routes, stores: Stores): void {
  routes.post("/bootstrap", ({ body }) => {
    const minClientVersion = stores.settings.get("min_client_version");
    refuseTooOld(parse(BootstrapRequest, body).clientVersion, minClientVersion);
    return { config: config(stores), session: stores.posSessions.current(), minClientVersion };
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
    floors: floors.all(),
    taxes: catalog.taxes(),
    products: catalog.products(),
    categories: catalog.categories(),
    paymentMethods: catalog.paymentMethods(),
  };
}
