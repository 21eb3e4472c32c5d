import { ActButton } from "./act-button.tsx";
import type { ComponentProps, ReactNode } from "react";

/** A button for each option. The buttons of chosen options are pressed. */
export function Choices<T extends string | number>({
  legend,
  of: options,
  chosen,
  text = String,
  label,
  onChoose,
  size = "large",
  isRepeatable = false,
  children,
  ...group
}: {
  /** Says what is chosen, if that is not obvious. */
  legend?: ReactNode;
  of: readonly T[];
  /** One option or null, or a list if several can be chosen. */
  chosen: T | readonly T[] | null;
  text?: (option: T) => ReactNode;
  /** Read aloud instead of the text. */
  label?: (option: T) => string | undefined;
  onChoose: (option: T) => void;
  /** Shown beside the options. */
  children?: ReactNode;
} & Pick<ComponentProps<typeof ActButton>, "size" | "isRepeatable" | "className" | "aria-label">) {
  return (
    <fieldset className="chips" {...group}>
      {legend !== undefined && <legend>{legend}</legend>}
      {options.map((option) => (
        <ActButton
          key={option}
          aria-label={label?.(option)}
          aria-pressed={typeof chosen === "object" ? chosen?.includes(option) === true : chosen === option}
          size={size}
          isRepeatable={isRepeatable}
          onAct={() => onChoose(option)}
        >
          {text(option)}
        </ActButton>
      ))}
      {children}
    </fieldset>
  );
}
