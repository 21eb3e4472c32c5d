/// <reference lib="dom" />
// The few elements that the built-in page is made of.

/** An element of the page's own markup. */
export function part(id: string): HTMLElement {
  return document.querySelector(`#${id}`) as HTMLElement;
}

export function button(label: string, onClick: () => void): HTMLButtonElement {
  const created = document.createElement("button");
  created.type = "button";
  created.textContent = label;
  created.addEventListener("click", onClick);
  return created;
}

export function paragraph(text: string): HTMLParagraphElement {
  return Object.assign(document.createElement("p"), { textContent: text });
}

export function group(className: string, ...children: Node[]): HTMLDivElement {
  const created = Object.assign(document.createElement("div"), { className });
  created.append(...children);
  return created;
}

let ids = 0;

/** A button for one way out, what it means beside it, and the `panel` that it opens below. */
export function way(start: HTMLButtonElement, meaning: string, panel?: HTMLElement): HTMLElement {
  const means = paragraph(meaning);
  means.id = `means-${(ids += 1)}`;
  start.setAttribute("aria-describedby", means.id);
  const created = document.createElement("section");
  created.className = "way";
  created.append(start, means);
  if (panel !== undefined) {
    panel.hidden = true;
    start.setAttribute("aria-expanded", "false");
    created.append(panel);
  }
  return created;
}

/** Opens the panel of a way, closes those of the others, and moves the focus into it; or closes it again. */
export function toggle(start: HTMLButtonElement, panel: HTMLElement): void {
  const opens = panel.hidden;
  for (const other of document.querySelectorAll<HTMLButtonElement>('.way > [aria-expanded="true"]')) {
    other.setAttribute("aria-expanded", "false");
    other.parentElement?.lastElementChild?.setAttribute("hidden", "");
  }
  panel.hidden = !opens;
  start.setAttribute("aria-expanded", String(opens));
  if (opens) panel.querySelector<HTMLElement>("input, button")?.focus();
  else start.focus();
}
