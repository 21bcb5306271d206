// The output of `npm run bench -- review`: the duration of the review, next to @solana/web3.js decoding and signing the same bytes in the same
// process, for the same operation as the service builds it (v0 and legacy) and as v1. Figures depend on this machine and its load; nothing is asserted.
import { Keypair, VersionedTransaction } from '@solana/web3.js';
import { reviewOperation, signReviewed } from '../../src/review/review';
import type { Review, ZapInIntent, ReviewInput } from '../../src/review/types';
import { buildAdd } from '../../src/engine/assembly/buildTransactions';
import { address } from '../../src/base/solana/address';
import { base64FromBytes } from '../../src/base/solana/wireTransaction';
import { WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { signWithSeed } from '../../src/wallet/keys';
import { addPlan, OTHER_MINT, OWNER, TOKEN_SOL } from '../support/sandbox/build/plans';
import { reportRow } from '../host/benchRows.mjs';
import { milliseconds, quantile } from './figures';

const ROUNDS = 500;
const BLOCKHASH = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi';

/** An honest zap-in: a swap, a position of 80 bins in parts, and unwrapping the rest. As the service builds it today, or as v1. */
function zapIn(format: 'service' | 'v1'): ReviewInput {
  const range = { fromBinId: -420, toBinId: -341 };
  const built = buildAdd({ ...addPlan(BLOCKHASH, range), format });
  const intent: ZapInIntent = {
    ...{ kind: 'zapIn', owner: OWNER.address, pool: TOKEN_SOL.pool, position: address(built.position), slippageBps: 300 },
    ...{ tokenX: OTHER_MINT, tokenY: WRAPPED_SOL_MINT, inputLamports: 1_000_000_000n, strategy: 'Spot', ...range },
  };
  const transactions = [
    ...built.swapTransactions.map((bytes) => ({ group: 'swap' as const, base64: base64FromBytes(bytes) })),
    ...built.addTransactions.map((bytes) => ({ group: 'add' as const, base64: base64FromBytes(bytes) })),
  ];
  return { intent, transactions, lastValidBlockHeight: 9, nowMs: 0 };
}

const older = zapIn('service');
const newer = zapIn('v1');
const web3Key = Keypair.fromSeed(OWNER.seed);

function decoded({ transactions }: ReviewInput): readonly VersionedTransaction[] {
  return transactions.map(({ base64 }) => VersionedTransaction.deserialize(Buffer.from(base64, 'base64')));
}

/** web3.js cannot write v1. */
function signedByWeb3(input: ReviewInput): readonly string[] {
  return decoded(input).map((transaction) => {
    transaction.sign([web3Key]);
    return Buffer.from(transaction.serialize()).toString('base64');
  });
}

function signedBy({ reviewed }: Review): readonly string[] {
  return reviewed.map((transaction) => signReviewed(transaction, OWNER.address, (message) => signWithSeed(OWNER.seed, message), 0));
}

/** The compared functions, by name. Each processes the whole bundle. */
const WORK = {
  'web3.js: decode': () => decoded(older),
  'web3.js: decode, sign, write': () => signedByWeb3(older),
  'Binsight: review': () => reviewOperation(older),
  'Binsight: review, sign, verify': () => signedBy(reviewOperation(older)),
  'web3.js: decode v1': () => decoded(newer),
  'Binsight: review v1': () => reviewOperation(newer),
  'Binsight: review, sign, verify v1': () => signedBy(reviewOperation(newer)),
} as const satisfies Readonly<Record<string, () => unknown>>;

const from = performance.now();
const first = reviewOperation(older);
const firstMs = performance.now() - from;
const lengthOf = ({ transactions }: ReviewInput): number =>
  transactions.reduce((sum, { base64 }) => sum + Buffer.from(base64, 'base64').length, 0);
const described = (input: ReviewInput, { verdict, findings }: Review): string =>
  `an honest zap-in of ${input.transactions.length} transactions, ${lengthOf(input)} bytes: ${verdict}, ${findings.length} findings or notes`;
reportRow({ what: 'first review of a process', result: milliseconds(firstMs), how: described(older, first) });

const times = new Map(Object.keys(WORK).map((name): [string, number[]] => [name, []]));
for (let round = 0; round < ROUNDS; round += 1) {
  // All of them in each round, so that other load on the machine affects all of them.
  for (const [name, work] of Object.entries(WORK)) {
    const start = performance.now();
    work();
    times.get(name)?.push(performance.now() - start);
  }
}
const medianOf = (name: keyof typeof WORK): number => quantile(times.get(name) ?? [], 0.5);
/** What is compared with what: each processes the same transactions. */
const COMPARED: readonly (readonly [what: keyof typeof WORK, beside: keyof typeof WORK | undefined, input: ReviewInput])[] = [
  ['Binsight: review', 'web3.js: decode', older],
  ['Binsight: review, sign, verify', 'web3.js: decode, sign, write', older],
  ['Binsight: review v1', 'web3.js: decode v1', newer],
  // web3.js cannot write v1.
  ['Binsight: review, sign, verify v1', undefined, newer],
];
const textOf = (name: keyof typeof WORK): string =>
  `${milliseconds(medianOf(name))}, 99 % within ${milliseconds(quantile(times.get(name) ?? [], 0.99))}`;
for (const [what, beside, input] of COMPARED) {
  reportRow({
    what,
    ...(beside === undefined ? {} : { beside: `${beside}: ${textOf(beside)}` }),
    result: `${textOf(what)}${beside === undefined ? '' : ` (${(medianOf(what) / medianOf(beside)).toFixed(1)} times)`}`,
    how: `median of ${ROUNDS} rounds in turns; ${described(input, reviewOperation(input))}`,
  });
}
