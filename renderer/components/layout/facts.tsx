import { Fragment, type ReactNode } from "react";

export interface Fact {
  name: string;
  value: ReactNode;
}

export function fact(name: string, value: ReactNode): Fact {
  return { name, value };
}

/** Names and values, one below the other. `false` omits a fact. */
export function Facts({ items }: { items: readonly (Fact | false)[] }) {
  return (
    <dl className="facts">
      {items.map(
        (item) =>
          item !== false && (
            <Fragment key={item.name}>
              <dt>{item.name}</dt>
              <dd>{item.value}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}
