import type { Address } from '../../../../src/base/solana/address';
import type { ChainAccount } from '../../../../src/sandbox/chain/types';

/** What a transaction changed of an account; `undefined`: nothing. `parts` are the bytes that differ, by their places in the new data. */
export type AccountPatch =
  | undefined
  | 'removed'
  | {
      readonly lamports: bigint;
      readonly program: Address;
      readonly executable: boolean;
      readonly length: number;
      readonly parts: readonly (readonly [offset: number, bytes: Uint8Array])[];
    };

/** Equal bytes up to this many do not end a part: a part of its own would take more. */
const GAP_BYTES = 16;
const NO_DATA = new Uint8Array();

/** Returns the difference between two states of an account. */
export function patchOf(before: Readonly<ChainAccount> | undefined, after: Readonly<ChainAccount> | undefined): AccountPatch {
  if (after === undefined) {
    return before === undefined ? undefined : 'removed';
  }
  const { lamports, program, executable, data } = after;
  const parts = changedParts(before?.data ?? NO_DATA, data);
  const isSame =
    before !== undefined &&
    before.lamports === lamports &&
    before.program === program &&
    before.executable === executable &&
    before.data.length === data.length &&
    parts.length === 0;
  return isSame ? undefined : { lamports, program, executable, length: data.length, parts };
}

/** Applies a difference to the state that it was taken from. */
export function patched(before: Readonly<ChainAccount> | undefined, patch: AccountPatch): Readonly<ChainAccount> | undefined {
  if (patch === undefined) {
    return before;
  }
  if (patch === 'removed') {
    return undefined;
  }
  const { lamports, program, executable, length, parts } = patch;
  const data = new Uint8Array(length);
  data.set((before?.data ?? NO_DATA).subarray(0, length));
  parts.forEach(([offset, bytes]) => data.set(bytes, offset));
  return { lamports, program, executable, data };
}

/** The parts of `after` that differ from `before`; beyond its end, `before` counts as zeros. */
function changedParts(before: Uint8Array, after: Uint8Array): readonly (readonly [number, Uint8Array])[] {
  const parts: (readonly [number, Uint8Array])[] = [];
  let start: number | undefined;
  let end = 0;
  const close = (): void => {
    if (start !== undefined) {
      parts.push([start, after.slice(start, end)]);
    }
  };
  for (let place = 0; place < after.length; place += 1) {
    if ((before[place] ?? 0) === after[place]) {
      continue;
    }
    if (start === undefined || place - end > GAP_BYTES) {
      close();
      start = place;
    }
    end = place + 1;
  }
  close();
  return parts;
}
