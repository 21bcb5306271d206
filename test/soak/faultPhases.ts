import { ATTACKS } from '../../src/sandbox/hostile/attacks';

type FaultSettings = Readonly<Record<string, unknown>>;

/** What goes wrong for some seconds. */
export interface FaultPhase {
  readonly name: string;
  /** For the admin API of the sandbox. */
  readonly faults: readonly FaultSettings[];
  /** How late the service lists what landed. */
  readonly lagMs?: number;
}

const LANDINGS = ['/position/landing-decrease-tx', '/pools/landing-add-tx'];
const LAG_MS = 2_500;

/** A fault of landings alone. */
function ofLandings(fault: FaultSettings): readonly FaultSettings[] {
  return LANDINGS.map((path) => ({ ...fault, path }));
}

/** All phases, each after a calm one: with faults all the time, hardly an operation would get as far as the faults of landings. */
export const FAULT_PHASES: readonly FaultPhase[] = [
  { name: 'slow answers', faults: [{ kind: 'latency', ms: 300, probability: 0.3 }] },
  {
    name: 'errors of the server',
    faults: [
      { kind: 'status', status: 503, probability: 0.15 },
      { kind: 'status', status: 429, retryAfterSeconds: 1, probability: 0.05 },
    ],
  },
  {
    name: 'damaged answers',
    faults: [
      { kind: 'truncate', probability: 0.1 },
      { kind: 'wrongTypes', probability: 0.3 },
    ],
  },
  { name: 'cut connections', faults: [{ kind: 'drop', probability: 0.1 }] },
  { name: 'landed, answered with 502', faults: ofLandings({ kind: 'landed', status: 502, probability: 0.7 }) },
  {
    name: 'landed, answered as expired',
    faults: ofLandings({ kind: 'landed', status: 400, message: 'Blockhash not found', probability: 0.7 }),
  },
  { name: 'landed in part', faults: ofLandings({ kind: 'partial', transactions: 1, probability: 0.7 }) },
  { name: 'listed late', faults: ofLandings({ kind: 'drop', probability: 0.5 }), lagMs: LAG_MS },
  { name: 'lists without values', faults: [{ kind: 'missingWorth', of: 'worth', probability: 0.3 }] },
  { name: 'hostile service', faults: ATTACKS.map((attack) => ({ kind: 'hostile', attack, probability: 1 / ATTACKS.length })) },
].flatMap((phase): readonly FaultPhase[] => [{ name: 'calm', faults: [] }, phase]);
