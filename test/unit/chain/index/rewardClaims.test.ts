import assert from 'node:assert/strict';
import * as z from 'zod';
import type { Address } from '../../../../src/base/solana/address';
import { addressBytes } from '../../../../src/base/solana/address';
import { PROGRAMS } from '../../../../src/base/solana/programs';
import { EventError } from '../../../../src/chain/index/eventFields';
import { type EventFact, factsOf } from '../../../../src/chain/index/facts';
import { dammSdk, dlmmSdk } from '../../../support/base/solana/packages';
import { addressOf } from '../../../support/chain/madeFacts';

const Idl = z.object({
  events: z.array(z.object({ name: z.string(), discriminator: z.array(z.number()) })),
  types: z.array(z.looseObject({ name: z.string() })),
});
const Struct = z.object({ type: z.object({ fields: z.array(z.object({ name: z.string(), type: z.unknown() })) }) });
const EVENT_TAG = Buffer.from('e445a52e51cb9a1d', 'hex');
/** Bytes of integers. */
const BYTES: Readonly<Record<string, number>> = { u8: 1, i32: 4, u64: 8 };

const KEYS: Readonly<Record<string, Address>> = {
  lb_pair: addressOf('pool'),
  pool: addressOf('pool'),
  position: addressOf('position'),
  owner: addressOf('owner'),
  mint_reward: addressOf('mint'),
};
const FACT = { kind: 'reward', position: addressOf('position'), pool: addressOf('pool'), owner: addressOf('owner') } as const;

describe('Claims of rewards in the index', () => {
  const idls = { dlmm: Idl.parse(dlmmSdk().IDL), damm: Idl.parse(dammSdk().CpAmmIdl) } as const;

  for (const [program, name] of [
    ['dlmm', 'ClaimReward'],
    ['dlmm', 'ClaimReward2'],
    ['damm', 'EvtClaimReward'],
  ] as const) {
    it(`A position has claimed rewards after ${name} with an amount, by the layout of the SDK, and not without one`, () => {
      assert.deepEqual(factsAfter(program, eventOf(program, name, { total_reward: 1n })), [{ program, ...FACT }]);
      assert.deepEqual(factsAfter(program, eventOf(program, name, { total_reward: 0n, reward_index: 1n })), []);
      assert.throws(() => factsAfter(program, eventOf(program, name, { total_reward: 1n }).subarray(0, -1)), EventError);
    });
  }

  it('A rebalancing that pays out rewards claims them', () => {
    for (const rewards of [0n, 5n]) {
      const kinds = factsAfter('dlmm', eventOf('dlmm', 'Rebalancing', { rewards })).map(({ kind }) => kind);
      assert.deepEqual(kinds, rewards === 0n ? ['range'] : ['reward', 'range']);
    }
  });

  function factsAfter(program: 'dlmm' | 'damm', data: Buffer): readonly EventFact[] {
    return factsOf([{ program: program === 'dlmm' ? PROGRAMS.dlmm : PROGRAMS.dammV2, accounts: [], isInner: true, data: () => data }]);
  }

  /** The bytes of an event. Fields without a value are 0. */
  function eventOf(program: 'dlmm' | 'damm', name: string, values: Readonly<Record<string, bigint>>): Buffer {
    const { events, types } = idls[program];
    const { fields } = Struct.parse(types.find((type) => type.name === name)).type;
    const discriminator = events.find((event) => event.name === name)?.discriminator ?? assert.fail(name);
    return Buffer.concat([
      EVENT_TAG,
      Buffer.from(discriminator),
      ...fields.map((field) => encoded(field.type, KEYS[field.name], values[field.name] ?? 0n)),
    ]);
  }

  function encoded(type: unknown, key: Address | undefined, value: bigint): Uint8Array {
    if (type === 'pubkey') {
      return addressBytes(key ?? assert.fail('an unknown key'));
    }
    if (typeof type === 'string') {
      const bytes = Buffer.alloc(BYTES[type] ?? assert.fail(type));
      bytes.writeUInt8(Number(value), 0);
      return bytes;
    }
    // Two amounts, the second one nothing.
    assert.deepEqual(type, { array: ['u64', 2] });
    return Buffer.concat([encoded('u64', undefined, value), Buffer.alloc(8)]);
  }
});
