import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { createRequire } from 'node:module';
import {
  Connection,
  Keypair,
  PublicKey,
  SystemInstruction,
  SystemProgram,
  TransactionInstruction,
  VersionedMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { address } from '../../../src/base/solana/address';
import { associatedTokenAddress } from '../../../src/base/solana/pda';
import {
  JITO_TIP_ACCOUNTS,
  MAX_TRANSACTION_BYTES,
  MAX_V1_TRANSACTION_BYTES,
  PROGRAMS,
  WRAPPED_SOL_MINT,
} from '../../../src/base/solana/programs';
import { isEmptySignature, messageOf, parseTransaction, type WireTransaction } from '../../../src/base/solana/wireTransaction';
import { instructionsOf, type DecodedAnchorInstruction } from '../../../src/sandbox/build/decodedInstruction';
import { buildAdd, buildDecrease } from '../../../src/engine/assembly/buildTransactions';
import { readEffects } from '../../../src/sandbox/build/readEffects';
import type { TransactionFormat } from '../../../src/engine/assembly/types';
import { withoutTip } from '../../../src/engine/assembly/walletInstructions';
import { dammCoder } from '../../support/base/solana/packages';
import {
  addPlan,
  decreasePlan,
  hop,
  OWNER,
  productAddPlan,
  productDecreasePlan,
  productHop,
  SOL_USDC,
  swap,
  swapThrough,
  TOKEN_USDC,
} from '../../support/sandbox/build/plans';

const BLOCKHASH = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2';
const WIDE = { fromBinId: -1_080, toBinId: 319 };
/** As many bin arrays as a trade may touch. */
const ARRAYS = [-6, -5, -4];
const WIDE_ARRAYS = Array.from({ length: 21 }, (_, index) => index - 16);

/** Swaps by way of both types of pool. */
const PRODUCT_OUT = [swapThrough([productHop(TOKEN_USDC, 'x'), hop(SOL_USDC, 'y', ARRAYS)], 1n, 1n), swap(SOL_USDC, 'y', 1n, 1n)];
const PRODUCT_IN = [
  swapThrough([hop(SOL_USDC, 'x', ARRAYS), productHop(TOKEN_USDC, 'y')], 1n, 1n),
  swapThrough([productHop(SOL_USDC, 'x')], 1n, 1n),
];

type Operations = readonly (readonly [string, readonly Uint8Array[]])[];

/** Every kind of operation that the sandbox builds, by name. */
const OPERATIONS: Operations = operationsIn('service');

/** The same with v1 transactions only, and with transactions of all versions. */
const OF_V1: Operations = operationsIn('v1');
const MIXED: Operations = operationsIn('mixed');

function operationsIn(format: TransactionFormat): Operations {
  return [
    ['zap-out to SOL', all(buildDecrease(decreasePlan(BLOCKHASH, { format })))],
    ['a quarter to both tokens', all(buildDecrease(decreasePlan(BLOCKHASH, { format, shareBps: 2_500, swaps: [] })))],
    [
      'zap-out without SOL in the pool',
      all(
        buildDecrease(
          decreasePlan(BLOCKHASH, {
            format,
            pool: TOKEN_USDC,
            swaps: [swapThrough([hop(TOKEN_USDC, 'x', ARRAYS), hop(SOL_USDC, 'y', ARRAYS)], 1n, 1n), swap(SOL_USDC, 'y', 1n, 1n)],
          }),
        ),
      ),
    ],
    ['zap-out of 200 bins', all(buildDecrease(decreasePlan(BLOCKHASH, { format, fromBinId: -415, toBinId: -216 })))],
    ['zap-out of 1,400 bins', all(buildDecrease(decreasePlan(BLOCKHASH, { format, ...WIDE })))],
    ['zap-in', all(buildAdd(addPlan(BLOCKHASH, { format })))],
    ['zap-in with new bin arrays', all(buildAdd(addPlan(BLOCKHASH, { format, missingBinArrayIndexes: [-6, -5] })))],
    ['zap-in of SOL alone', all(buildAdd(addPlan(BLOCKHASH, { format, amountX: 0n, swaps: [] })))],
    [
      'zap-in without SOL in the pool',
      all(
        buildAdd(
          addPlan(BLOCKHASH, {
            format,
            pool: TOKEN_USDC,
            swaps: [swapThrough([hop(SOL_USDC, 'x', ARRAYS), hop(TOKEN_USDC, 'y', ARRAYS)], 1n, 1n), swap(SOL_USDC, 'x', 1n, 1n)],
          }),
        ),
      ),
    ],
    ['deposit of both tokens at hand', all(buildAdd(addPlan(BLOCKHASH, { format, pool: TOKEN_USDC, swaps: [], wrapLamports: 0n })))],
    [
      'zap-in of 200 bins',
      all(
        buildAdd(addPlan(BLOCKHASH, { format, fromBinId: -480, toBinId: -281, strategy: 'Curve', missingBinArrayIndexes: [-7, -6, -5] })),
      ),
    ],
    [
      'zap-in of 1,400 bins',
      all(buildAdd(addPlan(BLOCKHASH, { format, ...WIDE, strategy: 'BidAsk', missingBinArrayIndexes: WIDE_ARRAYS }))),
    ],
    ['zap-out of a constant-product pool', all(buildDecrease(productDecreasePlan(BLOCKHASH, { format })))],
    ['a quarter of a constant-product pool', all(buildDecrease(productDecreasePlan(BLOCKHASH, { format, shareBps: 2_500, swaps: [] })))],
    [
      'zap-out of a constant-product pool without SOL',
      all(buildDecrease(productDecreasePlan(BLOCKHASH, { format, pool: TOKEN_USDC, swaps: PRODUCT_OUT }))),
    ],
    ['zap-in of a constant-product pool', all(buildAdd(productAddPlan(BLOCKHASH, { format })))],
    [
      'zap-in of a constant-product pool without SOL',
      all(buildAdd(productAddPlan(BLOCKHASH, { format, pool: TOKEN_USDC, swaps: PRODUCT_IN }))),
    ],
    [
      'deposit of both tokens into a constant-product pool',
      all(buildAdd(productAddPlan(BLOCKHASH, { format, pool: TOKEN_USDC, swaps: [], wrapLamports: 0n }))),
    ],
  ];
}

/** Operations by name, each in the variant with the tip and in the one without. */
const VARIANTS: readonly (readonly [string, object, object])[] = (['service', 'v1', 'mixed'] as const).flatMap((format) => [
  ...[
    decreasePlan(BLOCKHASH, { format }),
    decreasePlan(BLOCKHASH, { format, shareBps: 2_500, swaps: [] }),
    decreasePlan(BLOCKHASH, { format, ...WIDE }),
    productDecreasePlan(BLOCKHASH, { format }),
    productDecreasePlan(BLOCKHASH, { format, shareBps: 1 }),
  ].map(
    (plan) =>
      [
        `${format}: a withdrawal of ${plan.shareBps} basis points, ${plan.type}`,
        buildDecrease(plan),
        buildDecrease(withoutTip(plan)),
      ] as const,
  ),
  ...[
    addPlan(BLOCKHASH, { format }),
    addPlan(BLOCKHASH, { format, ...WIDE, missingBinArrayIndexes: WIDE_ARRAYS }),
    addPlan(BLOCKHASH, { format, swaps: [] }),
    productAddPlan(BLOCKHASH, { format }),
    productAddPlan(BLOCKHASH, { format, swaps: [] }),
  ].map(
    (plan) => [`${format}: a deposit after ${plan.swaps.length} swaps, ${plan.type}`, buildAdd(plan), buildAdd(withoutTip(plan))] as const,
  ),
]);

/** Effects that need a position that is open. */
const FILLING: readonly string[] = ['increasePositionLength', 'addLiquidity', 'addProductLiquidity'];

/** Programs whose instructions take effect only after their transaction. */
const STOOD_IN_FOR: readonly string[] = [PROGRAMS.dlmm, PROGRAMS.dammV2, PROGRAMS.jupiterV6];

const ALLOWED_PROGRAMS: readonly string[] = [
  PROGRAMS.system,
  PROGRAMS.computeBudget,
  PROGRAMS.token,
  PROGRAMS.associatedToken,
  PROGRAMS.dlmm,
  PROGRAMS.dammV2,
  PROGRAMS.jupiterV6,
];

describe('Built transactions', () => {
  for (const [name, transactions] of [...OPERATIONS, ...OF_V1.map(named('v1')), ...MIXED.map(named('mixed'))]) {
    describe(name, () => {
      const parsed = transactions.map((bytes) => ({ bytes, wire: parseTransaction(bytes) }));

      it('Each transaction fits, parses strictly, and web3.js reads the same', () => {
        for (const { bytes, wire } of parsed) {
          if (wire.version === 1) {
            assert.ok(bytes.length <= MAX_V1_TRANSACTION_BYTES);
            // web3.js reads v1 messages, and does not write them.
            const read = VersionedMessage.deserialize(messageOf(bytes, wire));
            assert.deepEqual(
              read.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => [
                programIdIndex,
                accountKeyIndexes,
                [...data],
              ]),
              wire.instructions.map(({ programIdIndex, accountIndexes, data }) => [programIdIndex, accountIndexes, [...data]]),
            );
          } else {
            assert.ok(bytes.length <= MAX_TRANSACTION_BYTES);
            assert.deepEqual(VersionedTransaction.deserialize(bytes).serialize(), bytes);
          }
        }
      });

      it('The owner pays and signs, and every other signer has signed already', () => {
        for (const { bytes, wire } of parsed) {
          assert.equal(wire.staticKeys[0], OWNER.address);
          assert.equal(wire.recentBlockhash, BLOCKHASH);
          const [own, ...others] = wire.signatures;
          assert.ok(own !== undefined && isEmptySignature(own));
          others.forEach((signature, index) => assert.ok(verifies(signature, messageOf(bytes, wire), wire.staticKeys[index + 1])));
        }
      });

      it('Transactions call only programs that the review allows and use no lookup tables', () => {
        for (const { wire } of parsed) {
          assert.deepEqual(wire.tableLookups, []);
          assert.deepEqual(
            instructionsOf(wire)
              .map(({ program }) => program)
              .filter((program) => !ALLOWED_PROGRAMS.includes(program)),
            [],
          );
        }
      });

      it('SOL goes only to one tip account or into wrapped SOL of the owner, and wrapped SOL to the owner', () => {
        const instructions = parsed.flatMap(({ wire }) => instructionsOf(wire));
        const ownWrapped = associatedTokenAddress(OWNER.address, WRAPPED_SOL_MINT);
        const transfers = instructions.filter(({ program }) => program === PROGRAMS.system).map(asTransfer);
        const tips = transfers.filter(({ toPubkey }) => JITO_TIP_ACCOUNTS.includes(address(toPubkey.toBase58())));
        const wraps = transfers.filter(({ toPubkey }) => toPubkey.toBase58() === ownWrapped);
        assert.equal(tips.length, 1);
        assert.ok(wraps.length <= 1);
        assert.equal(transfers.length, tips.length + wraps.length);
        for (const { data, accounts } of instructions.filter(({ program }) => program === PROGRAMS.token)) {
          assert.deepEqual(data, data[0] === 9 ? Uint8Array.of(9) : Uint8Array.of(17)); // CloseAccount or SyncNative
          assert.equal(accounts[0]?.address, ownWrapped);
          assert.equal(accounts[1]?.address, data[0] === 9 ? OWNER.address : undefined);
        }
      });

      it('Each transaction requests compute units once, within the network limit, at the price of the plan', () => {
        for (const { wire } of parsed) {
          if (wire.config !== undefined) {
            // 25,000 micro-lamports for each unit, and as many lamports as the plan bids micro-lamports above that.
            assert.equal(wire.config.priorityFeeLamports, BigInt(Math.ceil((wire.config.computeUnitLimit ?? 0) / 40)) + 25_000n);
            assert.ok((wire.config.computeUnitLimit ?? 0) > 0 && (wire.config.computeUnitLimit ?? 0) <= 1_400_000);
            assert.ok((wire.config.loadedAccountsDataSizeLimit ?? 0) > 8 * 1_024 * 1_024);
            assert.deepEqual(
              instructionsOf(wire).filter(({ program }) => program === PROGRAMS.computeBudget),
              [],
            );
            continue;
          }
          const [limit, price, ...more] = instructionsOf(wire).filter(({ program }) => program === PROGRAMS.computeBudget);
          assert.deepEqual(more, []);
          assert.equal(limit?.data[0], 2);
          assert.ok(Buffer.from(limit.data).readUInt32LE(1) <= 1_400_000);
          assert.equal(price?.data[0], 3);
          assert.equal(Buffer.from(price.data).readBigUInt64LE(1), 50_000n);
        }
      });
    });
  }

  it('Every operation that swaps contains both legacy and v0 transactions', () => {
    for (const [name, transactions] of OPERATIONS.filter(([, bytes]) => bytes.some(hasSwap))) {
      assert.deepEqual(new Set(transactions.map((bytes) => parseTransaction(bytes).version)), new Set(['legacy', 0]), name);
    }
  });

  it('An operation takes transactions of the requested versions', () => {
    const versionsOf = (transactions: readonly Uint8Array[]): Set<unknown> =>
      new Set(transactions.map((bytes) => parseTransaction(bytes).version));
    for (const [name, transactions] of OF_V1) {
      assert.deepEqual(versionsOf(transactions), new Set([1]), name);
    }
    for (const [name, transactions] of MIXED.filter(([, bytes]) => bytes.some(hasSwap))) {
      assert.deepEqual(versionsOf(transactions), new Set(['legacy', 0, 1]), name);
    }
    for (const [name, transactions] of operationsIn('legacy')) {
      assert.deepEqual(versionsOf(transactions), new Set(['legacy']), name);
    }
    for (const [name, transactions] of operationsIn('v0')) {
      assert.deepEqual(versionsOf(transactions), new Set([0]), name);
    }
  });

  it('A zap-in or zap-out of up to 70 bins is one v1 transaction, and wider ones fill theirs', () => {
    const counts = new Map(OF_V1.map(([name, transactions]) => [name, transactions.length]));
    for (const name of [
      'zap-in',
      'zap-in of SOL alone',
      'zap-out to SOL',
      'a quarter to both tokens',
      'zap-in of a constant-product pool',
    ]) {
      assert.equal(counts.get(name), 1, name);
    }
    // 1,400,000 compute units are enough for about a hundred bins, with new bin arrays for fewer where token X goes.
    assert.equal(counts.get('zap-in of 200 bins'), 3);
    // One more, because the network executes at most 64 instructions in a transaction, those included that programs call.
    assert.equal(counts.get('zap-in of 1,400 bins'), 15);
  });

  it('A position of up to 70 bins takes at most five transactions', () => {
    for (const [name, transactions] of OPERATIONS.filter(([of]) => !/\d bins/.test(of))) {
      assert.ok(transactions.length <= 5, name);
    }
  });

  it('The position key signs exactly the transactions that open it, and only those fill it', () => {
    for (const [name, transactions] of [...OPERATIONS, ...OF_V1, ...MIXED]) {
      const coSigned = transactions.map((bytes) => parseTransaction(bytes)).filter((wire) => wire.requiredSignatures > 1);
      const filling = transactions.filter((bytes) => readEffects(parseTransaction(bytes)).some(({ kind }) => FILLING.includes(kind)));
      assert.equal(coSigned.length, filling.length, name);
      assert.equal(filling.length > 0, /zap-in|deposit/.test(name), name);
      for (const wire of coSigned) {
        assert.equal(wire.staticKeys[1], Keypair.fromSeed(addPlan(BLOCKHASH).positionSeed).publicKey.toBase58());
      }
    }
  });

  it('SOL is unwrapped only in the last transaction, after the swaps', () => {
    for (const [, transactions] of [...OPERATIONS, ...MIXED]) {
      const touches = transactions.map((bytes) => instructionsOf(parseTransaction(bytes)));
      const unwraps = touches.map((instructions) => instructions.some(({ program, data }) => program === PROGRAMS.token && data[0] === 9));
      unwraps.forEach((does, index) => {
        assert.equal(does && index < unwraps.length - 1, false, 'only the last transaction unwraps');
        assert.equal(does && touches[index]?.some(({ program }) => STOOD_IN_FOR.includes(program)), false);
      });
    }
  });

  it('In v1, SOL is unwrapped behind the last instruction of a pool or a swap', () => {
    for (const [name, transactions] of OF_V1) {
      const calls = transactions.flatMap((bytes) => instructionsOf(parseTransaction(bytes)));
      const unwrap = calls.findIndex(({ program, data }) => program === PROGRAMS.token && data[0] === 9);
      assert.ok(unwrap < 0 || calls.findLastIndex(({ program }) => STOOD_IN_FOR.includes(program)) < unwrap, name);
    }
  });

  describe('Variants with and without a tip', () => {
    for (const [name, tipped, plain] of VARIANTS) {
      it(`${name} has the same instructions with and without a tip, and no message twice`, () => {
        const [one, other] = [tipped, plain].map((built) => all(built).map((bytes) => ({ bytes, wire: parseTransaction(bytes) }))) as [
          Written[],
          Written[],
        ];
        assert.deepEqual(other.flatMap(asked).filter(isTip), []);
        assert.equal(one.flatMap(asked).filter(isTip).length, 1);
        assert.deepEqual(
          other.flatMap(asked),
          one.flatMap(asked).filter((instruction) => !isTip(instruction)),
        );
        const messages = [...one, ...other].map(({ bytes, wire }) => Buffer.from(messageOf(bytes, wire)).toString('hex'));
        assert.equal(new Set(messages).size, messages.length);
      });
    }

    it('The variants with and without a tip make the same position, whose key signs both', () => {
      for (const plan of [addPlan(BLOCKHASH), addPlan(BLOCKHASH, { format: 'v1' }), productAddPlan(BLOCKHASH)]) {
        const [tipped, plain] = [buildAdd(plan), buildAdd(withoutTip(plan))];
        assert.equal(tipped.position, plain.position);
        assert.equal(tipped.nftMint, plain.nftMint);
        for (const bytes of [...tipped.addTransactions, ...plain.addTransactions]) {
          const wire = parseTransaction(bytes);
          wire.signatures
            .slice(1)
            .forEach((signature, index) => assert.ok(verifies(signature, messageOf(bytes, wire), wire.staticKeys[index + 1])));
        }
      }
    });
  });

  it('The coder of the DAMM v2 IDL decodes the instructions and encodes them alike', () => {
    const coder = dammCoder();
    const seen = new Set<string>();
    for (const { program, data } of OPERATIONS.flatMap(([, transactions]) =>
      transactions.flatMap((bytes) => instructionsOf(parseTransaction(bytes))),
    )) {
      if (program === PROGRAMS.dammV2) {
        const decoded = coder.decode(Buffer.from(data));
        assert.ok(decoded !== null);
        assert.deepEqual(new Uint8Array(coder.encode(decoded.name, decoded.data)), data);
        seen.add(decoded.name);
      }
    }
    assert.equal(seen.size, 6, [...seen].join(', '));
  });

  it('The published DLMM client decodes the instructions and encodes them alike', () => {
    const { createProgram } = createRequire(import.meta.url)('@meteora-ag/dlmm') as {
      createProgram: (connection: Connection) => MeteoraProgram;
    };
    const { coder } = createProgram(new Connection('http://127.0.0.1:1'));
    const seen = new Set<string>();
    for (const { program, data } of OPERATIONS.flatMap(([, transactions]) =>
      transactions.flatMap((bytes) => instructionsOf(parseTransaction(bytes))),
    )) {
      if (program === PROGRAMS.dlmm) {
        const decoded = coder.instruction.decode(Buffer.from(data));
        assert.ok(decoded !== null);
        assert.deepEqual(new Uint8Array(coder.instruction.encode(decoded.name, decoded.data)), data);
        seen.add(decoded.name);
      }
    }
    assert.equal(seen.size, 8, [...seen].join(', '));
  });
});

