import type { AssistantReads, Proposal, ProposalAnswer } from '../../../src/assistants/context';
import { createRunTool, type RunTool } from '../../../src/assistants/runTool';
import { LAMPORTS_PER_SOL, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { totalsOf } from '../../../src/portfolio/snapshot';
import type { PoolInfo } from '../../../src/service/poolInfo';
import type { OpenPosition } from '../../../src/service/positions';
import { addressOf, openPosition, OWNER, pageOf, pool } from '../portfolio/fixtures';

export const ACTIVE_BIN = -350;
const NOTHING = { usd: undefined, native: undefined };

/** A DLMM pool of BONK and SOL. */
export const POOL_INFO: PoolInfo = {
  poolType: 'dlmm',
  protocol: 'meteora',
  tokens: [token(addressOf(600), 'BONK'), token(WRAPPED_SOL_MINT, 'SOL')],
  amountX: 1,
  amountY: 2,
  fees: { basePercent: 1, maxPercent: undefined, protocolPercent: undefined, dynamicPercent: undefined },
  activeBin: { binId: ACTIVE_BIN, price: 0.5 },
  bins: Array.from({ length: 101 }, (_, place) => ({ binId: ACTIVE_BIN - 50 + place, amountX: 1, amountY: 1, price: 0.5 })),
  feeStats: [],
  statistics: {},
};

function token(address: PoolInfo['tokens'][number]['address'], symbol: string): PoolInfo['tokens'][number] {
  const unknown = {
    name: undefined,
    marketCapUsd: undefined,
    fdvUsd: undefined,
    priceUsd: undefined,
    organicScore: undefined,
    holders: undefined,
  };
  return { address, symbol, decimals: 9, ...unknown };
}

/** What is not as usual. */
interface WorldOptions {
  readonly positions?: readonly OpenPosition[];
  readonly reads?: Partial<AssistantReads>;
  readonly answer?: ProposalAnswer;
}

interface ToolWorld {
  readonly run: RunTool;
  /** What assistants proposed. */
  readonly proposals: readonly Proposal[];
  /** What went wrong besides wrong inputs. */
  readonly errors: readonly unknown[];
  /** Runs a tool that must succeed, and gives its answer. */
  readonly ask: (name: string, input?: unknown) => Promise<Readonly<Record<string, unknown>>>;
  /** Runs a tool that must fail, and gives the error. */
  readonly fail: (name: string, input?: unknown) => Promise<unknown>;
  /** Moves the clock. */
  readonly wait: (ms: number) => void;
}

/** The tools over figures that are made up: nothing else can be reached. */
export function toolWorld({
  positions = [openPosition(1), openPosition(2)],
  reads = {},
  answer = { kind: 'shown' },
}: WorldOptions = {}): ToolWorld {
  const proposals: Proposal[] = [];
  const errors: unknown[] = [];
  let now = Date.UTC(2026, 10, 20);
  const run = createRunTool({
    reads: {
      wallet: () => ({ service: 'Sandbox', isSandbox: true, owner: OWNER, canSign: true, canClaim: true }),
      positions: () => Promise.resolve({ positions, totals: totalsOf(positions), state: { kind: 'ready', asOf: new Date(now) } }),
      pools: ({ page = 1, pageSize = 10 }) => Promise.resolve(pageOf([pool(1), pool(2), pool(3)], page, pageSize)),
      poolInfo: () => Promise.resolve(POOL_INFO),
      overview: () => Promise.resolve(undefined),
      closedPositions: ({ page, pageSize }) =>
        Promise.resolve({
          items: [1, 2, 3].map((number) => ({
            ...openPosition(number),
            closedAt: new Date(now),
            fee: NOTHING,
            feePercent: NOTHING,
            audited: { solIn: undefined, solOut: undefined, pnlNative: undefined },
            followed: undefined,
          })),
          warnings: [],
          page,
          pageSize,
          totalCount: 3,
          totalPages: 1,
          hasNextPage: false,
        }),
      planFigures: () =>
        Promise.resolve({
          balanceLamports: String(2n * LAMPORTS_PER_SOL),
          isRentUpperBound: false,
          positionLamports: '57000000',
          positionPerBinAbove70Lamports: '700000',
          binArrayLamports: '71000000',
          binArrays: { from: -10, to: 10, existing: [-6] },
          feePerTransactionLamports: '1000000',
          tipLamports: '10000000',
        }),
      defaultSlippageBps: () => 150,
      ...reads,
    },
    propose: (proposal) => {
      proposals.push(proposal);
      return answer;
    },
    nowMs: () => now,
    onError: (error) => errors.push(error),
  });
  const call = async (name: string, input: unknown, isError: boolean): Promise<Readonly<Record<string, unknown>>> => {
    const result = await run(name, input, new AbortController().signal);
    if (result.isError !== isError) {
      throw new Error(`${name} ${isError ? 'did not fail' : 'failed'}: ${result.json}`);
    }
    return JSON.parse(result.json) as Readonly<Record<string, unknown>>;
  };
  return {
    run,
    proposals,
    errors,
    ask: (name, input) => call(name, input, false),
    fail: async (name, input) => (await call(name, input, true))['error'],
    wait: (ms) => {
      now += ms;
    },
  };
}
