import { ForeignCurrency, Money, Rounding } from "@comanda/protocol";
import { fromCents, toCents } from "@comanda/rules";
import Router from "koa-router";
import semver from "semver";
import { z } from "zod";
import type { Control } from "../control/control.ts";
import { Fault } from "../control/fault.ts";
import { Quirks } from "../control/quirks.ts";
import type { Context, RequestState } from "../http/context.ts";
import { objectBody } from "../http/read-body.ts";
import { digitsOf, mustFindSequence } from "../orders/take-next-ncf.ts";
import { parse } from "../parse.ts";
import { Refusal } from "../refusal.ts";
import { Release, releaseTargets } from "../stores/releases.ts";
import type { Stores } from "../stores/stores.ts";
import type { World } from "../world.ts";

const Version = z.string().refine((text) => semver.valid(text) !== null, "a version such as 1.2.3");
const VersionedRelease = Release.extend({ version: Version }).strict();

const SessionSwitch = z.strictObject({ open: z.boolean() });
const MinClientVersion = z.strictObject({ version: Version.nullable() });
const NewRelease = z.strictObject({ target: z.enum(releaseTargets), release: VersionedRelease.nullable() });
const FaultList = z.strictObject({ faults: z.array(Fault) });
const NcfRemaining = z.strictObject({ type: z.string(), remaining: z.int().nonnegative() });
const NcfExpiry = z.strictObject({ type: z.string(), expiresOn: z.iso.date() });
const RoundingSwitch = z.strictObject({ rounding: Rounding });
const Currencies = z.strictObject({ currencies: z.array(ForeignCurrency) });
const ProductPrice = z.strictObject({ productId: z.int(), price: Money.nonnegative() });
const HubSettings = z
  .strictObject({ hubMode: z.boolean().optional(), hubAddress: z.string().optional() })
  .refine((body) => Object.keys(body).length > 0, { error: "hubMode or hubAddress" });

/** Control routes for tests, under `/stub/v1`. */
export function controlRouter(stores: Stores, control: Control, world: World): Router<RequestState> {
  const router = new Router<RequestState>({ prefix: "/stub/v1", strict: true, sensitive: true });
  const routes = routesOn(router);
  serveSettings(routes, stores, world);
  serveFaults(routes, control);
  serveRecords(routes, stores, control);
  return router;
}

type Routes = ReturnType<typeof routesOn>;

function routesOn(router: Router<RequestState>) {
  return {
    post<Schema extends z.ZodType>(path: string, schema: Schema, answer: (body: z.output<Schema>) => unknown): void {
      router.post(path, (ctx) => {
        ctx.body = answer(parse(schema, requiredBody(ctx)));
      });
    },
    get(path: string, answer: () => unknown): void {
      router.get(path, (ctx) => {
        ctx.body = answer();
      });
    },
    remove(path: string, answer: () => unknown): void {
      router.delete(path, (ctx) => {
        ctx.body = answer();
      });
    },
  };
}

/** Settings of the back-office. */
function serveSettings({ post }: Routes, stores: Stores, world: World): void {
  post("/session", SessionSwitch, ({ open }) => {
    if (open) stores.posSessions.open(world.now());
    else stores.posSessions.close(world.now());
    const session = stores.posSessions.current();
    return { open: session !== null, id: session?.id ?? null, name: session?.name ?? null };
  });

  post("/min-client-version", MinClientVersion, ({ version }) => {
    stores.settings.set("min_client_version", version);
    return { version };
  });

  post("/hub", HubSettings, ({ hubMode, hubAddress }) => {
    if (hubMode !== undefined) stores.settings.set("hub_mode", String(hubMode));
    if (hubAddress !== undefined) stores.settings.set("hub_address", hubAddress);
    return { ...(hubAddress === undefined ? {} : { hubAddress }), hubMode: stores.settings.get("hub_mode") === "true" };
  });

  post("/product-price", ProductPrice, ({ productId, price }) => {
    if (!stores.catalog.setPrice(productId, toCents(price))) {
      throw new Refusal("VALIDATION_ERROR", `productId: there is no product ${productId}`);
    }
    return { productId, price };
  });

  post("/rounding", RoundingSwitch, ({ rounding }) => {
    stores.settings.set("rounding", rounding);
    return { rounding };
  });

  post("/currencies", Currencies, ({ currencies }) => {
    stores.settings.set("currencies", JSON.stringify(currencies));
    return { currencies };
  });

  post("/releases", NewRelease, ({ target, release }) => {
    stores.releases.set(target, release);
    return { target, release };
  });
}

