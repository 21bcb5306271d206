import assert from 'node:assert/strict';

/** A JSON object. */
type Fields = Readonly<Record<string, unknown>>;

/** How two answers are compared. */
export interface Agreement {
  /** Names of fields that each engine answers its own way. */
  readonly ownWay: ReadonlySet<string>;
  /** How far figures may be apart: a part of the larger one, or of 1 if both are smaller. */
  readonly tolerance: number;
  /** Another tolerance for a field and all that is in it; `undefined`: the same. @param within the record that has the field */
  readonly toleranceOf?: (name: string, within: Fields) => number | undefined;
  /** Whether ours may be null where theirs is known. @param within their record that has the field */
  readonly isUnknown?: (name: string, within: Fields) => boolean;
}

const MOST_SHOWN = 20;
const LONGEST_SHOWN = 120;

/**
 * Compares two answers field by field. Figures, also those written as text, may differ in their last digits.
 * @param path where they are, for the message
 * @throws AssertionError that names the fields that differ
 */
export function assertAgreement(ours: unknown, theirs: unknown, path: string, agreement: Agreement): void {
  const found = differences(ours, theirs, path, agreement);
  assert.ok(found.length === 0, `${found.length} fields differ:\n${found.slice(0, MOST_SHOWN).join('\n')}`);
}

function differences(ours: unknown, theirs: unknown, path: string, agreement: Agreement): readonly string[] {
  const different = [`${path}: ${shown(ours)}, ${shown(theirs)}`];
  if (Array.isArray(theirs)) {
    return !Array.isArray(ours) || ours.length !== theirs.length
      ? different
      : theirs.flatMap((item, place) => differences(ours[place], item, `${path}[${place}]`, agreement));
  }
  if (isRecord(theirs)) {
    return isRecord(ours) ? differencesOfRecords(ours, theirs, path, agreement) : different;
  }
  const [one, other] = [figureOf(ours), figureOf(theirs)];
  const isSame =
    one === undefined || other === undefined
      ? ours === theirs
      : Math.abs(one - other) <= agreement.tolerance * Math.max(1, Math.abs(one), Math.abs(other));
  return isSame ? [] : different;
}

function differencesOfRecords(ours: Fields, theirs: Fields, path: string, agreement: Agreement): readonly string[] {
  const { ownWay, toleranceOf, isUnknown } = agreement;
  const names = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].filter((name) => !ownWay.has(name));
  return names.flatMap((name) => {
    if (!(name in ours && name in theirs)) {
      return [`${path}.${name}: only ${name in ours ? 'ours' : 'theirs'} has it`];
    }
    if (ours[name] === null && isUnknown?.(name, theirs) === true) {
      return [];
    }
    const tolerance = toleranceOf?.(name, theirs);
    const { toleranceOf: _, ...rest } = agreement;
    const within = tolerance === undefined ? agreement : { ...rest, tolerance };
    return differences(ours[name], theirs[name], `${path}.${name}`, within);
  });
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function figureOf(value: unknown): number | undefined {
  const figure = typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof figure === 'number' ? figure : undefined;
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, LONGEST_SHOWN);
}
