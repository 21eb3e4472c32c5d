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
    <div className="screen">
      <header className="screen-head">
        <div>
          <h1 className="screen-title">{title}</h1>
          <p className="screen-about">{about}</p>
        </div>
        {actions !== undefined && <div className="screen-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export interface ScreenTab {
  id: string;
  name: string;
  /** How many things there need attention. */
  count?: number | undefined;
  content: ReactNode;
}

interface TabsScreenProps extends Omit<ScreenProps, "children"> {
  path: string;
  tabs: readonly ScreenTab[];
  /** The tab in the address; the first one when it is none of them. */
  tab: string | undefined;
}

/** A screen in tabs; which one is open stands in the address. */
export function TabsScreen({ path, tabs, tab, ...screen }: TabsScreenProps) {
  const [, go] = useLocation();
  const first = tabs[0]?.id ?? "";
  return (
    <Screen {...screen}>
      <Tabs
        value={tabs.find(({ id }) => id === tab)?.id ?? first}
        onChange={(next) => go(next === first || next === null ? path : `${path}/${next}`)}
        keepMounted={false}
      >
        <Tabs.List mb="sm">
          {tabs.map(({ id, name, count = 0 }) => (
            <Tabs.Tab key={id} value={id} rightSection={count > 0 ? <span className="nav-count">{count}</span> : null}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ id, content }) => (
          <Tabs.Panel key={id} value={id}>
            <div className="stack">{content}</div>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Screen>
  );
}
