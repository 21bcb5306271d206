import type { BinRange } from '../../../base/dlmm/bins';
import type { Strategy } from '../../../base/dlmm/strategy';
import type { Address } from '../../../base/solana/address';
import type { Market, Pool } from '../types';
import { WorldPays, type Bank } from './payer';
import { ProviderPositions, type Opened } from './providerPositions';

/** A position of the owner, from beginning to end. Times in milliseconds since 1970, each the end of a step of the past. */
export interface ScenarioStep {
  /** Key of the catalogue. */
  readonly pool: string;
  readonly strategy: Strategy;
  /** What is put in, in SOL, and the part of it that goes into token X. */
  readonly worthSol: number;
  readonly partX: number;
  /** A range of bins, or the number of bins to either side of the active one; `null` in a constant-product pool. */
  readonly range: BinRange | { readonly halfWidthBins: number } | null;
  readonly openAt: number;
  /** `null`: it stays open. */
  readonly closeAt: number | null;
  readonly collectAt: readonly number[];
  readonly withdrawals: readonly { readonly at: number; readonly shareBps: number }[];
}

/** One thing that the owner does. */
interface Act {
  readonly at: number;
  readonly play: () => void;
}

/** Plays chapters of the owner's past into a market. The rest of the world pays: the owner's own money is of today. */
export class ScenarioPlayer {
  readonly #acts: Act[];
  readonly #payer: WorldPays;
  readonly #stays: ProviderPositions;
  #next = 0;

  readonly #bank: Bank;
  readonly #owner: Address;

  constructor(bank: Bank, owner: Address, chapters: readonly ScenarioStep[]) {
    this.#bank = bank;
    this.#owner = owner;

    this.#payer = new WorldPays(bank);
    this.#stays = new ProviderPositions(bank);
    this.#acts = chapters.flatMap((chapter, index) => this.#actsOf(chapter, index)).sort((a, b) => a.at - b.at);
  }

  /** Plays what is due at the market's present, in order. */
  play(): void {
    for (let act = this.#acts[this.#next]; act !== undefined && act.at <= this.#bank.market.now; act = this.#acts[this.#next]) {
      this.#next += 1;
      act.play();
    }
  }

  #actsOf(chapter: ScenarioStep, index: number): Act[] {
    const pool = poolOf(this.#bank.market, chapter.pool);
    let opened: Opened | undefined;
    const during = (at: number, play: (position: Opened) => void): Act => ({
      at,
      play: () => {
        if (opened !== undefined) {
          play(opened);
        }
      },
    });
    return [
      { at: chapter.openAt, play: () => (opened = this.#open(chapter, pool, index)) },
      ...chapter.collectAt.map((at) => during(at, ({ position }) => this.#stays.collect(pool, position, this.#payer))),
      ...chapter.withdrawals.map(({ at, shareBps }) =>
        during(at, ({ position }) => this.#stays.takeOut(pool, position, shareBps, this.#payer)),
      ),
      ...(chapter.closeAt === null ? [] : [during(chapter.closeAt, (position) => this.#stays.close(pool, position, this.#payer))]),
    ];
  }

  #open({ strategy, worthSol, partX, range }: ScenarioStep, pool: Pool, index: number): Opened | undefined {
    const wish = { owner: this.#owner, label: `position of the owner ${index}`, strategy, usd: worthSol * this.#bank.market.usdSol, partX };
    return this.#stays.open(pool, { ...wish, range: rangeFor(pool, range) }, this.#payer);
  }
}

function rangeFor(pool: Pool, range: ScenarioStep['range']): BinRange | null {
  if (pool.type === 'product' || range === null) {
    return null;
  }
  return 'fromBinId' in range
    ? range
    : { fromBinId: pool.activeBinId - range.halfWidthBins, toBinId: pool.activeBinId + range.halfWidthBins };
}

function poolOf(market: Market, key: string): Pool {
  const pool = market.pools.find(({ spec }) => spec.key === key);
  if (pool === undefined) {
    throw new RangeError(`No pool ${key}`);
  }
  return pool;
}
