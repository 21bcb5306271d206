import type { EntryFigures } from '../base/dlmm/entryCost';
import type { Strategy } from '../base/dlmm/strategy';
import type { Address } from '../base/solana/address';
import type { ListState, PortfolioTotals } from '../portfolio/types';
import type { Page } from '../service/common';
import type { Overview } from '../service/overview';
import type { PoolInfo } from '../service/poolInfo';
import type { Pool } from '../service/pools';
import type { ClosedPosition, OpenPosition } from '../service/positions';
import type { DiscoverQuery } from '../service/service';

// All that the tools of assistants can do: read these figures, and propose. Nothing here signs, confirms, unlocks a wallet or reads a key, and
// lint keeps the tools from importing anything that does (oxlint.rules.mjs, HOUSE).

/** The selected wallet and the service that it is read from. */
export interface SelectedWallet {
  /** "Sandbox", or the service's host. */
  readonly service: string;
  /** All money is pretend. */
  readonly isSandbox: boolean;
  readonly owner: Address | undefined;
  /** False for a watch-only wallet: proposals for it are refused. */
  readonly canSign: boolean;
  /** False for services that build no claims of fees: proposals of claims are refused. */
  readonly canClaim: boolean;
}

/** The open positions of the selected wallet. */
export interface PositionsRead {
  readonly positions: readonly OpenPosition[];
  readonly totals: PortfolioTotals;
  readonly state: ListState;
}

export interface PlanCostFigures extends EntryFigures {
  /** The wallet's SOL, as decimal digits of lamports. */
  readonly balanceLamports: string;
  /** No RPC told what accounts cost now: all rents are upper bounds. */
  readonly isRentUpperBound: boolean;
}

/** The reads of the tools. Each rejects with what the service's client throws. */
export interface AssistantReads {
  readonly wallet: () => SelectedWallet;
  /** At most a minute old, unless the service does not answer. */
  readonly positions: () => Promise<PositionsRead>;
  readonly pools: (query: DiscoverQuery, signal: AbortSignal) => Promise<Page<Pool>>;
  readonly poolInfo: (pool: Address, signal: AbortSignal) => Promise<PoolInfo>;
  /** Over all protocols; `undefined`: the service has nothing about the wallet. */
  readonly overview: (owner: Address, signal: AbortSignal) => Promise<Overview | undefined>;
  readonly closedPositions: (
    query: { readonly owner: Address; readonly page: number; readonly pageSize: number },
    signal: AbortSignal,
  ) => Promise<Page<ClosedPosition>>;
  readonly planFigures: (pool: Address, info: PoolInfo, signal: AbortSignal) => Promise<PlanCostFigures>;
  readonly defaultSlippageBps: () => number;
}

/** What an assistant proposes. Binsight asks the user about it; it is no permission for anything. */
export type Proposal =
  | {
      readonly kind: 'zapOut';
      /** `OpenPosition.key` */
      readonly key: string;
      /** 1 to 10000. */
      readonly shareBps: number;
      readonly output: 'allBaseToken' | 'both' | 'allToken0' | 'allToken1';
      readonly slippageBps: number;
    }
  | {
      readonly kind: 'zapIn';
      readonly pool: Address;
      /** The plan as a panel makes it (src/protocol/pool.ts). */
      readonly plan: {
        readonly range?: { readonly fromBinId: number; readonly toBinId: number };
        readonly activeBinId?: number;
        readonly strategy: Strategy;
        readonly amountLamports: string;
        readonly percentX: number;
        readonly slippageBps: number;
      };
    }
  | { readonly kind: 'claim'; readonly key: string }
  | { readonly kind: 'rebalance'; readonly key: string };

/** `refused`: no dialog was opened. */
export type ProposalAnswer = { readonly kind: 'shown' } | { readonly kind: 'refused'; readonly reason: string };

export interface ToolContext {
  readonly reads: AssistantReads;
  /** Opens the dialog about a proposal. Resolves as soon as it is open, and never tells what the user decides. */
  readonly propose: (proposal: Proposal) => ProposalAnswer;
  readonly signal: AbortSignal;
}

/** A tool cannot do what was asked. The message is Binsight's own, and quotes nothing from the network. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}
