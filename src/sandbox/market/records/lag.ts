/** Of `position` p: nothing holds its index back at that time (a placeholder's name). Positions that lag are listed as `lagging_record` has them. */
export function isIndexed(now: string): string {
  return `NOT EXISTS (SELECT 1 FROM lagging_record l WHERE l.position = p.address AND l.until > ${now})`;
}
