import type { Address } from '../../../base/solana/address';
import { HOUR_MS } from '../../../base/time';
import type { Database } from '../../store/database';
import type { UnitOfWork } from '../../store/unitOfWork';
import type { WorkingSet } from '../../store/workingSet';
import { USDC_KEY } from '../catalog';
import { Random } from '../random';
import type { MarketActors, MarketPool, PoolToken } from '../types';
import { rawTokens } from '../units';
import { correctionOf, decide, isSoldOut, missingUsd, shapeOf } from './decision';
import { SOL_RESERVE_LAMPORTS, ProviderWallet, type SimulationContext } from './payers';
import { scheduledChecks, type Provider, type ProviderPosition, providerRows, ProviderSchedule, type ProviderSlot } from './provider';
import { ProviderPositions } from './providerPositions';
import { seedProviders } from './seedProviders';

/** What the simulated providers need. */
export interface ProvidersOptions extends SimulationContext {
  readonly database: Database;
  /** The providers' state and schedule are part of it. */
  readonly unit: UnitOfWork;
}

/** Intervals vary by this part either way. */
const IRREGULARITY = 0.4;

/** A provider while it acts. */
interface Actor {
  readonly provider: Provider;
  readonly wallet: ProviderWallet;
  readonly random: Random;
}

/**
 * About two hundred liquidity providers, each with its own habits. From time to time each checks its positions and acts by its
 * habits; the rules are the same in the played past and live.
 */
export class LiquidityProviders implements MarketActors {
  readonly #rows: WorkingSet<Address, Provider>;
  readonly #schedule: ProviderSchedule<Address>;
  readonly #pools: ReadonlyMap<string, MarketPool>;
  readonly #positions: ProviderPositions;

  readonly #options: ProvidersOptions;

  /** Loads the providers of the database; a new database has none until {@link addAll}. */
  constructor(options: ProvidersOptions) {
    this.#options = options;

    this.#rows = providerRows(options.database);
    this.#schedule = new ProviderSchedule(scheduledChecks(options.database));
    this.#pools = new Map(options.market.pools.map((pool) => [pool.spec.key, pool]));
    this.#positions = new ProviderPositions(options);
    options.unit.enlist(this.#rows, this.#schedule);
  }

  /** Adds all providers to a new market, with money from the rest of the world. They act from the market's next step on. */
  addAll(): void {
    for (const { provider, savingsUsd } of seedProviders(this.#options.market)) {
      this.#rows.put(provider.owner, provider);
      this.#schedule.add({ key: provider.owner, dueAt: provider.dueAt });
      this.#fund(provider, savingsUsd);
    }
  }

  act(): void {
    const { now } = this.#options.market;
    for (let due = this.#schedule.next(now); due !== undefined; due = this.#schedule.next(now)) {
      const provider = this.#rows.edit(due.key);
      if (provider !== undefined) {
        this.#check(provider, now);
        this.#schedule.add({ key: provider.owner, dueAt: provider.dueAt });
      }
    }
  }

  #check(provider: Provider, now: number): void {
    const random = Random.restored(provider.random);
    const actor: Actor = { provider, wallet: new ProviderWallet(this.#options, provider.owner, this.#homeOf(provider)), random };
    for (const slot of provider.seats) {
      this.#manage(actor, slot, now);
    }
    actor.wallet.settle();
    const next = now + this.#interval(provider.habits.lookHours, random);
    const entries = provider.seats.filter(({ stay, enterAt }) => stay === null && enterAt > now).map(({ enterAt }) => enterAt);
    provider.dueAt = Math.min(next, ...entries);
    provider.random = random.save();
  }

  #manage(actor: Actor, slot: ProviderSlot, now: number): void {
    const { habits } = actor.provider;
    const pool = this.#pools.get(slot.pool);
    if (pool === undefined) {
      return;
    }
    const decision = decide(habits, slot, pool, now);
    const { stay: current } = slot;
    if (current === null) {
      if (decision === 'enter') {
        this.#enter(actor, slot, pool, now);
      }
      return;
    }
    switch (decision) {
      case 'move':
        if (habits.style === 'ladder' && isSoldOut(slot.side, current, pool)) {
          slot.side = slot.side === 'x' ? 'y' : 'x';
        }
        this.#leave(actor, slot, current, pool);
        this.#enter(actor, slot, pool, now);
        break;
      case 'leave':
        this.#leave(actor, slot, current, pool);
        slot.enterAt = now + this.#interval(habits.pauseHours, actor.random);
        break;
      case 'collect':
        this.#positions.collect(pool, current.position, actor.wallet);
        current.collectAt = now + this.#interval(habits.collectHours, actor.random);
        break;
      case 'enter':
      case 'wait':
        break;
    }
    if (habits.style === 'anchor' && slot.stay !== null) {
      this.#correct(actor, slot.stay, pool);
    }
  }

  /** Opens a position of the slot's width and budget; tries again later if there is no money or no room for it. */
  #enter(actor: Actor, slot: ProviderSlot, pool: MarketPool, now: number): void {
    const { provider, wallet, random } = actor;
    const { habits, owner } = provider;
    const usd = habits.style === 'anchor' ? missingUsd(this.#options.market, pool) : slot.budgetUsd;
    const shape = shapeOf(habits, slot, pool);
    const opened =
      shape === undefined
        ? undefined
        : this.#positions.open(pool, { ...shape, usd, owner, label: `position ${provider.number} ${provider.opened}` }, wallet);
    if (shape === undefined || opened === undefined) {
      slot.enterAt = now + this.#interval(habits.pauseHours, random);
      return;
    }
    provider.opened += 1;
    slot.stay = {
      ...opened,
      range: shape.range,
      openedAtPrice: pool.price,
      outSince: null,
      collectAt: now + this.#interval(habits.collectHours, random),
      leaveAt: habits.holdHours === null ? null : now + this.#interval(habits.holdHours, random),
    };
  }

  #leave({ wallet }: Actor, slot: ProviderSlot, position: ProviderPosition, pool: MarketPool): void {
    this.#positions.close(pool, position, wallet);
    slot.stay = null;
  }

  /** Keeps the liquidity of an anchor's pool near its usual level. */
  #correct({ wallet, provider }: Actor, { position }: ProviderPosition, pool: MarketPool): void {
    const correction = correctionOf(this.#options.market, pool, position);
    if (correction.kind === 'add') {
      this.#positions.add(pool, position, { strategy: provider.habits.strategy, partX: 0.5, usd: correction.usd }, wallet);
    } else if (correction.kind === 'withdraw') {
      this.#positions.withdraw(pool, position, correction.shareBps, wallet);
    }
  }

  #fund(provider: Provider, savingsUsd: number): void {
    const { ledger, market } = this.#options;
    const { owner } = provider;
    const home = this.#homeOf(provider);
    const savings = rawTokens(savingsUsd / market.usd(home), home);
    const lamports = SOL_RESERVE_LAMPORTS + (home.mint === market.sol.mint ? savings : 0n);
    ledger.setLamports(market.world, ledger.lamports(market.world) - lamports);
    ledger.setLamports(owner, lamports);
    if (home.mint !== market.sol.mint) {
      ledger.credit(market.world, home.mint, -savings);
      ledger.credit(owner, home.mint, savings);
    }
  }

  #homeOf({ home }: Provider): PoolToken {
    const { market } = this.#options;
    return home === USDC_KEY ? market.usdc : market.sol;
  }

  /** About this many hours, in milliseconds. */
  #interval(hours: number, random: Random): number {
    return Math.round(hours * random.between(1 - IRREGULARITY, 1 + IRREGULARITY) * HOUR_MS);
  }
}
