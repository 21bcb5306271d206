import assert from 'node:assert/strict';
import {
  address as kitAddress,
  appendTransactionMessageInstructions,
  blockhash as kitBlockhash,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  setTransactionMessageConfig,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import * as fc from 'fast-check';
import { addressFromBytes, type Address } from '../../../../src/base/solana/address';
import { messageOf, parseTransaction } from '../../../../src/base/solana/wireTransaction';
import { writeV1Transaction, type V1Draft } from '../../../../src/base/solana/writeV1Transaction';

const addressOf = (value: number): Address => addressFromBytes(new Uint8Array(32).fill(value));
const account = fc.record({ address: fc.integer({ min: 1, max: 12 }).map(addressOf), signer: fc.boolean(), writable: fc.boolean() });
const DRAFTS: fc.Arbitrary<V1Draft> = fc.record({
  feePayer: fc.constant(addressOf(1)),
  recentBlockhash: fc.integer({ min: 20, max: 90 }).map(addressOf),
  instructions: fc.array(
    fc.record({
      program: fc.integer({ min: 100, max: 103 }).map(addressOf),
      accounts: fc.array(account, { maxLength: 8 }),
      data: fc.uint8Array({ maxLength: 60 }),
    }),
    { maxLength: 6 },
  ),
  config: fc.record({
    priorityFeeLamports: fc.option(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), { nil: undefined }),
    // The most that @solana/kit writes.
    computeUnitLimit: fc.option(fc.nat({ max: 1_400_000 }), { nil: undefined }),
    loadedAccountsDataSizeLimit: fc.option(fc.nat({ max: 64 * 1_024 * 1_024 }), { nil: undefined }),
    heapBytes: fc.option(
      fc.integer({ min: 32, max: 256 }).map((kib) => kib * 1_024),
      { nil: undefined },
    ),
  }),
});

describe('Writing transactions of version 1', () => {
  it('The parser reads back what was written', () => {
    fc.assert(
      fc.property(DRAFTS, (draft) => {
        const bytes = writeV1Transaction(draft);
        const wire = parseTransaction(bytes);
        assert.equal(wire.version, 1);
        assert.equal(wire.staticKeys[0], draft.feePayer);
        assert.equal(wire.recentBlockhash, draft.recentBlockhash);
        assert.deepEqual(wire.config, { ...draft.config });
        assert.deepEqual(
          wire.instructions.map(({ programIdIndex, accountIndexes, data }) => ({
            program: wire.staticKeys[programIdIndex],
            accounts: accountIndexes.map((index) => wire.staticKeys[index]),
            data,
          })),
          draft.instructions.map(({ program, accounts, data }) => ({ program, accounts: accounts.map((one) => one.address), data })),
        );
        assert.equal(messageOf(bytes, wire).length, bytes.length - 64 * wire.requiredSignatures);
      }),
    );
  });

  it('@solana/kit writes the same accounts, roles, instructions and options', () => {
    fc.assert(
      fc.property(DRAFTS, (draft) => {
        const ours = parseTransaction(writeV1Transaction(draft));
        const theirs = parseTransaction(writtenByKit(draft));
        const plain = ({ staticKeys, instructions, ...rest }: typeof ours): unknown => ({
          ...rest,
          // The order within a role is free.
          keys: [...staticKeys].sort(),
          instructions: instructions.map(({ programIdIndex, accountIndexes, data }) => [
            staticKeys[programIdIndex],
            accountIndexes.map((index) => staticKeys[index]),
            data,
          ]),
        });
        assert.deepEqual(plain(ours), plain(theirs));
      }),
    );
  });
});

/** Roles of @solana/kit: bit 0 writable, bit 1 signer. */
function writtenByKit({ feePayer, recentBlockhash, instructions, config }: V1Draft): Uint8Array {
  const given = Object.fromEntries(
    Object.entries({
      priorityFeeLamports: config.priorityFeeLamports,
      computeUnitLimit: config.computeUnitLimit,
      loadedAccountsDataSizeLimit: config.loadedAccountsDataSizeLimit,
      heapSize: config.heapBytes,
    }).filter(([, value]) => value !== undefined),
  );
  const empty = setTransactionMessageFeePayer(kitAddress(feePayer), createTransactionMessage({ version: 1 }));
  const message = setTransactionMessageLifetimeUsingBlockhash(
    { blockhash: kitBlockhash(recentBlockhash), lastValidBlockHeight: 1n },
    setTransactionMessageConfig(given, empty),
  );
  const whole = appendTransactionMessageInstructions(
    instructions.map(({ program, accounts, data }) => ({
      programAddress: kitAddress(program),
      accounts: accounts.map(({ address, signer, writable }) => ({
        address: kitAddress(address),
        role: (signer ? 2 : 0) + (writable ? 1 : 0),
      })),
      data,
    })),
    message,
  );
  return new Uint8Array(getTransactionEncoder().encode(compileTransaction(whole)));
}
