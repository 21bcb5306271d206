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
  VersionedTransaction,
} from '@solana/web3.js';
import { address } from '../../../src/base/solana/address';
import { associatedTokenAddress } from '../../../src/base/solana/pda';
import { JITO_TIP_ACCOUNTS, MAX_TRANSACTION_BYTES, PROGRAMS, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { isEmptySignature, parseTransaction, type WireTransaction } from '../../../src/base/solana/wireTransaction';
import { instructionsOf, type DecodedAnchorInstruction } from '../../../src/sandbox/build/anchorInstruction';
import { buildAdd, buildDecrease } from '../../../src/sandbox/build/buildTransactions';
import { readEffects } from '../../../src/sandbox/build/readEffects';
import { withoutTip } from '../../../src/sandbox/build/walletInstructions';
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

/** Every kind of operation that the sandbox builds, by name. */
const OPERATIONS: readonly (readonly [string, readonly Uint8Array[]])[] = [
  ['zap-out to SOL', all(buildDecrease(decreasePlan(BLOCKHASH)))],
  ['a quarter to both tokens', all(buildDecrease(decreasePlan(BLOCKHASH, { shareBps: 2_500, swaps: [] })))],
  [
    'zap-out without SOL in the pool',
    all(
      buildDecrease(
        decreasePlan(BLOCKHASH, {
          pool: TOKEN_USDC,
          swaps: [swapThrough([hop(TOKEN_USDC, 'x', ARRAYS), hop(SOL_USDC, 'y', ARRAYS)], 1n, 1n), swap(SOL_USDC, 'y', 1n, 1n)],
        }),
      ),
    ),
  ],
  ['zap-out of 200 bins', all(buildDecrease(decreasePlan(BLOCKHASH, { fromBinId: -415, toBinId: -216 })))],
  ['zap-out of 1,400 bins', all(buildDecrease(decreasePlan(BLOCKHASH, WIDE)))],
  ['zap-in', all(buildAdd(addPlan(BLOCKHASH)))],
  ['zap-in with new bin arrays', all(buildAdd(addPlan(BLOCKHASH, { missingBinArrayIndexes: [-6, -5] })))],
  ['zap-in of SOL alone', all(buildAdd(addPlan(BLOCKHASH, { amountX: 0n, swaps: [] })))],
  [
    'zap-in without SOL in the pool',
    all(
      buildAdd(
        addPlan(BLOCKHASH, {
          pool: TOKEN_USDC,
          swaps: [swapThrough([hop(SOL_USDC, 'x', ARRAYS), hop(TOKEN_USDC, 'y', ARRAYS)], 1n, 1n), swap(SOL_USDC, 'x', 1n, 1n)],
        }),
      ),
    ),
  ],
  ['deposit of both tokens at hand', all(buildAdd(addPlan(BLOCKHASH, { pool: TOKEN_USDC, swaps: [], wrapLamports: 0n })))],
  [
    'zap-in of 200 bins',
    all(buildAdd(addPlan(BLOCKHASH, { fromBinId: -480, toBinId: -281, strategy: 'Curve', missingBinArrayIndexes: [-7, -6, -5] }))),
  ],
  ['zap-in of 1,400 bins', all(buildAdd(addPlan(BLOCKHASH, { ...WIDE, strategy: 'BidAsk', missingBinArrayIndexes: WIDE_ARRAYS })))],
  ['zap-out of a constant-product pool', all(buildDecrease(productDecreasePlan(BLOCKHASH)))],
  ['a quarter of a constant-product pool', all(buildDecrease(productDecreasePlan(BLOCKHASH, { shareBps: 2_500, swaps: [] })))],
  [
    'zap-out of a constant-product pool without SOL',
    all(buildDecrease(productDecreasePlan(BLOCKHASH, { pool: TOKEN_USDC, swaps: PRODUCT_OUT }))),
  ],
  ['zap-in of a constant-product pool', all(buildAdd(productAddPlan(BLOCKHASH)))],
  ['zap-in of a constant-product pool without SOL', all(buildAdd(productAddPlan(BLOCKHASH, { pool: TOKEN_USDC, swaps: PRODUCT_IN })))],
  [
    'deposit of both tokens into a constant-product pool',
    all(buildAdd(productAddPlan(BLOCKHASH, { pool: TOKEN_USDC, swaps: [], wrapLamports: 0n }))),
  ],
];

/** Operations by name, each in the variant with the tip and in the one without. */
const VARIANTS: readonly (readonly [string, object, object])[] = [
  ...[
    decreasePlan(BLOCKHASH),
    decreasePlan(BLOCKHASH, { shareBps: 2_500, swaps: [] }),
    decreasePlan(BLOCKHASH, WIDE),
    productDecreasePlan(BLOCKHASH),
    productDecreasePlan(BLOCKHASH, { shareBps: 1 }),
  ].map(
    (plan) =>
      [`a withdrawal of ${plan.shareBps} basis points, ${plan.type}`, buildDecrease(plan), buildDecrease(withoutTip(plan))] as const,
  ),
  ...[
    addPlan(BLOCKHASH),
    addPlan(BLOCKHASH, { ...WIDE, missingBinArrayIndexes: WIDE_ARRAYS }),
    addPlan(BLOCKHASH, { swaps: [] }),
    productAddPlan(BLOCKHASH),
    productAddPlan(BLOCKHASH, { swaps: [] }),
  ].map((plan) => [`a deposit after ${plan.swaps.length} swaps, ${plan.type}`, buildAdd(plan), buildAdd(withoutTip(plan))] as const),
];

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
  for (const [name, transactions] of OPERATIONS) {
    describe(name, () => {
      const parsed = transactions.map((bytes) => ({ bytes, wire: parseTransaction(bytes) }));

      it('Each transaction fits, parses strictly, and has the same bytes in web3.js', () => {
        for (const { bytes } of parsed) {
          assert.ok(bytes.length <= MAX_TRANSACTION_BYTES);
          assert.deepEqual(VersionedTransaction.deserialize(bytes).serialize(), bytes);
        }
      });

      it('The owner pays and signs, and every other signer has signed already', () => {
        for (const { bytes, wire } of parsed) {
          assert.equal(wire.staticKeys[0], OWNER.address);
          assert.equal(wire.recentBlockhash, BLOCKHASH);
          const [own, ...others] = wire.signatures;
          assert.ok(own !== undefined && isEmptySignature(own));
          others.forEach((signature, index) =>
            assert.ok(verifies(signature, bytes.subarray(wire.messageOffset), wire.staticKeys[index + 1])),
          );
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

  it('A position of up to 70 bins takes at most five transactions', () => {
    for (const [name, transactions] of OPERATIONS.filter(([of]) => !/\d bins/.test(of))) {
      assert.ok(transactions.length <= 5, name);
    }
  });

  it('The position key signs exactly the transactions that open it, and only those fill it', () => {
    for (const [name, transactions] of OPERATIONS) {
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
    for (const [, transactions] of OPERATIONS) {
      const touches = transactions.map((bytes) => instructionsOf(parseTransaction(bytes)));
      const unwraps = touches.map((instructions) => instructions.some(({ program, data }) => program === PROGRAMS.token && data[0] === 9));
      unwraps.forEach((does, index) => {
        assert.equal(does && index < unwraps.length - 1, false, 'only the last transaction unwraps');
        assert.equal(does && touches[index]?.some(({ program }) => STOOD_IN_FOR.includes(program)), false);
      });
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
        const messages = [...one, ...other].map(({ bytes, wire }) => Buffer.from(bytes.subarray(wire.messageOffset)).toString('hex'));
        assert.equal(new Set(messages).size, messages.length);
      });
    }

    it('The variants with and without a tip make the same position, whose key signs both', () => {
      for (const plan of [addPlan(BLOCKHASH), productAddPlan(BLOCKHASH)]) {
        const [tipped, plain] = [buildAdd(plan), buildAdd(withoutTip(plan))];
        assert.equal(tipped.position, plain.position);
        assert.equal(tipped.nftMint, plain.nftMint);
        for (const bytes of [...tipped.addTransactions, ...plain.addTransactions]) {
          const wire = parseTransaction(bytes);
          wire.signatures
            .slice(1)
            .forEach((signature, index) => assert.ok(verifies(signature, bytes.subarray(wire.messageOffset), wire.staticKeys[index + 1])));
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
