import { createSpotlight, Spotlight } from "@mantine/spotlight";
import "@mantine/spotlight/styles.css";
import {
  IconArmchair,
  IconBolt,
  IconChefHat,
  IconDeviceTablet,
  IconLayoutDashboard,
  IconReceipt,
  IconSearch,
  IconSettings,
  IconUser,
} from "@tabler/icons-react";
import { MAX_SEARCH } from "@comanda/protocol/bounds.ts";
import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useIsManager } from "../../lib/session.ts";
import { movedIndex } from "./moved-index.ts";
import { findResults, type Candidates, type GroupName } from "./result.ts";
import { useActions, useScreens } from "./use-places.ts";
import {
  useCustomers,
  useOrders,
  useOrderSearch,
  useSettings,
  useTables,
  useTerminals,
  useTickets,
  type FoundOrders,
} from "./use-records.ts";
import "./search-window.css";

const [store, spotlight] = createSpotlight();
export const openSearch = spotlight.open;

const iconOf = {
  screens: IconLayoutDashboard,
  actions: IconBolt,
  tables: IconArmchair,
  orders: IconReceipt,
  customers: IconUser,
  tickets: IconChefHat,
  terminals: IconDeviceTablet,
  settings: IconSettings,
} as const satisfies Record<GroupName, typeof IconBolt>;

const SEARCH_PAUSE_MS = 150;
const LIST_ID = "search-results";

/** The global search, in a window over the screen. */
export function SearchWindow() {
  const { t } = useTranslation("search");
  const isManager = useIsManager();
  const [search, setSearch] = useState("");
  return (
    <Spotlight.Root
      store={store}
      query={search}
      onQueryChange={setSearch}
      shortcut={null}
      scrollable
      maxHeight="min(60vh, 560px)"
      className="search-window"
      attributes={{ content: { "aria-label": t("label") } }}
      classNames={{ actionDescription: "search-about" }}
    >
      <Spotlight.Search
        placeholder={t(isManager ? "placeholder" : "placeholderPublic")}
        aria-label={t("label")}
        maxLength={MAX_SEARCH}
        leftSection={<IconSearch size={18} aria-hidden />}
        onKeyDown={({ key, nativeEvent }) => {
          if (key === "Enter" && !nativeEvent.isComposing) recordEnter(search);
        }}
      />
      {isManager ? <ManagerResults search={search} /> : <PublicResults search={search} />}
    </Spotlight.Root>
  );
}

/** Mounted only while the window is open, so that a closed window reads nothing. */
function ManagerResults({ search }: { search: string }) {
  const typed = search.trim();
  const [debounced] = useDebouncedValue(typed, SEARCH_PAUSE_MS);
  const found = useOrderSearch(debounced);
  const candidates: Candidates = {
    screens: useScreens(),
    actions: useActions(),
    tables: useTables(),
    orders: useOrders(found, typed),
    customers: useCustomers(found),
    tickets: useTickets(),
    terminals: useTerminals(),
    settings: useSettings(),
  };
  return <Results search={search} candidates={candidates} found={found} />;
}

/** Results that everybody may see. */
function PublicResults({ search }: { search: string }) {
  return <Results search={search} candidates={{ screens: useScreens(), tables: useTables() }} />;
}

function Results({ search, candidates, found }: { search: string; candidates: Candidates; found?: FoundOrders }) {
  const { t } = useTranslation("search");
  const groups = findResults(candidates, search);
  const count = groups.reduce((sum, { results }) => sum + results.length, 0);
  // The hub's answer arrives after results from loaded data. Enter then opens the first result of the new list.
  const listed = groups.flatMap(({ name, results }) => results.map(({ id }) => `${name} ${id}`)).join("\n");
  const searched = useRef(search);
  useEffect(() => {
    const isOther = searched.current !== search;
    searched.current = search;
    if (isOther || !keepSelected()) selectFirst();
    if (listed !== "") openIfEntered(search);
  }, [listed, search]);
  return (
    <>
      <Spotlight.ActionsList id={LIST_ID}>
        {groups.map(({ name, results }) => {
          const Icon = iconOf[name];
          const label = t(`groups.${name}`);
          return (
            <Spotlight.ActionsGroup key={name} label={label} role="group" aria-label={label}>
              {results.map(({ id, label: text, about, open }) => (
                <Spotlight.Action
                  key={id}
                  label={text}
                  description={about ?? ""}
                  leftSection={<Icon size={18} aria-hidden />}
                  onClick={open}
                />
              ))}
            </Spotlight.ActionsGroup>
          );
        })}
        {count === 0 && <Spotlight.Empty>{t(found?.isSearching === true ? "searching" : "nothing")}</Spotlight.Empty>}
      </Spotlight.ActionsList>
      {found?.failed === true && <p className="search-note">{t("ordersFailed")}</p>}
      <span role="status" className="visually-hidden">
        {search.trim() === "" ? "" : t("found", { count })}
      </span>
    </>
  );
}

function firstAction(): HTMLElement | null {
  return document.getElementById(LIST_ID)?.querySelector<HTMLElement>("[data-action]") ?? null;
}

/** The search in which the user pressed Enter before any result was listed. */
let enteredSearch: string | null = null;

function recordEnter(search: string): void {
  if (firstAction() === null) enteredSearch = search;
}

function openIfEntered(search: string): void {
  const isEntered = enteredSearch === search;
  enteredSearch = null;
  if (isEntered) firstAction()?.click();
}

/** Keeps the user's result selected at its new index, by which the library selects. Returns whether it is still listed. */
function keepSelected(): boolean {
  const results = document.getElementById(LIST_ID)?.querySelectorAll("[data-action]") ?? [];
  const selected = movedIndex(results, store.getState().selected);
  if (selected !== null) store.updateState((state) => ({ ...state, selected }));
  return selected !== null;
}

/** Selects the first result. The library does that only while the user types, not for results that arrive later. */
function selectFirst(): void {
  const list = document.getElementById(LIST_ID);
  list?.querySelector("[data-selected]")?.removeAttribute("data-selected");
  firstAction()?.setAttribute("data-selected", "true");
  store.updateState((state) => ({ ...state, selected: 0 }));
}
