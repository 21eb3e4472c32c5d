import { Tabs } from "@mantine/core";
import type { ReactNode } from "react";
import { useLocation } from "wouter";

export interface ScreenTab {
  id: string;
  name: string;
  /** How many things there wait for somebody. */
  count?: number | undefined;
  content: ReactNode;
}

/** The parts of a larger screen; which one is open stands in the address. */
export function ScreenTabs({ path, tabs, tab }: { path: string; tabs: readonly ScreenTab[]; tab: string | undefined }) {
  const [, go] = useLocation();
  const first = tabs[0]?.id ?? "";
  const current = tabs.some(({ id }) => id === tab) ? tab : first;
  return (
    <Tabs
      value={current ?? first}
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
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
