import type { ComponentProps } from "react";

/** A form that the page itself answers; what `onSubmit` returns is left alone. */
export function Form({ onSubmit, ...props }: Omit<ComponentProps<"form">, "onSubmit"> & { onSubmit: () => unknown }) {
  return (
    <form
      {...props}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}
