/**
 * Writes a value as JSON, big integers as numbers with all their digits: nodes write 64-bit numbers so, whatever a reader
 * makes of them. Members that are `undefined` are left out.
 */
export function writeJson(value: unknown): string {
  if (typeof value === 'bigint') {
    return value.toString();
  }
  if (Array.isArray(value)) {
    return `[${value.map((item) => (item === undefined ? 'null' : writeJson(item))).join(',')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}