interface MeteoraProgram {
  readonly coder: {
    readonly instruction: {
      decode(data: Buffer): { readonly name: string; readonly data: unknown } | null;
      encode(name: string, data: unknown): Buffer;
    };
  };
}

/** A transaction and its bytes. */
interface Written {
  readonly bytes: Uint8Array;
  readonly wire: WireTransaction;
}

/** What a transaction does besides asking for compute units: program, accounts, data. Rights are those of the whole transaction. */
function asked({ wire }: Written): { readonly program: string; readonly accounts: readonly string[]; readonly data: string }[] {
  return instructionsOf(wire)
    .filter(({ program }) => program !== PROGRAMS.computeBudget)
    .map(({ program, accounts, data }) => ({
      program,
      accounts: accounts.map((account) => account.address),
      data: Buffer.from(data).toString('hex'),
    }));
}

/** Puts the versions in front of an operation's name. */
function named(format: string): (operation: Operations[number]) => Operations[number] {
  return ([name, transactions]) => [`${format}: ${name}`, transactions];
}

function isTip({ program, accounts }: { readonly program: string; readonly accounts: readonly string[] }): boolean {
  return program === PROGRAMS.system && JITO_TIP_ACCOUNTS.some((tip) => tip === accounts[1]);
}

function all(built: object): readonly Uint8Array[] {
  return (Object.values(built) as unknown[]).filter((group): group is readonly Uint8Array[] => Array.isArray(group)).flat();
}

function hasSwap(bytes: Uint8Array): boolean {
  return instructionsOf(parseTransaction(bytes)).some(({ program }) => program === PROGRAMS.jupiterV6);
}

function asTransfer({ accounts, data }: DecodedAnchorInstruction): ReturnType<typeof SystemInstruction.decodeTransfer> {
  const keys = accounts.map((account) => ({
    pubkey: new PublicKey(account.address),
    isSigner: account.signer,
    isWritable: account.writable,
  }));
  return SystemInstruction.decodeTransfer(
    new TransactionInstruction({ programId: SystemProgram.programId, keys, data: Buffer.from(data) }),
  );
}

function verifies(signature: Uint8Array, message: Uint8Array, signer: WireTransaction['staticKeys'][number] | undefined): boolean {
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), new PublicKey(signer ?? '').toBytes()]);
  return verify(null, message, createPublicKey({ key: der, format: 'der', type: 'spki' }), signature);
}
