/**
 * Replaces the names that several items have by longer ones.
 * @param names by the id of the item
 * @returns all names, by the id of the item
 */
export function longerWhereRepeated<Item>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  names: ReadonlyMap<string, string>,
  longer: (name: string, item: Item) => string,
): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const name of names.values()) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return new Map(
    items.map((item) => {
      const name = names.get(idOf(item)) ?? '';
      return [idOf(item), counts.get(name) === 1 ? name : longer(name, item)];
    }),
  );
}
