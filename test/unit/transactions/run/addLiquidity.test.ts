import assert from 'node:assert/strict';
import { addressBytes, type Address } from '../../../../src/base/solana/address';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { reasonWords } from '../../../../src/base/reasons/reasonWords';
import type { SolanaRpc } from '../../../../src/rpc/types';
import type { LiquidityService } from '../../../../src/service/service';
import type { AddToRequest } from '../../../../src/service/transactions';
import { evidenceOfDeposit } from '../../../../src/transactions/outcome/evidence';
import { restOf } from '../../../../src/transactions/outcome/outcomes';
import { runAddLiquidity } from '../../../../src/transactions/run/addLiquidity';
import type { AddLiquidityPlan, OperationResult } from '../../../../src/transactions/types';
import {
  addByStrategy,
  base64Of,
  claim,
  FROM_BIN,
  honestAdd,
  honestAddOfSol,
  honestCompound,
  MINT,
  objections,
  OWNER,
  POOL,
  POSITION,
  removal,
  THIEF,
  TO_BIN,
} from '../../../support/review/bundles';
import { FakeClock, OTHER_OWNER } from '../../../support/portfolio/fixtures';
import {
  ADD_TO_BUILD,
  bench,
  type Bench,
  FakeChain,
  goingOn,
  META,
  recordsOf,
  SIGNATURE,
  thePosition,
  until,
} from '../../../support/transactions/harness';

const FEES = { uncollectedFee0: 0.004, uncollectedFee1: 0.5, uncollectedFee: { usd: 134.48, native: 0.82 } };
// The price of the transactions: 500,000,000 lamports for 4,100,000 raw units.
const PRICES = { price0Usd: (0.5 / 0.0041) * 164, price1Usd: 164 };
const FIGURES = { ...PRICES, binStepBps: undefined };
const withFees = thePosition({ ...FEES, ...FIGURES });
const BINS = { fromBinId: FROM_BIN, toBinId: TO_BIN };

/** The account of the position, as the chain has it. */
function positionAccount({ owner = OWNER, operator }: { readonly owner?: Address; readonly operator?: Address } = {}): Buffer {
  const data = Buffer.alloc(8_120);
  data.set(Buffer.from('75b0d4c7f5b485b6', 'hex'));
  data.set(addressBytes(POOL), 8);
  data.set(addressBytes(owner), 40);
  data.writeInt32LE(FROM_BIN, 7_912);
  data.writeInt32LE(TO_BIN, 7_916);
  data.set(addressBytes(operator ?? PROGRAMS.system), 7_960);
  return data;
}

/** A node that has the position, and what is landed. */
function nodeWith(chain: FakeChain, data = positionAccount()): SolanaRpc {
  const account = { lamports: 1_000_000n, program: PROGRAMS.dlmm, data: new Uint8Array(data) };
  return {
    ...chain.parts.rpc,
    accounts: ({ addresses }) => Promise.resolve({ slot: 1n, value: addresses.map((one) => (one === POSITION ? account : undefined)) }),
  };
}

interface Rig {
  readonly rig: Bench;
  readonly requests: AddToRequest[];
}

/** A service that builds honest deposits and lands them, over a chain that shows the position to be the owner's. */
async function addBench(
  part: Partial<LiquidityService> = {},
  { data, hasRpc = true }: { readonly data?: Buffer; readonly hasRpc?: boolean } = {},
): Promise<Rig> {
  const chain = new FakeChain(new FakeClock());
  const requests: AddToRequest[] = [];
  const rig: Bench = await bench({
    ...chain.parts,
    ...(hasRpc ? { rpc: nodeWith(chain, data) } : {}),
    listed: [withFees],
    service: {
      landAdd: (landing) => {
        chain.land(landing);
        rig.listed = [thePosition({ ...FIGURES, amount0: 0.009, amount1: 0.5 })];
        return Promise.resolve({ signature: SIGNATURE });
      },
      ...part,
      buildAddTo: (request, options) => {
        requests.push(request);
        const asked =
          request.mode === 'compound'
            ? ADD_TO_BUILD
            : { ...ADD_TO_BUILD, ...(request.mode === 'normal' ? { addTransactions: [base64Of(honestAdd())] } : OF_SOL) };
        return part.buildAddTo?.(request, options) ?? Promise.resolve({ ...asked, lastValidBlockHeight: chain.lastValidBlockHeight });
      },
    },
  });
  return hasRpc ? { rig, requests } : { rig: { ...rig, dependencies: { ...rig.dependencies, rpc: undefined } }, requests };
}

