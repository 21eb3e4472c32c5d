import { useId, type ReactNode } from "react";

interface PanelProps {
  title: ReactNode;
  /** One quiet sentence under the title. */
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** Without padding, for lists that reach the edge. */
  flush?: boolean;
  className?: string;
}

/** A titled part of a screen. */
export function Panel({ title, about, actions, children, flush = false, className = "" }: PanelProps) {
  const id = useId();
  return (
    <section className={`card panel ${className}`} aria-labelledby={id}>
      <header className="spread panel-head">
        <div>
          <h2 id={id} className="panel-title">
            {title}
          </h2>
          {about !== undefined && <p className="soft panel-about">{about}</p>}
        </div>
        {actions !== undefined && <div className="chips panel-actions">{actions}</div>}
      </header>
      <div className={flush ? "panel-body panel-flush" : "panel-body"}>{children}</div>
    </section>
  );
}
