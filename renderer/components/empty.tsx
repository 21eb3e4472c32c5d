import type { ReactNode } from "react";
import "./empty.css";

/** What an empty list says: what it is for, and what to do about it. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children !== undefined && <p className="empty-about">{children}</p>}
      {action}
    </div>
  );
}
