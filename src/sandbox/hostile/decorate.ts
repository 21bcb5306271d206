import type { Engine } from '../../server/engine';
import type { Operations } from '../market/engine/marketEngine';
import type { Attack } from './attacks';
import { HostileEngine } from './hostileEngine';
import { LyingEngine } from './lyingEngine';
import type { ListLie } from './lyingLists';
import { PartialLanding } from './partialLanding';

/** What goes wrong behind the routes. */
export type EngineFault =
  { readonly kind: 'hostile'; readonly attack: Attack } | { readonly kind: 'partial'; readonly transactions: number } | ListLie;

/** Puts a fault around an engine. */
export function decorated(honest: Engine, fault: EngineFault, operations: Operations): Engine {
  switch (fault.kind) {
    case 'hostile':
      return new HostileEngine(honest, operations, fault.attack);
    case 'partial':
      return new PartialLanding(honest, fault.transactions);
    case 'wrongPrice':
    case 'missingWorth':
    case 'wrongToken':
      return new LyingEngine(honest, fault);
  }
}
