import { Fragment, type ReactNode } from "react";

export interface Fact {
  name: string;
  value: ReactNode;
}

export function fact(name: string, value: ReactNode): Fact {
  return { name, value };
}

/** Names and values, one under the other. */
export function Facts({ items }: { items: readonly Fact[] }) {
  return (
    <dl className="facts">
      {items.map(({ name, value }) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
