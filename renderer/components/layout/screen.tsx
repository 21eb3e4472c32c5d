import { Tabs } from "@mantine/core";
import type { ReactNode } from "react";
import { useLocation } from "wouter";

interface ScreenProps {
  title: string;
  about: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** A screen: its name, what it is for, its actions, and the parts below. */
export function Screen({ title, about, actions, children }: ScreenProps) {
  return (
    <div className="stack screen">
      <header className="spread screen-head">
        <div>
          <h1 className="screen-title">{title}</h1>
          <p className="soft screen-about">{about}</p>
        </div>
        {actions !== undefined && <div className="chips">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** Props of the screens with tabs: the tab in the address. */
export interface TabProps {
  tab?: string | undefined;
}

interface TabsScreenProps<Id extends string> extends TabProps {
  path: string;
  /** The content of each tab. The first tab is open if the address names none. */
  tabs: Readonly<Record<Id, ReactNode>>;
  /** The screen's own texts. */
  text: (key: "title" | "about" | `tabs.${Id}`) => string;
  /** Number of things in a tab that need attention. */
  counts?: Partial<Record<Id, number | undefined>>;
}

/** A screen with tabs. The address contains the open tab. */
export function TabsScreen<Id extends string>({ path, tabs, tab, text, counts }: TabsScreenProps<Id>) {
  const [, go] = useLocation();
  const ids = Object.keys(tabs) as Id[];
  const [first = ""] = ids;
  return (
    <Screen title={text("title")} about={text("about")}>
      <Tabs
        value={ids.find((id) => id === tab) ?? first}
        onChange={(next) => go(next === first || next === null ? path : `${path}/${next}`)}
        keepMounted={false}
      >
        <Tabs.List mb="sm">
          {ids.map((id) => {
            const count = counts?.[id] ?? 0;
            return (
              <Tabs.Tab
                key={id}
                value={id}
                rightSection={count > 0 ? <span className="nav-count">{count}</span> : null}
              >
                {text(`tabs.${id}`)}
              </Tabs.Tab>
            );
          })}
        </Tabs.List>
        {ids.map((id) => (
          <Tabs.Panel key={id} value={id}>
            <div className="stack">{tabs[id]}</div>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Screen>
  );
}
