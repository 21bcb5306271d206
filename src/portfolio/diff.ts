import type { ListChange } from './types';

/** Nothing differs. */
export const NO_CHANGE: ListChange = { added: [], changed: [], removed: [], reordered: false };

/** What differs between two lists whose items are known by unique keys. */
export function listChange<Item>(before: readonly Item[], after: readonly Item[], keyOf: (item: Item) => string): ListChange {
  if (before === after) {
    return NO_CHANGE;
  }
  const old = new Map(before.map((item) => [keyOf(item), item]));
  const current = new Map(after.map((item) => [keyOf(item), item]));
  const stayedBefore = [...old.keys()].filter((key) => current.has(key));
  const stayedAfter = [...current.keys()].filter((key) => old.has(key));
  return {
    added: [...current.keys()].filter((key) => !old.has(key)),
    changed: stayedAfter.filter((key) => !isSame(old.get(key), current.get(key))),
    removed: [...old.keys()].filter((key) => !current.has(key)),
    reordered: stayedAfter.some((key, index) => key !== stayedBefore[index]),
  };
}

/** Whether a change says that nothing differs. */
export function isUnchanged(change: ListChange): boolean {
  return change.added.length === 0 && change.changed.length === 0 && change.removed.length === 0 && !change.reordered;
}

/** Whether two records hold the same: plain objects and lists by what is in them, dates by their time, the rest by value. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) {
    return true;
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return false;
  }
  if (a instanceof Date || b instanceof Date) {
    return a instanceof Date && b instanceof Date && Object.is(a.getTime(), b.getTime());
  }
  if (Array.isArray(a) !== Array.isArray(b)) {
    return false;
  }
  const left = new Map(Object.entries(a));
  const right = new Map(Object.entries(b));
  return left.size === right.size && [...left].every(([name, value]) => right.has(name) && isSame(value, right.get(name)));
}