/** Faults and quirks of its responses. */
function serveFaults({ post, remove }: Routes, { faults, held, quirks }: Control): void {
  post("/faults", FaultList, (body) => {
    faults.replace(body.faults);
    return { faults: body.faults };
  });

  remove("/faults", () => {
    faults.replace([]);
    held.closeAll();
    return { faults: [] };
  });

  post("/quirks", Quirks, (next) => {
    quirks.set(next);
    return { quirks: next };
  });

  remove("/quirks", () => {
    quirks.set(Quirks.parse({}));
    return { quirks: quirks.get() };
  });
}

/** Received requests, stored records and number sequences. */
function serveRecords({ post, get, remove }: Routes, stores: Stores, { requests }: Control): void {
  get("/orders", () => ({
    orders: stores.orders.list().map(({ id, posReference, status, ncf, total, source, received }) => {
      return { id, posReference, status, ncf, total, source, order: received };
    }),
  }));

  get("/credit-notes", () => ({
    notes: stores.creditNotes.list().map(({ totalCents, ...note }) => ({ ...note, total: fromCents(totalCents) })),
  }));

  get("/audit-events", () => ({ events: stores.auditEvents.list() }));

  get("/requests", () => ({ requests: requests.list() }));

  remove("/requests", () => {
    requests.clear();
    return { requests: [] };
  });

  get("/customers", () => ({
    customers: stores.customers.list().map(({ id, name, creditLimitCents, creditUsedCents }) => ({
      id,
      name,
      creditLimit: fromCents(creditLimitCents),
      creditUsed: fromCents(creditUsedCents),
    })),
  }));

  get("/ncf", () => ({
    sequences: stores.ncfNumbers.sequences().map(({ type, left, expiresOn }) => ({ type, left, expiresOn })),
    numbers: stores.ncfNumbers.list().map(({ annulledReason, ...number }) => {
      return annulledReason === null ? number : { ...number, reason: annulledReason };
    }),
  }));

  post("/ncf", NcfRemaining, ({ type, remaining }) => {
    limitSequence(stores, type, remaining);
    return { type, remaining };
  });

  post("/ncf-expiry", NcfExpiry, ({ type, expiresOn }) => {
    mustFindSequence(stores, type);
    stores.ncfNumbers.setExpiry(type, expiresOn);
    return { type, expiresOn };
  });

  remove("/user-sessions", () => ({ ended: stores.userSessions.endAll() }));
}

/** Moves the end of a range so that `remaining` of its numbers can still be assigned. */
function limitSequence(stores: Stores, type: string, remaining: number): void {
  const { nextNumber } = mustFindSequence(stores, type);
  const availableUpTo = (last: number): number =>
    last - nextNumber + 1 - stores.ncfNumbers.countAssigned(type, nextNumber, last);
  let lastNumber = nextNumber - 1 + remaining;
  while (availableUpTo(lastNumber) < remaining) lastNumber += remaining - availableUpTo(lastNumber);
  if (lastNumber >= 10 ** digitsOf(type)) {
    throw new Refusal("VALIDATION_ERROR", `remaining: ${type} has ${digitsOf(type)} digits only`);
  }
  stores.ncfNumbers.setLastNumber(type, lastNumber);
}

/** Returns the body of a control call. Throws if there is none. */
function requiredBody(ctx: Context): Record<string, unknown> {
  if (ctx.state.body.kind === "none") throw new Refusal("VALIDATION_ERROR", "a JSON body is needed");
  return objectBody(ctx.state.body);
}
