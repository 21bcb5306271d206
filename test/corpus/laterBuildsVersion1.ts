import { ComputeBudgetProgram, type TransactionInstruction } from '@solana/web3.js';
import {
  addByStrategy,
  buyToken,
  type Draft,
  honestZapIn,
  honestZapOut,
  inVersion,
  openPosition,
  route,
  THIEF,
  tip,
  transferSol,
  unwrap,
  V1_CONFIG,
  type Version,
  ZAP_IN,
  ZAP_OUT,
} from '../support/review/bundles';
import { cosigned, fresh, type LaterBuild, withFee } from './laterBuilds';

// Later builds with transactions of version 1, or with another mix of versions than what was approved. Version 1 has its priority fee in a
// config, as a total; more fits into one transaction; and nothing hides in a lookup table.

const { computeUnitLimit, loadedAccountsDataSizeLimit } = V1_CONFIG;
/** The priority fee of {@link honestZapOut} in each format. */
const FEE = V1_CONFIG.priorityFeeLamports;

const OUT = honestZapOut(1);
const IN = honestZapIn(1);
const MIXED: readonly Version[] = ['legacy', 1, 0];

/** At the beginning of the data of an Anchor instruction: what it does. */
const DISCRIMINATOR_BYTES = 8;

function mixed(drafts: readonly Draft[]): readonly Draft[] {
  return drafts.map((draft, place) => inVersion(MIXED[place] ?? 1, draft));
}

/** All instructions in a single transaction, which only version 1 has room for. */
function inOne(drafts: readonly Draft[], group: Draft['group']): readonly Draft[] {
  const signers = drafts.flatMap((draft) => draft.signers ?? []);
  return [{ group, version: 1, signers, instructions: drafts.flatMap(({ instructions }) => instructions) }];
}

/** The drafts with another config in one of them. */
function configured(drafts: readonly Draft[], place: number, config: NonNullable<Draft['config']>): readonly Draft[] {
  return drafts.map((draft, at) => (at === place ? { ...draft, config } : draft));
}

/** The drafts with more instructions at the end of one of them. */
function extended(drafts: readonly Draft[], place: number, ...more: readonly TransactionInstruction[]): readonly Draft[] {
  return drafts.map((draft, at) => (at === place ? { ...draft, instructions: [...draft.instructions, ...more] } : draft));
}

/** The drafts with an instruction in the place of each that does the same. */
function replaced(drafts: readonly Draft[], by: TransactionInstruction): readonly Draft[] {
  const { programId, data } = by;
  const doesSame = (one: TransactionInstruction) =>
    one.programId.equals(programId) && one.data.subarray(0, DISCRIMINATOR_BYTES).equals(data.subarray(0, DISCRIMINATOR_BYTES));
  return drafts.map((draft) => ({ ...draft, instructions: draft.instructions.map((one) => (doesSame(one) ? by : one)) }));
}

function build(intent: LaterBuild['intent']) {
  return (name: string, approved: readonly Draft[], later: readonly Draft[], worse: LaterBuild['worse'] = []): LaterBuild => ({
    name: `${intent.kind === 'zapOut' ? 'zap-out' : 'zap-in'}, version 1: ${name}`,
    intent,
    approved,
    later: fresh(later),
    worse,
  });
}

const out = build(ZAP_OUT);
const into = build(ZAP_IN);

const price = (microLamports: bigint): TransactionInstruction => ComputeBudgetProgram.setComputeUnitPrice({ microLamports });
const limit = (units: number): TransactionInstruction => ComputeBudgetProgram.setComputeUnitLimit({ units });

/** Builds that an approval covers: equal or better in every respect. */
export const COVERED_VERSION_1: readonly LaterBuild[] = [
  out('the same, approved as legacy', honestZapOut('legacy'), OUT),
  out('the same as v0, approved as version 1', OUT, honestZapOut(0)),
  out('the same in different versions, approved as v0', honestZapOut(0), mixed(honestZapOut(0))),
  out('the same as v0, approved in different versions', mixed(honestZapOut(0)), honestZapOut(0)),
  out(
    'a better quote in different versions, approved as legacy',
    honestZapOut('legacy'),
    mixed(swapOut({ quoted_out_amount: 410_000_000n })),
  ),
  out('a smaller fee in the config', OUT, withFee(OUT, FEE - 1n)),
  out('no fee in the config', OUT, configured(OUT, 0, { computeUnitLimit, loadedAccountsDataSizeLimit })),
  out('the same fees, but more of them in the second transaction', OUT, [
    ...withFee(OUT, FEE - 1n).slice(0, 1),
    ...configured(OUT, 1, { ...V1_CONFIG, priorityFeeLamports: FEE + 1n }).slice(1),
  ]),
  out('a compute unit limit that is larger, for the same fee', OUT, configured(OUT, 0, { ...V1_CONFIG, computeUnitLimit: 1_400_000 })),
  out('usual fees in instructions, too, which have no effect', OUT, extended(OUT, 0, limit(computeUnitLimit), price(50_000n))),
  out('one transaction in place of three', honestZapOut(0), inOne(OUT, 'close')),
  into('the same, approved as legacy', honestZapIn('legacy'), IN),
  into('the same in different versions, approved as v0', honestZapIn(0), mixed(honestZapIn(0))),
  into('one transaction in place of three', honestZapIn(0), inOne(IN, 'add')),
];

