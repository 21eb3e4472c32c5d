import type { ReactNode } from "react";
import "./screen.css";

/** A screen: its name, what it is for, its actions, and the parts below. */
export function Screen({
  title,
  about,
  actions,
  children,
}: {
  title: ReactNode;
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="screen">
      <header className="screen-head">
        <div>
          <h1 className="screen-title">{title}</h1>
          {about !== undefined && <p className="screen-about">{about}</p>}
        </div>
        {actions !== undefined && <div className="screen-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