const [swap, ...adds] = honestAddOfSol();
const OF_SOL = { swapTransactions: swap === undefined ? [] : [base64Of(swap)], addTransactions: adds.map(base64Of) };

const FROM_FEES: AddLiquidityPlan = { position: withFees, owner: OWNER, deposit: 'fees', strategy: 'Spot', slippageBps: 300 };
const TOKENS = { inputLamports: 0n, percentX: 0.5, tokens: { amountXRaw: 4_000_000n, amountYRaw: 500_000_000n } };

const run = ({ dependencies, host, abort }: Bench, part: Partial<AddLiquidityPlan> = {}) =>
  runAddLiquidity({ ...FROM_FEES, ...part }, dependencies, host, abort.signal);

/** What it ends with: time passes until its transactions are read from the chain. */
const ended = (rig: Bench, part: Partial<AddLiquidityPlan> = {}): Promise<OperationResult> => goingOn(rig.clock, 500, run(rig, part));

const blocksOf = (result: OperationResult): readonly string[] =>
  result.kind === 'blocked' ? objections(result.review).filter((one) => one.startsWith('block')) : [];

describe('operation: deposit into a position', () => {
  it('Compounding builds, reviews against the shown fees, asks, signs, lands and waits until the fees are gone from the list', async () => {
    const { rig, requests } = await addBench();
    assert.deepEqual(await ended(rig), { kind: 'settled', signature: SIGNATURE, position: POSITION });
    assert.deepEqual(rig.trace.steps, ['building', 'reviewing', 'waitingForApproval', 'signing', 'landing', 'waitingForEffect']);
    assert.deepEqual(requests, [{ positionId: 'service-id', owner: OWNER, mode: 'compound', strategy: 'Spot', ...BINS, slippageBps: 300 }]);
    const [review] = rig.trace.reviews;
    assert.ok(review?.intent.kind === 'addLiquidity');
    // Only that this node has no account of the pool.
    assert.deepEqual(objections(review), ['confirm SWP-9']);
    assert.deepEqual(review.intent.fees, [
      { mint: MINT, amountRaw: 4_000_000n },
      { mint: WRAPPED_SOL_MINT, amountRaw: 500_000_000n },
    ]);
    assert.deepEqual(
      rig.trace.landings[0]?.lastValidBlockHeight !== undefined && 'meta' in rig.trace.landings[0] && rig.trace.landings[0].meta,
      META,
    );
    const [record] = await recordsOf(rig);
    assert.deepEqual(record?.created.plan, {
      kind: 'addLiquidity',
      into: { position: POSITION, positionId: 'service-id', fee0: '0.004', fee1: '0.5' },
      before: { amount0: '0.005', amount1: '0' },
      source: 'fees',
      inputLamports: 0n,
      percentX: 0.5,
      tokens: undefined,
      strategy: 'Spot',
      ...BINS,
      slippageBps: 300,
    });
  });

  it('A deposit of tokens, and one of SOL, goes into the position that the user chose, in the amounts that they entered', async () => {
    for (const [deposit, asked] of [
      [TOKENS, { mode: 'normal', amountX: 0.004, amountY: 0.5 }],
      [
        { inputLamports: 1_000_000_000n, percentX: 0.5 },
        { mode: 'zap-in', inputSol: 1, percentX: 0.5 },
      ],
    ] as const) {
      const { rig, requests } = await addBench();
      const result = await ended(rig, { deposit });
      assert.equal(result.kind, 'settled', rig.trace.reviews[0]?.findings.map(({ rule, message }) => `${rule} ${message}`).join('\n'));
      assert.deepEqual(requests, [{ positionId: 'service-id', owner: OWNER, ...asked, strategy: 'Spot', ...BINS, slippageBps: 300 }]);
      assert.deepEqual(rig.trace.reviews.map(objections), [['confirm SWP-9']]);
    }
  });

  it('Without an RPC, and where the chain shows that others control the position, nothing is signed', async () => {
    for (const options of [
      { hasRpc: false },
      { data: positionAccount({ owner: THIEF }) },
      { data: positionAccount({ operator: THIEF }) },
    ]) {
      const { rig } = await addBench({}, options);
      assert.deepEqual(blocksOf(await run(rig)), ['block DLMM-10']);
      assert.deepEqual([rig.trace.landings, rig.trace.signersAsked], [[], 0]);
    }
  });

  it('A withdrawal beside the deposit, and a deposit of more than the fees, is blocked', async () => {
    for (const [draft, block] of [
      [honestCompound(removal(), claim(), addByStrategy()), 'block DLMM-8'],
      [honestCompound(claim(), addByStrategy({ amountX: 4_400_001n })), 'block ADD-1'],
    ] as const) {
      const built = { ...ADD_TO_BUILD, addTransactions: [base64Of(draft)] };
      const { rig } = await addBench({ buildAddTo: () => Promise.resolve(built) });
      assert.deepEqual(blocksOf(await run(rig)), [block]);
      assert.deepEqual([rig.trace.landings, rig.trace.signersAsked], [[], 0]);
    }
  });

  it('What no service could build is refused before it is asked: another wallet, a position that is gone, no fees, nothing to deposit', async () => {
    const { rig, requests } = await addBench();
    const part = { inputLamports: 0n, percentX: 0.5 };
    for (const [plan, words] of [
      [{ position: thePosition({ owner: OTHER_OWNER }) }, /This needs the wallet/],
      [{ position: thePosition({ key: 'another' }) }, /no longer listed/],
      [{ position: thePosition({ poolType: 'other', protocol: 'orca' }) }, /only Meteora DLMM and DAMM v2 pools/],
      [{ strategy: undefined }, /needs a range and a strategy/],
      [{ slippageBps: 10_001 }, /from 0 to 10000/],
      [{ deposit: part }, /greater than 0/],
      [{ deposit: { ...part, tokens: { amountXRaw: 0n, amountYRaw: 0n } } }, /greater than 0/],
    ] as const) {
      const failure = await run(rig, plan).catch((error: unknown) => error);
      assert.match(String(failure), words);
    }
    rig.listed = [thePosition()];
    await rig.portfolio.refresh('manual', ['positions']);
    assert.match(String(await run(rig).catch((error: unknown) => error)), /reports no fees/);
    assert.deepEqual(requests, []);
  });

  it('With an RPC, its own signatures on the chain settle it, and not a list that shows more', async () => {
    const { rig } = await addBench({
      landAdd: () => {
        rig.listed = [thePosition({ ...FIGURES, amount0: 0.009, amount1: 0.5 })];
        return Promise.resolve({ signature: SIGNATURE });
      },
    });
    const running = run(rig);
    await goingOn(
      rig.clock,
      2_000,
      until(() => rig.trace.logs.some((line) => line.includes('does not have all of its transactions'))),
    );
    assert.notEqual((await recordsOf(rig))[0]?.state, 'settled');
    rig.abort.abort();
    await goingOn(
      rig.clock,
      2_000,
      running.catch(() => undefined),
    );
  });

  it('The list shows a deposit where the position has grown, and not where prices alone have moved or nothing has changed', () => {
    const before = {
      into: { position: POSITION, positionId: 'service-id', fee0: '0.004', fee1: '0.5' },
      before: { amount0: '1', amount1: '1' },
      source: 'wallet',
    } as const;
    const evidence = (amount0: number | undefined, amount1: number | undefined): string =>
      evidenceOfDeposit(before, [thePosition({ amount0, amount1, price0Usd: 100, price1Usd: 100 })]);
    assert.deepEqual(
      [evidence(1.5, 1.5), evidence(1.5, 1), evidence(1.6, 0.5), evidence(1.4, 0.5), evidence(1, 1), evidence(undefined, 1)],
      ['shows', 'shows', 'shows', 'unclear', 'doesNotShow', 'unclear'],
    );
    assert.equal(evidenceOfDeposit(before, []), 'unclear');
  });

  it('What is left of a deposit of which a part landed is named', async () => {
    const { rig } = await addBench();
    await ended(rig);
    const [record] = await recordsOf(rig);
    assert.ok(record?.created.plan.kind === 'addLiquidity');
    const known = { records: [], listed: undefined, changed: undefined, held: undefined, pool: undefined };
    const words = (source: 'fees' | 'wallet'): string => {
      const { plan } = record.created;
      assert.ok(plan.kind === 'addLiquidity');
      return reasonWords(restOf({ ...plan, source }, record, known, { operation: 'addLiquidity', landed: 1, of: 2 }).reason);
    };
    assert.deepEqual(
      [words('fees'), words('wallet')],
      [
        '1 of 2 transactions landed; the others no longer can. The other fees are still in the position: repeat it for them.',
        '1 of 2 transactions landed; the others no longer can. The rest is still in your wallet: repeat it for that.',
      ],
    );
  });
});
