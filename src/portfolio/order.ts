import type { OpenPosition } from '../api/records/position';

/**
 * Positions as they want attention: those out of range first (they earn nothing), then those of which it is not known, then
 * the others; among them by value, largest first, unknown values last. Ties go by key, so that the order is always the same.
 */
export function inAttentionOrder(positions: readonly OpenPosition[]): OpenPosition[] {
  return positions.toSorted((a, b) => urgency(a) - urgency(b) || byValue(a, b) || compareText(a.key, b.key));
}

function urgency(position: OpenPosition): number {
  switch (position.inRange) {
    case false:
      return 0;
    case undefined:
      return 1;
    case true:
      return 2;
  }
}

function byValue(a: OpenPosition, b: OpenPosition): number {
  const left = a.value.usd ?? -Infinity;
  const right = b.value.usd ?? -Infinity;
  return left === right ? 0 : right - left;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
