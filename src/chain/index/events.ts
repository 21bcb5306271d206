import { WireError } from '../../base/solana/wireReader';
import { DAMM_EVENTS } from './dammEvents';
import { DLMM_EVENTS } from './dlmmEvents';
import { EventError, EventFields } from './eventFields';
import type { EventReader, ProgramEvent } from './programEvent';
import type { PoolProgram } from './types';

/**
 * Both programs emit events by calling themselves (Anchor's `emit_cpi!`), so events are inner instructions: this tag, the event's discriminator
 * (the first eight bytes of sha256("event:" + name)), then its fields in Borsh. Only the program itself can sign such a call.
 */
const EVENT_TAG = 'e445a52e51cb9a1d';
const TAG_BYTES = 8;
const EVENTS: Readonly<Record<PoolProgram, ReadonlyMap<string, EventReader>>> = { dlmm: DLMM_EVENTS, damm: DAMM_EVENTS };

/**
 * Decodes the data of an inner instruction.
 * @returns `undefined` if it is not an event, or one that is not about positions
 * @throws EventError if it is a listed event with other fields
 */
export function decodeEvent(program: PoolProgram, data: Uint8Array): ProgramEvent | undefined {
  if (!isEvent(data)) {
    return undefined;
  }
  const discriminator = hex(data.subarray(TAG_BYTES, 2 * TAG_BYTES));
  const read = EVENTS[program].get(discriminator);
  if (read === undefined) {
    return undefined;
  }
  const fields = new EventFields(data.subarray(2 * TAG_BYTES));
  let event: ProgramEvent;
  try {
    event = read(fields);
  } catch (cause) {
    throw cause instanceof WireError ? new EventError(`An event ${discriminator} is cut short`, { cause }) : cause;
  }
  if (!fields.atEnd) {
    throw new EventError(`An event ${discriminator} is longer than its fields`);
  }
  return event;
}

/** Returns whether the data of an inner instruction is an event. */
export function isEvent(data: Uint8Array): boolean {
  return data.length >= 2 * TAG_BYTES && hex(data.subarray(0, TAG_BYTES)) === EVENT_TAG;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
