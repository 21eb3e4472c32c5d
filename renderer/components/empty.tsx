import type { ReactNode } from "react";

export interface EmptyText {
  title: string;
  /** What the list is for, and what to do about it. */
  children?: ReactNode;
  action?: ReactNode;
}

/** What stands in the place of an empty list. */
export function Empty({ title, children, action }: EmptyText) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children !== undefined && <p className="empty-about">{children}</p>}
      {action}
    </div>
  );
}
