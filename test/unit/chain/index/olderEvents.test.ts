import assert from 'node:assert/strict';
import { decodeEvent } from '../../../../src/chain/index/events';
import { EventError } from '../../../../src/chain/index/eventFields';
import { addressFromBytes } from '../../../../src/base/solana/address';

const TAG = 'e445a52e51cb9a1d';
const keyBytes = (number: number): Buffer => Buffer.alloc(32, number);
const key = (number: number) => addressFromBytes(keyBytes(number));

function integer(value: bigint, bytes: number): Buffer {
  const data = Buffer.alloc(16);
  data.writeBigUInt64LE(value);
  return data.subarray(0, bytes);
}

function event(discriminator: string, ...fields: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from(TAG + discriminator, 'hex'), ...fields]);
}

/** Programs no longer write these, but the history of a wallet has them. */
describe('Events of earlier versions of the pool programs', () => {
  const moved = [integer(7n, 8), integer(8n, 8)];
  const given = [integer(9n, 8), integer(10n, 8)];
  const head = [keyBytes(1), keyBytes(2), keyBytes(3), integer(500n, 16), Buffer.alloc(16)];

  it('A deposit counts what its owner paid, with transfer fees, and a withdrawal what left the pool', () => {
    const common = { pool: key(1), position: key(2), by: key(3), price: { curve: { x: 7n, y: 8n, liquidity: 500n } } };
    assert.deepEqual(decodeEvent('damm', event('aff2089d1ef7b9a9', ...head, ...moved, ...given)), {
      ...common,
      kind: 'deposit',
      amounts: { x: 9n, y: 10n },
    });
    assert.deepEqual(decodeEvent('damm', event('572e5862af60225b', ...head, ...moved)), {
      ...common,
      kind: 'withdrawal',
      amounts: { x: 7n, y: 8n },
    });
    assert.throws(() => decodeEvent('damm', event('572e5862af60225b', ...head, ...moved, ...given)), EventError);
  });

  it('A split names both positions, whatever its version adds', () => {
    const split = [keyBytes(1), keyBytes(4), keyBytes(5), keyBytes(6), keyBytes(7)];
    for (const discriminator of ['b68a2afe1b5e52dd', 'a520cbae4864e967', 'e875beda55a2cf4e']) {
      const read = decodeEvent('damm', event(discriminator, ...split, Buffer.alloc(90)));
      assert.deepEqual(read, { kind: 'split', pool: key(1), positions: [key(6), key(7)] });
    }
  });

  it('A position that became shorter loses bins at the side that the event names', () => {
    const shorter = (side: number) =>
      decodeEvent('dlmm', event('3476eb55aca90f80', keyBytes(1), keyBytes(2), keyBytes(3), integer(12n, 2), Buffer.from([side])));
    assert.deepEqual(shorter(0), { kind: 'resize', pool: key(1), position: key(2), lower: -12, upper: 0 });
    assert.deepEqual(shorter(1), { kind: 'resize', pool: key(1), position: key(2), lower: 0, upper: -12 });
    assert.throws(() => shorter(2), EventError);
  });
});
