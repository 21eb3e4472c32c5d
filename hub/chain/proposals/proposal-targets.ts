import type { PosConfig, SetItemState, Setting } from "@comanda/protocol";
import { isChainSetting, type Proposal, type ProposedStock } from "@comanda/protocol/proposals.ts";
import { itemStateOf } from "@comanda/rules";
import type { Tx } from "../../changes/change.ts";
import type { ItemStates } from "../../kitchen/item-states.ts";
import { explainedError } from "../../platform/errors.ts";

/** What a kind of proposal changes, one value per key. */
export interface ProposalTarget<T = unknown> {
  /** Null while the names are unknown, such as before the menu was first read. */
  nameOf: ((key: string) => string | null) | null;
  /** Returns the current value. */
  read(key: string): T;
  isSame(a: T, b: T): boolean;
  /** Throws a HubError if the values are not possible here. */
  require(items: readonly { key: string; want: T }[]): void;
  apply(tx: Tx, items: readonly { key: string; want: T }[], by: string): void;
}

export type ProposalTargets = { [K in Proposal["kind"]]: ProposalTarget<WantOf<K>> };
type WantOf<K extends Proposal["kind"]> = Extract<Proposal, { kind: K }>["items"][number]["want"];

/** Builds the target for "86": which products on the menu are sold out. */
export function stockTarget(deps: {
  products: PosConfig["products"] | null;
  stockOf: ItemStates["stockOf"];
  /** ms since 1970 */
  now: number;
  set(tx: Tx, request: SetItemState, by: string): void;
}): ProposalTarget<ProposedStock> {
  const { products, now } = deps;
  const byKey = new Map(products?.map((product) => [String(product.id), product]));

  return {
    nameOf: products && ((key) => byKey.get(key)?.name ?? null),
    read(key) {
      const { state, left, until } = deps.stockOf(key)?.itemState ?? available;
      return { state, left, until };
    },
    isSame(one, other) {
      const [a, b] = [one, other].map((stock) => itemStateOf({ productId: "-", ...stock }, now));
      return a?.state === b?.state && a?.left === b?.left && instant(a?.until) === instant(b?.until);
    },
    require(items) {
      const unknown = items.filter(({ key }) => !byKey.has(key)).map(({ key }) => key);
      if (unknown.length > 0) {
        throw explainedError("VALIDATION_ERROR", "proposal_unknown_products", { products: unknown });
      }
      if (items.some(({ want }) => itemStateOf({ productId: "-", ...want }, now) === null)) {
        throw explainedError("VALIDATION_ERROR", "limited_item_without_count");
      }
    },
    apply(tx, items, by) {
      for (const { key, want } of items) {
        const product = byKey.get(key);
        if (product !== undefined) deps.set(tx, { productId: product.id, ...want }, by);
      }
    },
  };
}

const available: ProposedStock = { state: "available", left: null, until: null };

function instant(until: string | null | undefined): number | null {
  return until == null ? null : Date.parse(until);
}

/** What proposals need from the settings. */
export interface ProposableSettings {
  list(): readonly Setting[];
  /** Rejects settings that cannot be changed over the network and values with which the hub could not start. */
  require(values: Readonly<Record<string, string | null>>): void;
  change(tx: Tx, values: Readonly<Record<string, string | null>>, by: string): void;
}

/** Builds the target for settings that are neither secret nor local and not fixed by the environment. */
export function settingsTarget(settings: ProposableSettings): ProposalTarget<string | null> {
  const list = new Map<string, Setting>(settings.list().map((setting) => [setting.name, setting]));
  const valuesOf = (items: readonly { key: string; want: string | null }[]) =>
    Object.fromEntries(items.map(({ key, want }) => [key, want]));

  return {
    nameOf: () => null,
    read(key) {
      const setting = list.get(key);
      return setting === undefined || setting.source === "default" ? null : setting.value;
    },
    isSame: (a, b) => a === b,
    require(items) {
      for (const { key } of items) {
        if (list.get(key)?.secret === true || isChainSetting(key)) {
          throw explainedError("VALIDATION_ERROR", "proposal_setting_of_house", { setting: key });
        }
      }
      settings.require(valuesOf(items));
    },
    apply: (tx, items, by) => settings.change(tx, valuesOf(items), by),
  };
}