/** Builds that an approval must not cover. */
export const NOT_COVERED_VERSION_1: readonly LaterBuild[] = [
  out('one lamport more in the fee of the config', OUT, withFee(OUT, FEE + 1n), ['outflow', 'priorityFee']),
  out('one lamport more in the fee of the last transaction', OUT, configured(OUT, 2, { ...V1_CONFIG, priorityFeeLamports: FEE + 1n }), [
    'outflow',
    'priorityFee',
  ]),
  // In the older versions it is a price for each compute unit: 50,000 micro-lamports for 400,000 units are 20,000 lamports.
  out('the figure of the price as a total', honestZapOut(0), configured(OUT, 0, { ...V1_CONFIG, priorityFeeLamports: 50_000n }), [
    'outflow',
    'priorityFee',
  ]),
  out(
    'a larger fee for fewer compute units',
    OUT,
    configured(OUT, 0, { ...V1_CONFIG, computeUnitLimit: 1_000, priorityFeeLamports: FEE + 1n }),
    ['outflow', 'priorityFee'],
  ),
  out('a fee above the cap', OUT, withFee(OUT, 50_000_000n), ['blocked']),
  out('a fee that a JavaScript number cannot hold', OUT, withFee(OUT, 2n ** 53n + 1n), ['blocked']),
  out('no compute unit limit, so that only the fee is charged', OUT, configured(OUT, 0, { loadedAccountsDataSizeLimit }), ['blocked']),
  out('an absurd fee in an instruction without effect', OUT, extended(OUT, 0, price(2n ** 64n - 1n)), ['finding']),
  out('one more tip', OUT, extended(OUT, 1, tip(1n)), ['outflow', 'tip']),
  out('a tip that goes to a stranger', OUT, extended(OUT, 0, transferSol(THIEF, 1n)), ['outflow', 'solToOthers', 'recipient', 'finding']),
  out('the swap guarantees one lamport less', OUT, swapOut({ quoted_out_amount: 399_999_998n }), ['guaranteedBySwaps', 'received']),
  out(
    'the swap guarantees one lamport less, approved as legacy and built in different versions',
    honestZapOut('legacy'),
    mixed(swapOut({ quoted_out_amount: 399_999_998n })),
    ['guaranteedBySwaps', 'received'],
  ),
  out('the result goes to another wallet', OUT, replaced(OUT, route({}, { user_destination_token_account: THIEF })), ['blocked']),
  out(
    'the wrapped SOL goes to another wallet',
    OUT,
    [...OUT.slice(0, 2), { group: 'swap', version: 1, instructions: [unwrap(THIEF)] }],
    ['blocked'],
  ),
  out(
    'one more transaction',
    OUT,
    [...OUT, { group: 'swap', version: 1, instructions: [price(0n)] }],
    ['outflow', 'networkFee', 'priorityFee', 'transactions'],
  ),
  out(
    'somebody else pays the fee',
    OUT,
    OUT.map((draft, place) => (place === 0 ? { ...cosigned(draft), feePayer: THIEF } : draft)),
    ['feePayer', 'outflow', 'networkFee', 'finding'],
  ),
  out(
    'one transaction in place of three, with all of their tips and one more lamport',
    honestZapOut(0),
    extended(inOne(OUT, 'close'), 0, tip(1n)),
    ['tip'],
  ),
  into('one lamport more in the fee of the config', IN, withFee(IN, FEE + 1n), ['outflow', 'priorityFee']),
  into('the swap guarantees one raw unit less', IN, replaced(IN, buyToken({ quoted_out_amount: 4_099_998n })), ['guaranteedBySwaps']),
  into(
    'less is deposited by one transaction in place of three',
    honestZapIn(0),
    inOne(replaced(IN, addByStrategy({ amountY: 499_999_999n })), 'add'),
    ['deposited'],
  ),
  into('the position belongs to somebody else', honestZapIn('legacy'), replaced(IN, openPosition({}, { owner: THIEF })), ['blocked']),
];

function swapOut(args: Parameters<typeof route>[0]): readonly Draft[] {
  return replaced(OUT, route(args));
}
