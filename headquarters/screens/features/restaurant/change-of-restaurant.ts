import { isSameNames } from "../../lib/is-same-names.ts";

interface Named {
  name: string;
  groups: string[];
}

/** What somebody has changed of a restaurant that was `opened`: another may have changed the rest meanwhile. */
export function changeOfRestaurant(opened: Named, { name, groups }: Named): Partial<Named> {
  return {
    ...(name !== opened.name && { name }),
    ...(!isSameNames(groups, opened.groups) && { groups }),
  };
}
